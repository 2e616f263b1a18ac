"""Which values are a chart, and where its marks stand."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.views.chart import HEIGHT, WIDTH, chart_of


@pytest.mark.parametrize(
    ("value", "sort"),
    [
        ({"Italy": 2, "Norway": 1}, "bars"),
        ([("b", 2), ("a", Decimal("1.5"))], "bars"),
        ([{"name": "a", "sum": 1.0}, {"name": "b", "sum": 2.0}], "bars"),
        ({"2026-01": 3, "2026-02": 5}, "columns"),
        ({"2026-W01": 3, "2026-W02": 5}, "columns"),
        ({2023: 3, 2024: 5}, "columns"),
        ([[date(2026, 1, 1), 3], [date(2026, 1, 2), 5]], "columns"),
        ({datetime(2026, 1, 1, 8): 1, datetime(2026, 1, 1, 9): 2}, "columns"),
        ([(day, day % 7) for day in range(40)], "line"),
        ({"2025": 5e-324, "2026": 0.0}, "columns"),
        ({datetime(2026, 1, 1): 1, datetime(2026, 1, 1, tzinfo=UTC): 2}, "bars"),
    ],
)
def test_labelled_numbers_are_a_chart(value: Any, sort: str) -> None:
    chart = chart_of(value)
    assert chart is not None
    assert chart.sort == sort


@pytest.mark.parametrize(
    "value",
    [
        3,
        [1, 2, 3],
        {},
        {"a": 1},
        {"a": "b", "c": "d"},
        {"a": True, "b": False},
        {"a": None, "b": 1},
        {"a": float("inf"), "b": 1},
        {"a": 1e300, "b": 1},
        {"a": 10**400, "b": 1},
        {"a": Decimal("sNaN"), "b": 1},
        {"a": Decimal("-Infinity"), "b": 1},
        [("a", 1), ("a", 2)],
        [("a", 1, 2), ("b", 1, 2)],
        {str(number): number for number in range(31)} | {"x": 1},
        {True: 1, False: 2},
    ],
)
def test_anything_else_is_none(value: Any) -> None:
    assert chart_of(value) is None


def test_a_series_stands_in_order_of_time_and_columns_from_zero() -> None:
    chart = chart_of({"2026-02": 10, "2026-01": -5, "2026-03": 0})
    assert chart is not None
    assert [one.label for one in chart.marks] == ["2026-01", "2026-02", "2026-03"]
    below, above, none = chart.marks
    assert below.y == chart.zero == above.y + above.height
    assert above.height == pytest.approx(2 * below.height, abs=0.2)
    assert none.height == 1.0
    assert [line.text for line in chart.grid] == ["-5", "0", "5", "10"]


def test_a_bar_is_as_long_as_its_number() -> None:
    chart = chart_of({"a" * 60: 10, "b": 5})
    assert chart is not None
    long, short = chart.marks
    assert long.width == pytest.approx(2 * short.width, abs=0.2)
    assert len(long.label) == 26
    assert "from aaaa" in chart.about


@given(
    st.dictionaries(
        st.text(max_size=30) | st.integers(-9_999, 9_999) | st.dates(),
        st.integers() | st.floats() | st.decimals(allow_nan=False),
        max_size=40,
    )
)
def test_every_mark_is_within_the_picture(value: dict[Any, Any]) -> None:
    chart = chart_of(value)
    if chart is None:
        return
    for one in chart.marks:
        assert 0 <= one.x <= WIDTH
        assert one.x + one.width <= WIDTH + 1
        assert 0 <= one.y <= max(chart.height, HEIGHT)
