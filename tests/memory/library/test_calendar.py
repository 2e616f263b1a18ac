"""Which days repeated engagements fall on, and which minutes are surely taken."""

from __future__ import annotations

from datetime import date, time, timedelta

import pytest
from domains.schedule.schema import Engagement, Place
from hypothesis import given
from hypothesis import strategies as st
from uac import (
    busy_minutes,
    clock_of_minute,
    day_of_minute,
    meetings_in,
    occurrences_between,
    occurs_on,
    on_one_chain,
    repeats_horizon,
    stands_in,
    stretches_ahead,
    wider_ids,
)

REPEATS = ("daily", "weekdays", "weekly", "fortnightly", "monthly", "quarterly", "yearly")
days = st.dates(date(1999, 1, 1), date(2041, 1, 1))


@given(
    on=days,
    repeats=st.sampled_from((None, *REPEATS)),
    first=days,
    length=st.integers(-2, 800),
    until=st.none() | days,
    left_out=st.lists(days, max_size=2),
)
def test_the_days_between_are_those_it_occurs_on(on, repeats, first, length, until, left_out):
    last = first + timedelta(days=length)
    every = [first + timedelta(days=i) for i in range(length + 1)]
    expected = [day for day in every if occurs_on(day, on, repeats, until, left_out)]
    assert occurrences_between(on, repeats, first, last, until, left_out) == expected


def test_the_end_of_the_month_stands_in_for_a_day_that_it_lacks():
    on = date(2027, 12, 31)
    found = occurrences_between(on, "monthly", date(2028, 1, 1), date(2028, 4, 30))
    assert [(day.month, day.day) for day in found] == [(1, 31), (2, 29), (3, 31), (4, 30)]
    assert [stands_in(day, on, "monthly") for day in found] == [False, True, False, True]
    leap = date(2024, 2, 29)
    found = occurrences_between(leap, "yearly", date(2027, 1, 1), date(2028, 12, 31))
    assert found == [date(2027, 2, 28), date(2028, 2, 29)]
    assert [stands_in(day, leap, "yearly") for day in found] == [True, False]
    assert not stands_in(date(2026, 3, 12), date(2026, 3, 5), "weekly")


@pytest.mark.parametrize("repeats", REPEATS)
def test_the_last_of_all_days_ends_nothing_badly(repeats):
    assert occurrences_between(date(9999, 12, 31), repeats, date.max, date.max) in (
        [date.max],
        [],
    )
    assert repeats_horizon(date(2026, 3, 31)) == date(2026, 5, 31)
    assert repeats_horizon(date(2026, 12, 1)) == date(2027, 2, 28)


def test_only_minutes_that_are_surely_taken():
    assert busy_minutes(None, None) is None
    assert busy_minutes(time(9), time(10, 30)) == (540, 630)
    assert busy_minutes(time(22), time(6)) == (1320, 1800)
    assert busy_minutes(time(22), time(0)) == (1320, 1440)
    assert busy_minutes(time(9), None) == busy_minutes(time(9), time(9)) == (540, 541)
    assert busy_minutes(None, time(9)) == (539, 540)
    assert busy_minutes(None, time(0)) == (1439, 1440)


def test_stretches_that_touch_do_not_meet():
    morning = Engagement(
        id="a", title="A", on=date(2026, 3, 5), starts_at=time(9), ends_at=time(10)
    )
    noon = Engagement(id="b", title="B", on=date(2026, 3, 5), starts_at=time(10), ends_at=time(12))
    late = Engagement(id="c", title="C", on=date(2026, 3, 5), starts_at=time(11, 59))
    ahead = stretches_ahead([late, noon, morning], date(2026, 3, 5))
    met = meetings_in([stretch for one in "abc" for stretch in ahead[one]])
    assert [(one.record.id, other.record.id) for one, other in met] == [("b", "c")]
    assert clock_of_minute(met[0][1].start) == "11:59 AM"
    assert day_of_minute(met[0][1].start) == date(2026, 3, 5)
    assert stretches_ahead([morning], date(2026, 3, 6)) == {"a": []}


def test_a_chain_of_places_ends_even_in_a_circle():
    places = {
        "room": Place(id="room", name="Room", part_of="house"),
        "house": Place(id="house", name="House", part_of="room"),
    }
    assert wider_ids("room", places) == ["room", "house"]
    assert wider_ids("gone", places) == ["gone"]
    assert wider_ids(None, places) == []
    assert on_one_chain("room", "house", places)
    assert not on_one_chain("room", None, places)
