"""What the readings about one record amount to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.project.fold import Folded, Op, Statement, fold

START = datetime(2025, 1, 1, tzinfo=UTC)


def said(seq: int, day: int, op: Op, **data: Any) -> Statement:
    """A reading that came as number `seq` and was true from a day on, in fact 100 + seq."""
    return Statement(seq, 100 + seq, START + timedelta(days=day), op, data)


def test_nothing_said_is_no_record() -> None:
    assert fold([]) is None


def test_an_assertion_says_all_that_is_known() -> None:
    folded = fold([said(1, 0, "assert", a=1, b=2), said(2, 1, "assert", a=3)])
    assert folded == Folded({"a": 3}, (102,))


def test_an_assertion_of_the_same_rests_on_both_facts() -> None:
    folded = fold([said(1, 0, "assert", a=1), said(2, 1, "assert", a=1)])
    assert folded == Folded({"a": 1}, (101, 102))


def test_an_update_changes_what_it_names() -> None:
    folded = fold([said(1, 0, "assert", a=1, b=2), said(2, 1, "update", b=None)])
    assert folded == Folded({"a": 1, "b": None}, (101, 102))


def test_a_retraction_removes() -> None:
    assert fold([said(1, 0, "assert", a=1), said(2, 1, "retract")]) is None


def test_what_was_retracted_may_come_back_without_its_past() -> None:
    steps = [said(1, 0, "assert", a=1, b=1), said(2, 1, "retract"), said(3, 2, "assert", a=2)]
    assert fold(steps) == Folded({"a": 2}, (103,))


def test_an_update_of_what_does_not_stand_changes_nothing() -> None:
    assert fold([said(1, 0, "update", a=1)]) is None
    steps = [said(1, 0, "assert", a=1), said(2, 1, "retract"), said(3, 2, "update", a=2)]
    assert fold(steps) is None


@pytest.mark.parametrize("op", ["assert", "update", "retract"])
def test_a_late_fact_about_the_past_does_not_undo_a_newer_truth(op: Op) -> None:
    newer = said(1, 10, "assert", a=1)
    late = said(2, 5, op, a=0)
    folded = fold([newer, late])
    assert folded is not None
    assert folded.data == {"a": 1}


def test_a_late_retraction_of_the_past_leaves_what_was_said_since() -> None:
    steps = [said(1, 0, "assert", a=1), said(2, 10, "update", a=2), said(3, 5, "retract")]
    assert fold(steps) is None  # the update stands on nothing: the record had ended before it
    steps.append(said(4, 12, "assert", a=3))
    assert fold(steps) == Folded({"a": 3}, (104,))


def test_at_one_moment_the_later_word_counts() -> None:
    assert fold([said(1, 0, "assert", a=1), said(2, 0, "assert", a=2)]) == Folded({"a": 2}, (102,))


STATEMENTS = st.lists(
    st.builds(
        lambda op, day, data: (op, day, data),
        st.sampled_from(["assert", "update", "retract"]),
        st.integers(0, 4),
        st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3),
    ),
    max_size=10,
).map(lambda rows: [said(seq, day, op, **data) for seq, (op, day, data) in enumerate(rows, 1)])


@given(statements=STATEMENTS, data=st.data())
def test_the_order_in_which_rows_are_read_does_not_matter(
    statements: list[Statement], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(statements))
    assert fold(shuffled) == fold(statements)


@given(statements=STATEMENTS, data=st.data())
def test_the_order_of_arrival_does_not_matter_where_the_moments_differ(
    statements: list[Statement], data: st.DataObject
) -> None:
    apart = [
        Statement(one.seq, one.fact_seq, START + timedelta(days=one.seq), one.op, one.data)
        for one in statements
    ]
    seqs = data.draw(st.permutations([one.seq for one in apart]))
    arrived = [
        Statement(seq, one.fact_seq, one.effective_at, one.op, one.data)
        for seq, one in zip(seqs, apart, strict=True)
    ]
    assert fold(arrived) == fold(apart)


@given(statements=STATEMENTS)
def test_folding_changes_nothing_that_was_said(statements: list[Statement]) -> None:
    before = [(one, dict(one.data)) for one in statements]
    fold(statements)
    assert [(one, dict(one.data)) for one in statements] == before


@given(statements=STATEMENTS)
def test_a_record_rests_on_facts_that_spoke_of_it(statements: list[Statement]) -> None:
    folded = fold(statements)
    if folded is not None:
        spoke = {one.fact_seq for one in statements if one.op != "retract"}
        assert folded.facts
        assert set(folded.facts) <= spoke
        assert list(folded.facts) == sorted(set(folded.facts))
