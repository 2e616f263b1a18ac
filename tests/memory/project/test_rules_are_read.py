"""Which collections a rule reads decides when it runs; what cannot be told counts as all."""

from __future__ import annotations

import pytest

from memory.project.shipped import baseline
from memory.project.tree import parse_rule


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("from domains.health.state import allergies\n", {"allergies"}),
        (
            "from domains.health.state import allergies, medications\n"
            "from domains.travel.state import trips\n",
            {"allergies", "medications", "trips"},
        ),
        ("def check(today):\n    from domains.travel.state import trips\n", {"trips"}),
        ("from domains.health.schema import Allergy\n", set()),
        ("from datetime import date\n", set()),
        ("import domains.health.state\n", None),
        ("from domains.health import state\n", None),
        ("from domains.health.state import *\n", None),
        ("from domains import health\n", None),
    ],
)
def test_a_rule_reads_what_it_imports(source: str, reads: set[str] | None) -> None:
    rule = parse_rule("rule", source)
    assert rule.reads == (None if reads is None else frozenset(reads))


def test_a_rule_is_touched_by_what_it_reads_and_nothing_else() -> None:
    rule = baseline().rules["drug_allergy"]
    assert rule.touched_by(frozenset({"allergies"}))
    assert rule.touched_by(frozenset({"trips", "medications"}))
    assert not rule.touched_by(frozenset({"trips", "conditions"}))
    assert not rule.touched_by(frozenset())


def test_a_rule_that_may_read_all_is_touched_by_anything() -> None:
    rule = parse_rule("rule", "import domains.health.state\n")
    assert rule.touched_by(frozenset({"trips"}))
