"""Every shipped rule in the sandbox: as under CPython, its own tests, its types."""

import ast
import importlib
import runpy
from functools import cache
from pathlib import Path

import pytest

from memory.library import reference
from memory.project.shipped import baseline
from memory.sandbox import Feed, run
from tests.memory.library.monty import (
    LIBRARY,
    TODAY,
    plain,
    program,
    rule_source,
    source,
    texts_in,
)

STATES = Path(__file__).with_name("states")
RULES = {
    "cancelled_charge": "money",
    "closed_account": "money",
    "contract_renewal": "money",
    "payment_instructions": "money",
    "spending_limit": "money",
    "dose_limit": "health",
    "drug_allergy": "health",
    "drug_interaction": "health",
    "drug_pregnancy": "health",
    "drug_unknown": "health",
    "duplicate_therapy": "health",
    "commitment_due": "papers",
    "commitment_undated": "papers",
    "document_expiry": "papers",
    "trip_documents": "papers",
    "passport_trip": "travel",
    "visa_trip": "travel",
    "away_that_day": "schedule",
    "disliked": "schedule",
    "engagement_conflict": "schedule",
    "place_unavailable": "schedule",
    "prohibited": "schedule",
    "prohibited_drug": "schedule",
}
COLLECTIONS = {
    kind.collection: kind.name for kind in baseline().kinds.values() if not kind.singleton
}
EMPTY = "".join(f"{name}: list[{kind}] = []\n" for name, kind in COLLECTIONS.items())


def state_of(rule):
    """Made-up records of many sorts, as source; the collections that it leaves out are empty."""
    return EMPTY + (STATES / f"{RULES[rule]}.txt").read_text(encoding="utf-8")


@cache
def records_of(subject):
    """The collections of a state under CPython."""
    names: dict[str, object] = {}
    for domain in baseline().schemas:
        names |= vars(importlib.import_module(f"domains.{domain}.schema"))
    names |= vars(importlib.import_module("uac"))
    found = runpy.run_path(str(STATES / f"{subject}.txt"), names | {"date": type(TODAY)})
    return {name: found.get(name, []) for name in COLLECTIONS}


def test_every_shipped_rule_is_here():
    assert set(RULES) == set(baseline().rules)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_says_the_same_in_both_interpreters(rule, monkeypatch):
    module = importlib.import_module(f"rules.{rule}")
    for collection in baseline().rules[rule].reads or ():
        monkeypatch.setattr(module, collection, records_of(RULES[rule])[collection])
    expected = [plain(alert) for alert in module.check(TODAY)]
    state = state_of(rule)
    feeds = (Feed("state.py", state), Feed(f"{rule}.py", f"{rule_source(rule)}check(today)\n"))
    outcome = run(program(reference.load().select(texts_in(state)), *feeds))
    assert [plain(alert) for alert in outcome.values[-1]] == expected
    assert len(expected) >= 2


@pytest.mark.parametrize("rule", sorted(RULES))
def test_the_rules_own_tests_pass_in_the_sandbox(rule):
    path = LIBRARY / "baseline" / "tests" / f"test_{rule}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    tests = [name for name in functions if name.startswith("test_")]
    code = source(path) + "".join(f"{name}()\n" for name in tests) + f"{len(tests)}\n"
    feeds = (
        Feed("state.py", EMPTY),
        Feed(f"{rule}.py", f"\n{rule_source(rule)}"),
        Feed(path.name, code),
    )
    outcome = run(program(reference.load().select(texts_in(code)), *feeds))
    assert outcome.values[-1] == len(tests) >= 3


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_passes_the_sandboxes_type_check(rule):
    feeds = (Feed("state.py", EMPTY), Feed(f"{rule}.py", rule_source(rule)))
    run(program([], *feeds), type_check=True)
