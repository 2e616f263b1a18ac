"""Every shipped rule against its table of cases, told in every order through the log."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from memory.models import App
from memory.project.shipped import baseline
from tests.memory.library.rule_cases import CASES, Case, orders, play, table_of

FEWEST = 8


def _all() -> list[ParameterSet]:
    return [
        pytest.param(path.stem, case, id=f"{path.stem}: {case.name}")
        for path in sorted(CASES.glob("*.toml"))
        for case in table_of(path).case
    ]


@pytest.mark.any_database
@pytest.mark.parametrize(("rule", "case"), _all())
def test_the_alerts_are_those_of_the_table_in_every_order(
    rule: str, case: Case, app: App, most_orders: int
) -> None:
    for told in orders(case.records, most_orders):
        play(rule, case, told, app)


@pytest.mark.parametrize("rule", sorted(baseline().rules))
def test_each_rule_has_a_table_with_silence_as_often_as_alarm(rule: str) -> None:
    cases = table_of(Path(CASES / f"{rule}.toml")).case
    silent = [case for case in cases if not case.alerts]
    assert len(cases) >= FEWEST
    assert len(silent) * 2 >= len(cases) - 1
    assert len(silent) < len(cases)
