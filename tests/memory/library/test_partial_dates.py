"""Dates of which only a part is known: what is sure of them, what is possible, and their words."""

from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from uac import (
    DateSpan,
    PartialDate,
    date_words,
    earliest_day,
    latest_day,
    possibly_after,
    possibly_before,
    possibly_same_day,
    possibly_within,
    span_words,
    surely_after,
    surely_before,
    surely_within,
)

DAYS = st.dates()
PARTIAL = st.one_of(
    DAYS.map(lambda day: PartialDate(day.year)),
    DAYS.map(lambda day: PartialDate(day.year, day.month)),
    DAYS.map(lambda day: PartialDate(day.year, day.month, day.day)),
)
ANY = PARTIAL | DAYS


@pytest.mark.parametrize(
    ("when", "first", "last"),
    [
        (PartialDate(2026), date(2026, 1, 1), date(2026, 12, 31)),
        (PartialDate(2026, 4), date(2026, 4, 1), date(2026, 4, 30)),
        (PartialDate(2024, 2), date(2024, 2, 1), date(2024, 2, 29)),
        (PartialDate(2100, 2), date(2100, 2, 1), date(2100, 2, 28)),
        (PartialDate(2026, 3, 21), date(2026, 3, 21), date(2026, 3, 21)),
        (PartialDate(1), date(1, 1, 1), date(1, 12, 31)),
        (PartialDate(9999, 12), date(9999, 12, 1), date(9999, 12, 31)),
        (date(2026, 3, 21), date(2026, 3, 21), date(2026, 3, 21)),
    ],
)
def test_the_days_that_the_words_allow(when, first, last):
    assert (earliest_day(when), latest_day(when)) == (first, last)


@pytest.mark.parametrize(
    "parts", [(0,), (10000,), (2026, 0), (2026, 13), (2026, 2, 29), (2026, None, 5), (2026, 1, 0)]
)
def test_what_is_no_date_is_refused(parts):
    with pytest.raises(ValueError, match=r"."):
        PartialDate(*parts)


def test_a_partial_date_is_a_value():
    assert PartialDate(2026, 3) == PartialDate(2026, 3)
    assert PartialDate(2026, 3) != PartialDate(2026)
    assert len({PartialDate(2026), PartialDate(2026), PartialDate(2026, 1)}) == 2
    with pytest.raises(AttributeError):
        PartialDate(2026).year = 2027


@pytest.mark.parametrize(
    ("first", "second", "surely", "possibly"),
    [
        (PartialDate(2026, 3), date(2026, 4, 1), True, True),
        (PartialDate(2026, 3), date(2026, 3, 31), False, True),
        (PartialDate(2026, 3), date(2026, 3, 1), False, False),
        (PartialDate(2026), PartialDate(2026, 7), False, True),
        (PartialDate(2025), PartialDate(2026), True, True),
        (date(2026, 3, 1), date(2026, 3, 1), False, False),
    ],
)
def test_before_is_sure_possible_or_neither(first, second, surely, possibly):
    assert surely_before(first, second) is surely
    assert possibly_before(first, second) is possibly
    assert surely_after(second, first) is surely
    assert possibly_after(second, first) is possibly


@given(first=ANY, second=ANY, data=st.data())
def test_what_is_sure_holds_of_all_days_and_what_is_impossible_of_none(first, second, data):
    one = data.draw(st.dates(earliest_day(first), latest_day(first)))
    other = data.draw(st.dates(earliest_day(second), latest_day(second)))
    if surely_before(first, second):
        assert one < other
    if not possibly_before(first, second):
        assert one >= other
    if not possibly_same_day(first, second):
        assert one != other
    sure = [surely_before(first, second), surely_after(first, second)]
    assert sum([*sure, possibly_same_day(first, second)]) == 1


@given(first=PARTIAL, second=PARTIAL, day=ANY)
def test_a_span_holds_its_days(first, second, day):
    assume(not surely_after(first, second))
    span = DateSpan(first, second)
    if surely_within(day, span):
        assert possibly_within(day, span)
        assert not surely_before(day, first)
        assert not surely_after(day, second)
    soft = DateSpan(first, second, approximate=True)
    assert not surely_within(day, soft)
    assert possibly_within(day, soft)


def test_a_span_cannot_end_before_it_starts():
    for first, second in [((2026, 5), (2026, 3)), ((2027,), (2026,)), ((2026, 1, 2), (2026, 1, 1))]:
        with pytest.raises(ValueError, match="before it starts"):
            DateSpan(PartialDate(*first), PartialDate(*second))
    assert DateSpan(PartialDate(2026, 5), PartialDate(2026)).end == PartialDate(2026)


def test_an_open_span_is_never_sure():
    open_span = DateSpan(PartialDate(2026), None)
    assert not surely_within(date(2026, 5, 1), open_span)
    assert possibly_within(date(2030, 1, 1), open_span)
    assert not possibly_within(date(2025, 12, 31), open_span)


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (PartialDate(2026), "2026"),
        (PartialDate(2026, 3), "March 2026"),
        (PartialDate(2026, 3, 21), "Saturday, March 21, 2026"),
        (date(2026, 3, 21), "Saturday, March 21, 2026"),
    ],
)
def test_dates_in_words(when, words):
    assert date_words(when) == words


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (DateSpan(PartialDate(2026, 3), PartialDate(2026, 5)), "March 2026 to May 2026"),
        (
            DateSpan(PartialDate(2026, 3), PartialDate(2026, 5), approximate=True),
            "about March 2026 to May 2026",
        ),
        (DateSpan(PartialDate(2026), None), "since 2026"),
        (DateSpan(None, PartialDate(2026, 3), approximate=True), "until about March 2026"),
        (DateSpan(PartialDate(2026, 3), PartialDate(2026, 3)), "March 2026"),
        (DateSpan(None, None), "at an unknown time"),
    ],
)
def test_spans_in_words(span, words):
    assert span_words(span) == words
