"""Rules share a sandbox session only where none can be mistaken for another."""

from __future__ import annotations

import pytest

from memory.project.shipped import baseline
from memory.project.tree import Project, may_share

RULE = "def check(today): return []\n"
APART = {
    "a rule without check": "def look(today): return []\n",
    "a rule that calls check": "def check(today): return check(today)\n",
    "a rule with another's name": f"LIMIT = 1\n{RULE}",
}


def test_the_rules_that_ship_share_one_session() -> None:
    assert may_share(baseline(), frozenset())


def test_a_rule_that_is_alone_does_not_keep_the_others_apart() -> None:
    files = {"rules/a.py": f"LIMIT = 2\n{RULE}", "rules/b.py": f"LIMIT = 1\n{RULE}"}
    assert may_share(Project(files), frozenset({"b"}))


@pytest.mark.parametrize("case", APART)
def test_rules_are_kept_apart(case: str) -> None:
    files = {"rules/a.py": f"LIMIT = 2\n{RULE}", "rules/b.py": APART[case]}
    assert not may_share(Project(files), frozenset())
