"""What may not stand in a project is named with its place and a remedy; the baseline passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.policy import Violation, check, check_query
from memory.project.shipped import baseline, library
from memory.project.tree import Project

CASES = Path(__file__).parent / "corpus" / "policy_cases.txt"
RULE = '''"""Warns of nothing."""

from datetime import date

from domains.health.schema import Medication
from domains.health.state import medications
from uac import Alert, long_date

WORST = "critical"


def names(taken: list[Medication]) -> list[str]:
    """What is taken."""
    return [m.name for m in taken]


def check(today: date) -> list[Alert]:
    """Nothing."""
    return [] if names(medications) else []
'''
TEST = """from datetime import date

from rules.extra import names


def test_nothing() -> None:
    assert names([]) == []
"""
SCHEMA = '''"""More."""

from dataclasses import dataclass

from uac import Ref, kind


@kind("books", key=("title",))
@dataclass
class Book:
    """One."""

    id: str
    title: str
'''


def violations(**changed: str) -> tuple[Violation, ...]:
    """What is wrong with the baseline's schemas and three more files, some of them changed."""
    extra = {"rule": RULE, "test": TEST, "schema": SCHEMA} | changed
    files = {
        **{path: text for path, text in baseline().files.items() if path.startswith("domains/")},
        "rules/extra.py": extra["rule"],
        "tests/test_extra.py": extra["test"],
        "domains/extra/schema.py": extra["schema"],
    }
    return check(files, library())


def cases(section: str) -> list[tuple[str, str]]:
    """Pairs of code and a part of the reason, from a section of the file of cases."""
    text = CASES.read_text(encoding="utf-8").split(f"##### {section}\n")[1].split("\n#####")[0]
    found = []
    for block in text.strip("\n").split("\n---\n"):
        code, _, reason = block.rpartition("\n=> ")
        assert code, block
        found.append((code, reason.strip()))
    return found


def test_the_baseline_passes() -> None:
    assert check(baseline().files, library()) == ()


def test_a_small_project_passes() -> None:
    assert violations() == ()


def assert_refused(found: tuple[Violation, ...], path: str, reason: str) -> None:
    mine = [one for one in found if one.path == path]
    assert [one for one in mine if reason in one.reason], found
    for one in mine:
        assert one.line >= 1
        assert one.column >= 1
        assert "\n" not in one.reason
        assert len(one.reason) < 400


@pytest.mark.parametrize(("code", "reason"), cases("rule"))
def test_a_rule_is_refused(code: str, reason: str) -> None:
    head, _, tail = RULE.partition("\ndef check(")
    assert_refused(
        violations(rule=f"{head}\n{code}\n\n\ndef check({tail}"), "rules/extra.py", reason
    )


@pytest.mark.parametrize(("code", "reason"), cases("whole rule"))
def test_a_whole_rule_is_refused(code: str, reason: str) -> None:
    assert_refused(violations(rule=f"{code}\n", test=""), "rules/extra.py", reason)


@pytest.mark.parametrize(("code", "reason"), cases("test"))
def test_a_test_is_refused(code: str, reason: str) -> None:
    assert_refused(violations(test=f"{code}\n"), "tests/test_extra.py", reason)


@pytest.mark.parametrize(("code", "reason"), cases("schema"))
def test_a_schema_is_refused(code: str, reason: str) -> None:
    assert_refused(violations(schema=f"{SCHEMA}\n\n{code}\n"), "domains/extra/schema.py", reason)


@pytest.mark.parametrize(
    "code", [code for code, _ in cases("allowed in a rule")], ids=lambda code: code[:40]
)
def test_a_rule_may_hold(code: str) -> None:
    head, _, tail = RULE.partition("\ndef check(")
    assert violations(rule=f"{head}\n{code}\n\n\ndef check({tail}") == ()


@pytest.mark.parametrize(
    "path", ["state.py", "domains/health/state.py", "manifest.py", "rules/Extra.py", "tests/a.py"]
)
def test_a_project_holds_no_other_files(path: str) -> None:
    found = check({**baseline().files, path: "x = 1\n"}, library())
    assert [one.path for one in found] == [path]


def test_the_place_is_exact() -> None:
    (found,) = violations(rule=RULE.replace("for m in taken]", "for m in eval('taken')]"))
    assert (found.path, found.line, found.column) == ("rules/extra.py", 14, 29)
    assert str(found).startswith("rules/extra.py:14:29: eval is not available")


def test_everything_is_reported_at_once_and_in_order() -> None:
    broken = RULE.replace("WORST", "list").replace("for m in taken", "for m in set(taken)")
    found = violations(rule=broken, schema=f"{SCHEMA}x = 5\n")
    assert len(found) >= 3
    assert list(found) == sorted(found)


@pytest.mark.parametrize(
    "source",
    ["[m.name for m in medications]", "count_by(trips, lambda t: t.status)", "x = 5\nx + 1",
     "import math\nmath.sqrt(2)", "(today - date(2026, 1, 1)).days",
     "Trip(id='a', destination='b')",
     "def f(n: int) -> int:\n    return n\nf(2)", "print(Decimal(1))"],
)  # fmt: skip
def test_a_query_needs_no_imports(source: str) -> None:
    assert check_query(source, baseline(), library()) == ()


@pytest.mark.parametrize(
    ("source", "reason"),
    [("open('x')", "there are no files"), ("books", "neither defined"), ("trips = []", "taken"),
     ("1 +", "not Python 3.11"), ("(" * 500, "not Python 3.11"), ("x = '\x00'", "cannot be seen"),
     (" + ".join("1" * 1000), "too deeply"), ("import os", "os is not available"),
     ("x" * 20_001, "longer than 20,000"),
     ("-" * 9_000 + "1", "too deeply"), ("not " * 4_000 + "1", "too deeply")],
)  # fmt: skip
def test_a_query_is_refused(source: str, reason: str) -> None:
    assert_refused(check_query(source, baseline(), library()), "query.py", reason)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_answered_and_nothing_runs(source: str) -> None:
    for one in check_query(source, baseline(), library()):
        assert isinstance(one, Violation)


FRAGMENTS = re.findall(r"\w+|[^\w\s]|\n\s*", RULE)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40))
def test_any_mix_of_words_is_answered(parts: list[str]) -> None:
    for one in violations(rule=" ".join(parts)):
        assert "\n" not in one.reason


def test_schemas_are_checked_against_each_other() -> None:
    files = {"domains/a/schema.py": SCHEMA, "domains/b/schema.py": SCHEMA}
    assert {one.path for one in check(files, library())} == {
        "domains/a/schema.py",
        "domains/b/schema.py",
    }
    assert Project(files).domains.keys() == {"a", "b"}
