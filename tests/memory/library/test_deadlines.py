"""Days counted from another day, and how long before a day to speak of it."""

import runpy
from datetime import date, timedelta

import pytest
from uac import day_from, lead_days, lead_from, period_words

from memory.sandbox import Feed, run
from tests.memory.library.monty import program


@pytest.mark.parametrize(
    ("anchor", "months", "days", "expected"),
    [
        (date(2026, 2, 18), 0, 30, date(2026, 3, 20)),
        (date(2026, 8, 31), 0, -60, date(2026, 7, 2)),
        (date(2026, 1, 31), 1, 0, date(2026, 2, 28)),
        (date(2028, 1, 31), 1, 0, date(2028, 2, 29)),
        (date(2026, 3, 31), -1, 0, date(2026, 2, 28)),
        (date(2028, 2, 29), 12, 0, date(2029, 2, 28)),
        (date(2028, 2, 29), -12, 0, date(2027, 2, 28)),
        (date(2026, 1, 31), 1, 1, date(2026, 3, 1)),  # the months first, then the days
        (date(2026, 12, 31), 2, -1, date(2027, 2, 27)),
        (date(2026, 3, 1), 0, 0, date(2026, 3, 1)),
        (date(2026, 3, 1), 0, 10**12, date.max),
        (date(2026, 3, 1), -(10**12), 0, date.min),
        (date(2026, 3, 1), 10**12, -(10**12), date.min),
    ],
)
def test_a_day_counted_from_another(anchor, months, days, expected):
    assert day_from(anchor, months, days) == expected


@pytest.mark.parametrize(
    ("period", "lead"),
    [(-5, 3), (0, 3), (1, 3), (9, 3), (11, 3), (12, 4), (30, 10), (89, 29), (90, 30), (3650, 30)],
)
def test_the_lead_is_a_third_of_the_period_within_bounds(period, lead):
    due = date(2026, 3, 20)
    assert lead_days(due - timedelta(days=period), due) == lead
    assert lead_from(due - timedelta(days=period), due) == due - timedelta(days=lead)


def test_the_lead_of_an_unknown_period_is_the_longest():
    assert lead_days(None, date(2026, 3, 20)) == 30
    assert lead_from(None, date(2026, 3, 31)) == date(2026, 3, 1)
    assert lead_from(None, date.min) == date.min


@pytest.mark.parametrize(
    ("months", "days", "words"),
    [
        (0, 30, "30 days after delivery"),
        (0, -1, "1 day before delivery"),
        (1, 0, "1 month after delivery"),
        (-2, -5, "2 months and 5 days before delivery"),
        (1, -3, "1 month after delivery, less 3 days"),
        (-1, 3, "1 month before delivery, less 3 days"),
        (0, 0, "the day of delivery"),
        (0, 1000, "1,000 days after delivery"),
    ],
)
def test_a_period_in_words(months, days, words):
    assert period_words("delivery", months, days) == words


def test_both_interpreters_count_alike(tmp_path):
    code = """
from datetime import date
anchors = [date.min, date(2024, 2, 29), date(2026, 1, 31), date(2026, 3, 31), date.max]
offsets = [(0, 0), (1, 0), (-1, 1), (12, -1), (0, 90), (10**10, 10**10), (-(10**10), 0)]
result = [
    [day_from(day, months, days) for day in anchors for months, days in offsets],
    [lead_days(start, due) for start in [None, *anchors] for due in anchors],
    [lead_from(start, due) for start in [None, *anchors] for due in anchors],
    [period_words("delivery", months, days) for months, days in offsets],
]
"""
    script = tmp_path / "deadlines.py"
    script.write_text("from uac import *\n" + code, encoding="utf-8")
    expected = runpy.run_path(str(script))["result"]
    assert run(program([], Feed("words.py", code + "result\n"))).values[-1] == expected
