"""Runs of ids, the gaps between them, and what of a gap is left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.project.seals import between, runs, without

IDS = st.sets(st.integers(1, 60))


def _flat(ranges: list[tuple[int, int]]) -> set[int]:
    return {one for first, last in ranges for one in range(first, last + 1)}


@given(IDS)
def test_runs_and_what_lies_between_are_all_ids_up_to_the_last(ids: set[int]) -> None:
    found = runs(sorted(ids))
    assert _flat(found) == ids
    missing = _flat(between(found, 0))
    assert missing == set(range(1, max(ids, default=0))) - ids


@given(IDS, IDS)
def test_a_gap_is_left_without_what_was_found_in_it(ids: set[int], seen: set[int]) -> None:
    gaps = between(runs(sorted(ids)), 0)
    found = sorted(_flat(gaps) & seen)
    assert _flat(without(gaps, runs(found))) == _flat(gaps) - set(found)
