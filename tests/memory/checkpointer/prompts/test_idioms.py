"""The page of idioms is true: what it shows runs, what it calls refused is refused."""

from __future__ import annotations

import re
from datetime import date

import pytest

from memory.checkpointer.checks import Setting, run_checks
from memory.checkpointer.prompts import prompt
from memory.library.reference import load
from memory.project.policy import check
from memory.project.policy.available import MODULES
from memory.project.shipped import baseline, library
from memory.project.tree import Project

PAGE = prompt("idioms").template
FILES = dict(re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))
ROWS = re.findall(r"^\| `(.+)` \| `(.+)` \|$", PAGE, re.MULTILINE)
SETTING = Setting(library(), {"drug_rows": load().select_all()}, date(2026, 3, 10))
HEAD = """import math
import re
from datetime import date
from decimal import Decimal

from uac import rounded, week_key


def test_that_it_runs():
    days = [date(2026, 3, 1), date(2026, 3, 2)]
    names = ["Ada", "Bob"]
    amounts = [Decimal("1.5"), Decimal(2)]
    used = [days, names, amounts, math.pi, re.escape("a"), rounded(Decimal(1)), week_key(days[0])]
    assert used
    assert [Decimal(1)]
"""
PLACE = "tests/test_that_it_runs.py"


SCHEMAS = {path: text for path, text in baseline().files.items() if path.startswith("domains/")}


def _with(line: str) -> dict[str, str]:
    return {**SCHEMAS, PLACE: f"{HEAD}    {line}\n"}


def test_every_example_is_found() -> None:
    assert len(FILES) == PAGE.count("```python") == 3
    assert len(ROWS) == PAGE.count("\n| `")
    assert len(ROWS) > 15


def test_the_files_pass_every_check_of_a_proposal() -> None:
    found = run_checks(Project({**baseline().files, **FILES}), SETTING, ())
    assert {one.name: one.detail for one in found if not one.ok} == {}
    tests = next(one.detail for one in found if one.name == "tests")
    without = run_checks(baseline(), SETTING, ())
    before = next(one.detail for one in without if one.name == "tests")
    assert int(tests.split()[0]) == int(before.split()[0]) + 3


@pytest.mark.parametrize("refused", [refused for refused, _ in ROWS])
def test_what_it_calls_refused_is_refused(refused: str) -> None:
    assert check(_with(refused), library()) != ()


def test_what_it_says_to_write_passes_and_runs() -> None:
    for _, instead in ROWS:
        assert check(_with(f"assert [{instead}]"), library()) == (), instead
    together = "\n    ".join(f"assert [{instead}]" for _, instead in ROWS)
    found = run_checks(Project(_with(together)), SETTING, ())
    assert {one.name: one.detail for one in found if not one.ok} == {}


def test_the_names_it_lists_are_there() -> None:
    listed = {
        title: re.findall(r"\w+", names)
        for title, names in re.findall(
            r"^- ([^:`\n]*(?:`uac`[^:\n]*)?): `([^`]+)`", PAGE, re.MULTILINE
        )
    }
    assert {*listed.pop("Modules")} == {*MODULES}
    offered = [name for title, names in listed.items() if "uac" in title for name in names]
    assert len(offered) > 40
    assert set(offered) <= library().exports


def test_it_is_one_page() -> None:
    assert len(PAGE) < 9_000
    assert not prompt("idioms").places
