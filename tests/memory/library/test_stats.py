"""Averages, groups and keys for time, beside what the standard library says where it can."""

import statistics
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uac import (
    count_by,
    each_day,
    each_month,
    group_by,
    mean,
    mean_by,
    median,
    modes,
    month_key,
    most_common,
    quantile,
    quarter_key,
    rounded,
    share_by,
    stdev,
    sum_by,
    variance,
    week_key,
    weekday_name,
    year_key,
    years_between,
)

DECIMALS = st.decimals(-(10**6), 10**6, places=2)
FLOATS = st.floats(-1e6, 1e6)


@given(st.lists(DECIMALS, min_size=2))
def test_decimals_stay_exact(values):
    assert mean(values) == statistics.mean(values)
    assert median(values) == statistics.median(values)
    assert isinstance(stdev(values), Decimal)
    assert float(stdev(values)) == pytest.approx(float(statistics.stdev(values)), abs=1e-9)


@given(st.lists(FLOATS, min_size=2))
def test_floats_agree_with_the_standard_library(values):
    assert mean(values) == pytest.approx(statistics.fmean(values), abs=1e-6)
    assert median(values) == statistics.median(values)
    assert stdev(values) == pytest.approx(statistics.stdev(values), rel=1e-6, abs=1e-6)


def test_of_nothing_there_is_no_average():
    for function in (mean, median, stdev):
        with pytest.raises(ValueError, match="no "):
            function([])
    with pytest.raises(ValueError, match="fewer than two"):
        stdev([1])


def test_any_iterable_will_do():
    assert mean(n for n in (1, 2, 6)) == 3
    assert median({1: "a", 5: "b"}) == 3
    assert most_common(letter for letter in "abab") == [("a", 2), ("b", 2)]


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_rounding_is_that_of_python(value, places):
    assert repr(rounded(value, places)) == repr(round(value, places))


@given(DECIMALS, st.integers(0, 6))
def test_rounding_keeps_decimals(value, places):
    assert rounded(value, places) == round(value, places)
    assert isinstance(rounded(value, places), Decimal)


def test_rounding_leaves_integers_alone():
    assert rounded(7, 2) == 7
    assert rounded(Decimal("2.5")) == Decimal("2")


WORDS = st.lists(st.text("abc", min_size=1, max_size=4))


@given(WORDS)
def test_groups_hold_everything_once_and_in_order(items):
    groups = group_by(items, lambda item: item[0])
    assert sorted(item for group in groups.values() for item in group) == sorted(items)
    assert list(groups) == list(dict.fromkeys(item[0] for item in items))
    assert count_by(items, lambda item: item[0]) == {key: len(of) for key, of in groups.items()}
    assert sum_by(items, lambda item: item[0], len) == {
        key: sum(map(len, of)) for key, of in groups.items()
    }


@given(WORDS, st.integers(0, 3))
def test_the_commonest_come_first(items, limit):
    counted = most_common(items)
    assert dict(counted) == {item: items.count(item) for item in items}
    assert [count for _, count in counted] == sorted((n for _, n in counted), reverse=True)
    assert most_common(items, limit) == counted[:limit]


def test_equal_keys_keep_their_first_look():
    assert str(most_common([Decimal("3.10"), Decimal("3.1")])[0][0]) == "3.10"


@given(st.dates())
def test_weeks_are_those_of_iso(day):
    year, week, _ = day.isocalendar()
    assert week_key(day) == f"{year:04d}-W{week:02d}"


@given(st.dates(), st.dates())
def test_keys_sort_in_order_of_time(first, second):
    earlier, later = min(first, second), max(first, second)
    for key in (week_key, month_key, quarter_key, year_key):
        assert key(earlier) <= key(later)


def test_keys_by_example():
    day = date(2026, 3, 16)
    assert (week_key(day), month_key(day)) == ("2026-W12", "2026-03")
    assert (quarter_key(day), year_key(day)) == ("2026-Q1", "2026")
    assert quarter_key(date(2026, 10, 1)) == "2026-Q4"
    assert week_key(datetime(2026, 3, 16, 23, 59)) == "2026-W12"


@given(st.lists(DECIMALS, min_size=2))
def test_the_variance_is_that_of_the_standard_library(values):
    assert float(variance(values)) == pytest.approx(float(statistics.variance(values)), abs=1e-6)


@given(st.lists(FLOATS, min_size=2, max_size=40))
def test_quantiles_are_those_of_the_standard_library(values):
    wanted = statistics.quantiles(values, n=10, method="inclusive")
    found = [quantile(values, step / 10) for step in range(1, 10)]
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-6)
    assert (quantile(values, 0), quantile(values, 1)) == (min(values), max(values))


def test_a_quantile_of_nothing_or_beyond_is_refused():
    with pytest.raises(ValueError, match="no quantile of nothing"):
        quantile([], 0.5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile([1], 50)
    assert quantile([Decimal("1.10"), Decimal("2.20")], 0.25) == Decimal("1.375")


@given(WORDS)
def test_modes_are_those_of_the_standard_library(items):
    assert modes(items) == statistics.multimode(items)


@given(st.lists(st.text("abc", min_size=1), min_size=1))
def test_shares_add_up_to_everything(items):
    shares = share_by(items, lambda item: item[0])
    assert sum(shares.values()) == pytest.approx(1)
    assert {key: round(share * len(items)) for key, share in shares.items()} == count_by(
        items, lambda item: item[0]
    )
    assert mean_by(items, lambda item: item[0], len) == {
        key: mean(map(len, of)) for key, of in group_by(items, lambda item: item[0]).items()
    }


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(-3, 800))
def test_no_day_and_no_month_is_left_out(first, days):
    last = first + timedelta(days=days)
    every = each_day(first, last)
    assert len(every) == max(days + 1, 0)
    assert not every or (every[0], every[-1]) == (first, last)
    if every:
        assert each_month(first, last) == list(dict.fromkeys(month_key(day) for day in every))


def test_an_age_counts_whole_years():
    born = date(2000, 2, 29)
    assert [years_between(born, day) for day in (date(2026, 2, 28), date(2026, 3, 1))] == [25, 26]
    assert weekday_name(date(2026, 11, 22)) == "Sunday"
