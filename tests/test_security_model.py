"""The security model names the tests that show it: each exists, and each attack has one."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "security-model.md").read_text()
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
ATTACKS = PAGE.partition("## Attacks")[2].partition("\n## ")[0]
ROWS = [
    line for line in ATTACKS.splitlines() if line.startswith("| ") and "| Shown by |" not in line
]


@cache
def names_in(path: str) -> frozenset[str]:
    """The names of a file's tests."""
    tree = ast.parse((TESTS / path).read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in tree.body if isinstance(node, functions))


@pytest.mark.parametrize("place", sorted(set(NAMED.findall(PAGE))), ids="::".join)
def test_a_test_that_is_named_exists(place: tuple[str, str]) -> None:
    path, name = place
    assert (TESTS / path).is_file()
    assert name in names_in(path)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:60])
def test_an_attack_has_what_stops_it_and_a_test(row: str) -> None:
    _, attack, stops, shown, _ = row.split("|")
    assert attack.strip()
    assert stops.strip()
    named = ", ".join("`{}::{}`".format(*one) for one in NAMED.findall(shown))
    assert shown.strip() == named != ""


def test_the_page_has_rows() -> None:
    assert len(ROWS) > 50
