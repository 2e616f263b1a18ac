"""Tests that would not notice a broken rule are found by breaking the rule."""

from __future__ import annotations

from datetime import date

import pytest

from memory.checkpointer.checks import Setting, tables_for
from memory.checkpointer.structuring.proof import NotProved, prove_tests
from memory.project.shipped import baseline, library
from memory.project.tree import Project
from tests.memory.checkpointer.structuring.written import PATHS, RULE, SCHEMA, TEST

MUTE = "no test fails when the rule says nothing"
LOUD = "no test fails when the rule speaks where it should not"
NOTHING = "tests import no function of it that is declared to give list[Alert]"
HEAD = TEST.partition("def test_")[0]


def proved(test: str, rule: str = RULE) -> str:
    """What is said of a rule's tests."""
    files = dict(zip(PATHS, (SCHEMA, rule, test), strict=True))
    project = Project({**baseline().files, **files})
    return prove_tests(
        project, ["pet_alone"], Setting(library(), tables_for(project), date(2026, 3, 2))
    )


def test_tests_that_see_both_are_proved() -> None:
    assert proved(TEST) == "1 rule, broken twice"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("assert alone(time(12)) is not None", f"{MUTE}\n{PATHS[2]}: {LOUD}"),
        ("assert alone(time(12)) or True", f"{MUTE}\n{PATHS[2]}: {LOUD}"),
        ("assert len(alone(time(12))) == 1", LOUD),
        ("assert alone(time(10)) == []", MUTE),
    ],
)
def test_tests_that_assert_too_little_are_named(body: str, told: str) -> None:
    with pytest.raises(NotProved) as caught:
        proved(f"{HEAD}def test_it():\n    {body}\n")
    assert str(caught.value).startswith(f"{PATHS[2]}: {told}")


def test_a_function_that_is_not_declared_proves_nothing() -> None:
    undeclared = RULE.replace(
        'today: date) -> list[Alert]:\n    """The alerts for all',
        'today: date) -> list:\n    """The alerts for all',
    )
    with pytest.raises(NotProved, match="declared to give"):
        proved(TEST, undeclared)
