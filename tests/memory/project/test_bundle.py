"""Imports between a project's files are dropped, and every line stays where it was."""

from __future__ import annotations

import ast

import pytest

from memory.project.bundle import without_project_imports
from memory.project.shipped import baseline, library

SOURCE = '''"""A rule."""

from datetime import date

from domains.health.schema import (
    Allergy,
    Medication,
)
from domains.health.state import allergies
from uac import Alert
from . import sibling

TEXT = "a\u2028b\x0cc\x85d"  # characters that end a line elsewhere


def check(today: date) -> list[Alert]:
    return 1 / 0
'''


def _lines(source: str, name: str) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]


def test_line_numbers_hold() -> None:
    bundled = without_project_imports(SOURCE)
    assert _lines(bundled, "check") == _lines(SOURCE, "check") == [16]


def test_the_projects_imports_are_gone_and_the_standard_librarys_stay() -> None:
    bundled = without_project_imports(SOURCE)
    imports = [node for node in ast.walk(ast.parse(bundled)) if isinstance(node, ast.ImportFrom)]
    assert [node.module for node in imports] == ["datetime"]


def test_text_is_left_as_it_is() -> None:
    names: dict[str, str] = {}
    exec(without_project_imports('from uac import x\nTEXT = "a\u2028b\x0cc\x85d"\n'), names)
    assert names["TEXT"] == "a\u2028b\x0cc\x85d"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_will_do(ending: str) -> None:
    source = "from uac import (\n    Alert,\n)\nx = 1\ny = 2\n".replace("\n", ending)
    names = [
        (node.lineno, ast.unparse(node)) for node in ast.parse(without_project_imports(source)).body
    ]
    assert names == [(4, "x = 1"), (5, "y = 2")]


@pytest.mark.parametrize("name", sorted(baseline().rules))
def test_every_function_of_a_baseline_rule_stays_on_its_line(name: str) -> None:
    source = baseline().rules[name].source
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef):
            assert function.lineno in _lines(without_project_imports(source), function.name)


def test_a_library_gives_what_a_rule_uses_and_what_that_builds_on() -> None:
    modules = [module.name for module in library().that_provide({"Alert"})]
    assert "alert" in modules
    assert "drugs" not in modules
    everything = [module.name for module in library().modules]
    assert [name for name in everything if name in modules] == modules
