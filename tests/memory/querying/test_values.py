"""The value of a query as JSON, and its type in words."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.project.shipped import baseline
from memory.querying.values import as_json, type_of
from memory.sandbox import Instance

KINDS = baseline().kinds_by_class
TRIP = Instance("Trip", {"id": "rome", "destination": "Rome", "departs_on": date(2026, 3, 1)})
ROME = {
    "kind": "travel.Trip",
    "id": "rome",
    "data": {"destination": "Rome", "departs_on": "2026-03-01"},
}
OTHER = Instance("Drug", {"name": "x", "id": "7"})


@pytest.mark.parametrize(
    ("value", "said", "type_"),
    [
        (None, None, "None"),
        (True, True, "bool"),
        (2**70, 2**70, "int"),
        (0.1, 0.1, "float"),
        (float("nan"), "NaN", "float"),
        (float("-inf"), "-Infinity", "float"),
        (Decimal("12.50"), "12.50", "Decimal"),
        (date(2026, 3, 1), "2026-03-01", "date"),
        (datetime(2026, 3, 1, 8, tzinfo=UTC), "2026-03-01T08:00:00+00:00", "datetime"),
        (time(8, 30), "08:30:00", "time"),
        (timedelta(days=3, hours=4), "P3DT4H", "timedelta"),
        (timedelta(seconds=-90.5), "-PT1M30.5S", "timedelta"),
        (timedelta(), "PT0S", "timedelta"),
        (b"\x00\xff", "00ff", "bytes"),
        ([], [], "list"),
        ((1, "a"), [1, "a"], "tuple[int, str]"),
        ([1, "a", 2], [1, "a", 2], "list[int | str]"),
        ({3, 1, 20}, [1, 3, 20], "set[int]"),
        (frozenset({"b", "a"}), ["a", "b"], "frozenset[str]"),
        ({Decimal("NaN"), Decimal("2"), Decimal("10")}, ["NaN", "2", "10"], "set[Decimal]"),
        ({"a": Decimal("1")}, {"a": "1"}, "dict[str, Decimal]"),
        ({2024: 1, 2025: 2}, {"2024": 1, "2025": 2}, "dict[int, int]"),
        ({date(2026, 3, 1): 1}, {"2026-03-01": 1}, "dict[date, int]"),
        ({("a", 1): 2}, {"a, 1": 2}, "dict[tuple[str, int], int]"),
        ({1: 2, "1": 3}, [[1, 2], ["1", 3]], "dict[int | str, int]"),
        ([[1], ["a"]], [[1], ["a"]], "list[list[int] | list[str]]"),
        (TRIP, ROME, "travel.Trip"),
        (OTHER, {"class": "Drug", "data": {"name": "x", "id": "7"}}, "Drug"),
        ([TRIP, None], [ROME, None], "list[travel.Trip | None]"),
    ],
)  # fmt: skip
def test_a_value_is_readable_and_its_type_is_told(value: Any, said: Any, type_: str) -> None:
    assert as_json(value, KINDS) == said
    assert type_of(value, KINDS) == type_


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.dates()
    | st.decimals(allow_nan=False)
)
HASHABLE = st.integers() | st.text() | st.dates() | st.tuples(st.integers(), st.text())
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=4)
        | st.builds(lambda part: Instance("Trip", {"id": "x", "note": part}), inner)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_any_value_becomes_plain_json_and_loses_no_part(value: Any) -> None:
    said = as_json(value, KINDS)
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert type_of(value, KINDS)
    if isinstance(value, list | dict | set):
        assert len(said) == len(value)
