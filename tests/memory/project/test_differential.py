"""The same code answers the same under CPython and in the sandbox, or is refused, or listed."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.project.bundle import without_project_imports
from memory.project.policy import Violation, check_query
from memory.project.shipped import baseline, library
from tests.memory.project import differential as both
from tests.memory.project.generated import TEMPLATES, expressions

# Made-up code is odd: it calls numbers and compares literals with `is`.
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
PAGE = Path(__file__).parents[3] / "docs" / "sandbox-differences.md"
IMPORTS = (
    "import collections, functools, itertools, json, math, re, unicodedata\n"
    "from dataclasses import dataclass, field\n"
)
FILES = ["arithmetic.txt", "collections.txt", "dates.txt", "decimals.txt", "state.txt", "text.txt"]


def listed(part: int) -> list[str]:
    """The lines of code on the page: of what is refused (0), and of what remains (1)."""
    text = PAGE.read_text(encoding="utf-8").split("## Remaining differences")[part]
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line]


KNOWN = frozenset(listed(1))


def refusals(body: str) -> tuple[Violation, ...]:
    """What the policy has against a body of `differential.script`."""
    top, _, inner = body.rpartition("\n===\n")
    code = f"{top}\ndef case():\n{textwrap.indent(inner, '    ')}\n" if "return" in inner else inner
    return check_query(f"{IMPORTS}{code}\n", both.project(), library())


def differences(sources: list[str], bodies: list[str]) -> list[str]:
    """What passes the policy, is not listed, and still differs: source and both answers."""
    passing = [
        (source, body)
        for source, body in zip(sources, bodies, strict=True)
        if not refusals(body) and source not in KNOWN
    ]
    wanted = both.cpython_outcomes([body for _, body in passing])
    found = both.sandbox_outcomes([body for _, body in passing])
    assert len(passing) > len(sources) / 2
    return [
        f"{source}\n    CPython {want}\n    sandbox {have}"
        for (source, _), want, have in zip(passing, wanted, found, strict=True)
        if want != have
    ]


@pytest.mark.parametrize("name", FILES)
def test_written_expressions_agree(name: str) -> None:
    sources = both.expressions(name)
    assert len(sources) > 100
    assert differences(sources, both.returning(sources)) == []


def test_written_programs_agree() -> None:
    sources = both.programs("programs.txt")
    assert len(sources) >= 60
    assert differences(sources, sources) == []


@settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(sources=st.lists(expressions(), min_size=60, max_size=120, unique=True))
def test_generated_expressions_agree(sources: list[str]) -> None:
    assert differences(sources, both.returning(sources)) == []


def test_the_generated_expressions_are_of_many_kinds() -> None:
    assert len(TEMPLATES) >= 80
    assert len(set(TEMPLATES)) == len(TEMPLATES)


@pytest.mark.parametrize("source", listed(0))
def test_what_the_page_calls_refused_is_refused(source: str) -> None:
    found = check_query(f"{IMPORTS}{source}\n", both.project(), library())
    assert found
    assert all(violation.line == 3 and "\n" not in violation.reason for violation in found)


def test_what_the_page_lists_passes_the_policy_and_differs() -> None:
    sources = listed(1)
    bodies = both.returning(sources)
    assert {source: refusals(body) for source, body in zip(sources, bodies, strict=True)} == (
        dict.fromkeys(sources, ())
    )
    pairs = zip(sources, both.cpython_outcomes(bodies), both.sandbox_outcomes(bodies), strict=True)
    assert [source for source, want, have in pairs if want == have] == []


def test_the_page_lists_nothing_twice() -> None:
    lines = listed(0) + listed(1)
    assert len(lines) == len(set(lines)) >= 60


def test_the_baselines_rules_agree_over_a_state() -> None:
    bodies = []
    for name, rule in sorted(baseline().rules.items()):
        source = without_project_imports(rule.source).replace("def check(", f"def check_{name}(")
        bodies.append(f"{source}\n===\nreturn check_{name}(today)")
    wanted = both.cpython_outcomes(bodies)
    assert [outcome[1] for outcome in wanted] == ["gave"] * len(bodies)
    assert both.sandbox_outcomes(bodies) == wanted
