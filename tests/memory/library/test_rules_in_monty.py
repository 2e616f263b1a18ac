"""The same library, rules and tests in the sandbox: joined into one namespace, without imports."""

import ast
import runpy
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from domains.health import schema as health
from domains.travel import schema as travel
from rules import drug_allergy, passport_trip, visa_trip

from memory.library import reference
from memory.project.bundle import without_project_imports
from memory.sandbox import Feed, Instance, Program, run

LIBRARY = Path(__file__).resolve().parents[3] / "memory" / "library"

TODAY = date(2025, 1, 10)
RULES = ("drug_allergy", "passport_trip", "visa_trip")
STATE = """
allergies = [
    Allergy(id="nsaids", substance="NSAIDs", severity="mild"),
    Allergy(id="penicillin", substance="penicillin", reaction="anaphylaxis"),
    Allergy(id="quuxamab", substance="Quuxamab"),
]
medications = [
    Medication(id="amoxicillin", name="Amoxicillin 500 mg"),
    Medication(id="cephalexin", name="cephalexin", status="considered"),
    Medication(id="excedrin", name="Excedrin"),
    Medication(id="zorblax", name="Zorblax", status="prescribed"),
]
trips = [
    Trip(id="paris", destination="Paris", country="France", status="done",
         departs_on=date(2024, 12, 1), returns_on=date(2024, 12, 9)),
    Trip(id="rome", destination="Rome", country="Italy", status="booked",
         departs_on=date(2025, 2, 28), returns_on=date(2025, 3, 31)),
    Trip(id="tokyo", destination="Tokyo", country="Japan", departs_on=date(2025, 2, 20)),
]
passports = [Passport(id="us", issuing_country="United States", expires_on=date(2025, 3, 5))]
visas = [
    Visa(id="japan", country="Japan", valid_from=date(2025, 3, 1), status="applied"),
    Visa(id="schengen", country="Schengen", entries="single", valid_from=date(2024, 11, 1),
         expires_on=date(2025, 3, 30)),
]
"""


def source(path):
    """A file's text as the sandbox gets it: imports of the project's own files left out."""
    return without_project_imports(path.read_text(encoding="utf-8"))


def uac_files():
    tree = ast.parse((LIBRARY / "uac" / "__init__.py").read_text(encoding="utf-8"))
    names = [node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.level]
    return [LIBRARY / "uac" / f"{name}.py" for name in names]


def library_feeds(rows):
    uac = "".join(source(path) for path in uac_files())
    domains = (LIBRARY / "baseline" / "domains").glob("*/schema.py")
    schemas = "".join(source(path) for path in sorted(domains))
    return (
        Feed("uac.py", uac, {"drug_rows": rows, "today": TODAY}),
        Feed("schemas.py", schemas),
    )


def program(rows, *feeds):
    stubs = "from typing import Any\ndrug_rows: list[dict[str, Any]] = []\n"
    now = datetime(2025, 1, 10, tzinfo=UTC)
    return Program(feeds=(*library_feeds(rows), *feeds), now=now, stubs=stubs)


def plain(alert):
    """An alert from either side as a dict, its evidence as ids."""
    fields = alert.attributes if isinstance(alert, Instance) else vars(alert)
    ids = [r.attributes["id"] if isinstance(r, Instance) else r.id for r in fields["evidence"]]
    return fields | {"evidence": ids}


def alerts_under_cpython(folder):
    state = folder / "state.py"
    state.write_text(STATE, encoding="utf-8")
    names = runpy.run_path(str(state), vars(health) | vars(travel))
    return {
        "drug_allergy": drug_allergy.find_conflicts(
            names["medications"], names["allergies"], TODAY
        ),
        "passport_trip": passport_trip.find_passport_problems(
            names["trips"], names["passports"], TODAY
        ),
        "visa_trip": visa_trip.find_visa_problems(names["trips"], names["visas"], TODAY),
    }


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_says_the_same_in_both_interpreters(rule, tmp_path):
    words = ["NSAIDs", "penicillin", "Quuxamab", "Amoxicillin 500 mg", "cephalexin", "Excedrin"]
    rows = reference.load().select(words)
    code = source(LIBRARY / "baseline" / "rules" / f"{rule}.py") + "check(today)\n"
    outcome = run(program(rows, Feed("state.py", STATE), Feed(f"{rule}.py", code)))
    expected = [plain(alert) for alert in alerts_under_cpython(tmp_path)[rule]]
    assert [plain(alert) for alert in outcome.values[-1]] == expected
    assert len(expected) >= 2


@pytest.mark.parametrize("rule", RULES)
def test_the_baselines_own_tests_pass_in_the_sandbox(rule):
    path = LIBRARY / "baseline" / "tests" / f"test_{rule}.py"
    tests = [
        node.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    code = source(path) + "".join(f"{name}()\n" for name in tests) + f"{len(tests)}\n"
    outcome = run(
        program(
            reference.load().select_all(),
            Feed(f"{rule}.py", "\n" + source(LIBRARY / "baseline" / "rules" / f"{rule}.py")),
            Feed(path.name, code),
        )
    )
    assert outcome.values[-1] == len(tests) >= 3


def test_the_library_and_the_rules_pass_the_sandboxes_type_check():
    empty = "allergies: list[Allergy] = []\nmedications: list[Medication] = []\n"
    empty += "trips: list[Trip] = []\npassports: list[Passport] = []\nvisas: list[Visa] = []\n"
    for rule in RULES:
        code = source(LIBRARY / "baseline" / "rules" / f"{rule}.py")
        run(program([], Feed("state.py", empty), Feed(f"{rule}.py", code)), type_check=True)


def test_words_for_dates_and_money_are_the_same_in_both_interpreters(tmp_path):
    code = """
from datetime import date, time
from decimal import Decimal
days = [date(2024, 2, 29), date(2025, 1, 21), date(2025, 8, 31), date(2026, 3, 1)]
amounts = ["2.675", "2.665", "0.125", "-0.001", "5000", "123456789012345678901234567890.5"]
result = [
    [long_date(day) for day in days],
    [gap(first, second) for first in days for second in days],
    [add_months(day, months) for day in days for months in [-7, 1, 6, 12]],
    [clock(time(hour, 5)) for hour in range(24)],
    [money(Decimal(amount), unit) for amount in amounts for unit in ["USD", "JPY", "CHF"]],
    [normalise(name) for name in ["Amoxicillin 500 mg", "TOPROL-XL 50", "\\u200bÉ®", "ß 5 ml"]],
]
"""
    script = tmp_path / "words.py"
    script.write_text("from uac import *\n" + code, encoding="utf-8")
    expected = runpy.run_path(str(script))["result"]
    assert run(program([], Feed("words.py", code + "result\n"))).values[-1] == expected


def test_names_at_the_top_of_the_library_are_unique():
    files = [*uac_files(), *sorted((LIBRARY / "baseline" / "domains").glob("*/schema.py"))]
    owners: dict[str, Path] = {}
    for path in files:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            defined = []
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined = [node.name]
            elif isinstance(node, ast.Assign):
                defined = [target.id for target in node.targets if isinstance(target, ast.Name)]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                defined = [node.target.id]
            for name in defined:
                assert owners.setdefault(name, path) is path, f"{name}: {owners[name]} and {path}"
                assert sum(n == name for n in defined) == 1
    assert len(owners) > 50
