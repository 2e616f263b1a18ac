"""The checks that every proposed project passes, or says what is wrong."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.checkpointer.checks import Check, Setting, run_checks, tables_for
from memory.checkpointer.refold import StoredRecord
from memory.project.shipped import library
from memory.project.tree import Project
from tests.memory.checkpointer.said import BASELINE, PAYLOAD, purchases, structured

NAMES = ("policy", "schemas", "types", "tests", "records")
PATH = "domains/shop/schema.py"
RULE = '''"""Warns of dear purchases."""

from datetime import date

from domains.shop.state import purchases
from uac import Alert


def check(today: date) -> list[Alert]:
    """Warns of dear purchases."""
    return [
        Alert(severity="info", summary="dear", evidence=[one])
        for one in purchases
        if one.{field} > 100
    ]
'''
TEST = """from datetime import date

from domains.shop.schema import Purchase
from rules.dear import check


def test_nothing_is_dear():
    assert check(date(2026, 1, 1)) == []


def test_the_price():
    assert Purchase(id="1", item="tea", price=2).price == {price}
"""
PROPOSED = structured(purchases({"id": 1, "item": "tea", "price": 2}))
SHIPPED = sum(
    text.count("\ndef test_") for path, text in BASELINE.files.items() if path.startswith("tests/")
)
RECORD = StoredRecord("shop.Purchase", "1", {"item": "tea", "price": 2})


def checked(files: dict[str, str], *records: StoredRecord) -> dict[str, Check]:
    project = Project({**PROPOSED.project.files, **files})
    setting = Setting(library(), tables_for(project), date(2026, 11, 21))
    return {check.name: check for check in run_checks(project, setting, records or (RECORD,))}


def failed(found: dict[str, Check]) -> str:
    """The one check that failed by itself; those after it were not run."""
    at = next(name for name in NAMES if not found[name].ok)
    rest = NAMES[NAMES.index(at) + 1 :]
    assert all(found[name].ok for name in NAMES[: NAMES.index(at)])
    assert all(found[name].detail == f"not run: {at} must pass first" for name in rest)
    return at


def test_a_proposal_from_facts_passes_all_of_them() -> None:
    found = checked({})
    assert tuple(found) == NAMES
    assert all(check.ok for check in found.values())
    assert found["tests"].detail == f"{SHIPPED} tests"
    assert found["records"].detail == "1 record"
    assert all(0 <= check.seconds < 30 for check in found.values())


def test_a_rule_with_its_tests_passes() -> None:
    found = checked(
        {"rules/dear.py": RULE.format(field="price"), "tests/test_dear.py": TEST.format(price=2)}
    )
    assert [check.detail for check in found.values() if not check.ok] == []
    assert found["tests"].detail == f"{SHIPPED + 2} tests"


def test_what_the_policy_refuses_is_told_with_its_line() -> None:
    found = checked({"rules/dear.py": "import os\n" + RULE.format(field="price")})
    assert failed(found) == "policy"
    assert "rules/dear.py:" in found["policy"].detail
    assert "module os is not available" in found["policy"].detail


def test_a_file_that_is_no_python_is_told() -> None:
    found = checked({PATH: "class"})
    assert failed(found) == "policy"
    assert "not Python 3.11" in found["policy"].detail


def test_a_wrong_type_is_found_without_running_anything() -> None:
    found = checked({"rules/dear.py": RULE.format(field="cost")})
    assert failed(found) == "types"
    assert "cost" in found["types"].detail
    assert "rules/dear.py" in found["types"].detail


def test_a_test_that_fails_is_shown() -> None:
    found = checked(
        {"rules/dear.py": RULE.format(field="price"), "tests/test_dear.py": TEST.format(price=3)}
    )
    assert failed(found) == "tests"
    assert "test_the_price" in found["tests"].detail


def test_a_test_that_never_ends_is_a_failed_check() -> None:
    endless = "def test_forever():\n    n = 0\n    while n >= 0:\n        n += 1\n    assert n\n"
    found = checked({"tests/test_forever.py": endless})
    assert failed(found) == "tests"


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (StoredRecord("shop.Gone", "x", {}), "shop.Gone x: its kind is gone"),
        (StoredRecord("shop.Purchase", "x", {"item": "a"}), "needs price"),
        (StoredRecord("shop.Purchase", "x", {"item": "a", "price": "2"}), "price"),
        (StoredRecord("shop.Purchase", "x", {"item": "a", "price": 2, "tip": 1}), "no field tip"),
    ],
)
def test_a_record_that_would_be_lost_is_told(record: StoredRecord, words: str) -> None:
    found = checked({}, RECORD, record)
    assert failed(found) == "records"
    assert words in found["records"].detail


def test_a_record_that_would_be_read_otherwise_is_told() -> None:
    narrow = PROPOSED.project.files[PATH].replace("item: str", "item: date")
    narrow = narrow.replace("from uac", "from datetime import date\n\nfrom uac")
    record = StoredRecord("shop.Purchase", "1", {"item": "tea", "price": 2})
    found = checked({PATH: narrow}, record)
    assert failed(found) == "records"
    assert "item" in found["records"].detail


def test_many_problems_are_cut_short() -> None:
    records = [StoredRecord("shop.Gone", str(number), {}) for number in range(40)]
    detail = checked({}, *records)["records"].detail
    assert len(detail.splitlines()) == 11
    assert detail.endswith("and 30 more")


def test_hostile_texts_in_records_load_as_they_are() -> None:
    texts = ['"""', "'''\\", "{x!r}\n", "\u202e", "🙂" * 500, "x" * 100_000]
    records = [
        StoredRecord("shop.Purchase", str(number), {"item": text, "price": number})
        for number, text in enumerate(texts)
    ]
    assert checked({}, *records)["records"].ok


def test_the_baseline_passes_by_itself() -> None:
    setting = Setting(library(), tables_for(BASELINE), date(2026, 11, 21))
    found = run_checks(BASELINE, setting, ())
    assert [check.detail for check in found if not check.ok] == []
    assert found[-1].detail == "no record yet"


@settings(max_examples=8, deadline=None)
@given(st.lists(PAYLOAD, min_size=1, max_size=6))
def test_whatever_is_inferred_passes(payloads: list[dict[str, Any]]) -> None:
    done = structured(purchases(*payloads))
    setting = Setting(library(), tables_for(BASELINE), date(2026, 11, 21))
    records = [StoredRecord(one.kind, one.record_id, one.data) for one in done.placed]
    found = run_checks(done.project, setting, records)
    assert [check.detail for check in found if not check.ok] == []
