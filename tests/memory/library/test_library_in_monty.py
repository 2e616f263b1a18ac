"""The library in the sandbox: the same words as under CPython, and names that do not collide."""

import ast
import runpy
from pathlib import Path

from memory.sandbox import Feed, run
from tests.memory.library.monty import LIBRARY, program, uac_files


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
