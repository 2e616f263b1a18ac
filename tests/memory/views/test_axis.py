"""Days on a line, with room for their names and between marks."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.views.axis import LABEL_ROOM, Axis, spread

FIRST = date(2026, 1, 31)
DAYS = st.dates(date(1900, 1, 1), date(2200, 1, 1))


def axis(days, right=1_000.0):
    return Axis(FIRST, FIRST + timedelta(days=days), 0.0, right)


def test_a_day_lies_between_the_ends():
    line = axis(10)
    assert [line.x(FIRST + timedelta(days=n)) for n in (0, 5, 10)] == [0, 500, 1_000]
    assert [line.x(FIRST + timedelta(days=n)) for n in (-1, 11)] == [0, 1_000]


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, ["31 Jan"]),
        (2, ["31 Jan", "1 Feb", "2 Feb"]),
        (90, ["31 Jan", "7 Feb", "14 Feb"]),
        (400, ["Feb 2026", "Mar", "Apr"]),
        (3_000, ["Jan 2027", "Jan 2028", "Jan 2029"]),
    ],
)
def test_days_months_or_years_are_named(days, words):
    assert [one.text for one in axis(days).labels()][:3] == words


@settings(derandomize=True, max_examples=300)
@given(DAYS, DAYS)
def test_names_have_room(one, other):
    line = Axis(min(one, other), max(one, other), 8.0, 900.0)
    labels = line.labels()
    assert 1 <= len(labels) < 900 / LABEL_ROOM + 1
    assert all(after.x - before.x >= LABEL_ROOM - 0.2 for before, after in pairwise(labels))


@settings(derandomize=True, max_examples=300)
@given(st.lists(st.floats(0, 1_000), max_size=30))
def test_marks_keep_their_order_and_their_distance(places):
    moved = spread(sorted(places), gap=30.0, right=1_000.0)
    assert all(after - before >= 29.8 for before, after in pairwise(moved))
    assert all(place <= 1_000 for place in moved)
