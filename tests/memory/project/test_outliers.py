"""Payloads that do not go with the others are told apart, the fewer the better."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.project.outliers import largest_good, odd_ones


@pytest.mark.parametrize(
    ("payloads", "odd"),
    [
        ([{"x": 1}, {"x": 2.5}, {"x": None}, {}], []),
        ([{"x": 1}, {"x": "a"}, {"x": "b"}], [0]),
        ([{"x": 1}, {"x": "a"}], [1]),
        ([{"x": [1]}, {"x": [2, "a"]}, {"x": [3]}], [1]),
        ([{"x": {"y": 1}}, {"x": {"y": "a"}}, {"x": {"y": 2}}], [1]),
        ([{"x": True}, {"x": 1}, {"x": 1}], [0]),
    ],
)
def test_another_type_than_most_is_odd(payloads, odd):
    assert list(odd_ones(payloads)) == odd


def test_what_was_there_before_counts_too():
    assert list(odd_ones([{"x": "a"}], beside=[{"x": 1}, {"x": 2}])) == [0]


def test_the_reason_names_the_place_and_the_remedy() -> None:
    payloads: list[dict[str, Any]] = [
        {"p": [{"a b": 1}]},
        {"p": [{"a b": 2}]},
        {"p": [{"a b": "x"}]},
    ]
    reason = odd_ones(payloads)[2]
    assert reason == 'p."[]"."a b" is text where 2 others have a number; send a number'


@given(st.sets(st.integers(0, 60)), st.integers(1, 61))
def test_what_is_bad_by_itself_is_left_out_and_nothing_else(bad, size):
    indexes = range(size)

    def good(some):
        return not bad & set(some)

    assert largest_good(indexes, good, trials=1_000) == [one for one in indexes if one not in bad]


@given(st.lists(st.booleans(), max_size=30))
def test_what_excludes_one_another_is_never_kept_together(kinds):
    def good(some):
        return len({kinds[index] for index in some}) < 2

    kept = largest_good(range(len(kinds)), good, trials=1_000)
    assert good(kept)
    assert bool(kept) == bool(kinds)


def test_trials_are_bounded():
    asked = []

    def good(some):
        asked.append(some)
        return False

    assert largest_good(range(10_000), good, trials=50) == []
    assert len(asked) <= 200
