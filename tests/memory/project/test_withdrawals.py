"""A reading that was wrong is taken back as if it had never been; all readings stay in the log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.project.fold import Folded, Op, Statement, fold, standing
from memory.project.payload import PayloadError, check_payload
from tests.memory.project.things import THING

START = datetime(2025, 1, 1, tzinfo=UTC)


def said(seq: int, day: int, op: Op, **data: Any) -> Statement:
    return Statement(seq, 100 + seq, START + timedelta(days=day), op, data)


FIRST, SECOND = said(1, 0, "assert", a=1), said(2, 5, "update", a=2)


def test_a_withdrawn_reading_counts_no_more() -> None:
    assert fold([FIRST, SECOND, said(3, 9, "withdraw", reading=2)]) == Folded({"a": 1}, (101,))


def test_a_record_that_rested_on_it_alone_is_gone() -> None:
    assert fold([FIRST, said(2, 9, "withdraw", reading=1)]) is None


def test_a_withdrawn_retraction_brings_the_record_back() -> None:
    steps = [FIRST, said(2, 5, "retract"), said(3, 9, "withdraw", reading=2)]
    assert fold(steps) == Folded({"a": 1}, (101,))


def test_a_withdrawn_withdrawal_restores() -> None:
    steps = [FIRST, SECOND, said(3, 9, "withdraw", reading=2), said(4, 9, "withdraw", reading=3)]
    assert fold(steps) == fold([FIRST, SECOND])


@pytest.mark.parametrize("day", [-9, 0, 5, 20])
def test_it_does_not_matter_when_the_withdrawal_is_said_to_be_true(day: int) -> None:
    assert fold([FIRST, SECOND, said(3, day, "withdraw", reading=2)]) == Folded({"a": 1}, (101,))


@pytest.mark.parametrize("reading", [3, 4, 99])
def test_only_an_earlier_reading_of_the_record_is_reached(reading: int) -> None:
    steps = [FIRST, SECOND, said(3, 9, "withdraw", reading=reading), said(4, 9, "update", a=3)]
    assert fold(steps) == Folded({"a": 3}, (101, 102, 104))


def test_withdrawing_twice_is_withdrawing_once() -> None:
    once = [FIRST, SECOND, said(3, 9, "withdraw", reading=2)]
    assert fold([*once, said(4, 9, "withdraw", reading=2)]) == fold(once)


OPS: list[Op] = ["assert", "update", "retract", "withdraw"]
STATEMENTS = st.lists(
    st.tuples(
        st.sampled_from(OPS),
        st.integers(0, 4),
        st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3),
        st.integers(1, 12),
    ),
    max_size=12,
).map(
    lambda rows: [
        said(seq, day, op, **({"reading": target} if op == "withdraw" else data))
        for seq, (op, day, data, target) in enumerate(rows, 1)
    ]
)


@given(statements=STATEMENTS, data=st.data())
def test_any_readings_fold_alike_whatever_their_order(
    statements: list[Statement], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(statements))
    assert fold(shuffled) == fold(statements) == fold(list(statements))


@given(statements=STATEMENTS)
def test_what_stands_folds_as_if_the_rest_had_never_been(statements: list[Statement]) -> None:
    left = standing(statements)
    assert all(one.op != "withdraw" for one in left)
    assert standing(left) == left
    assert fold(left) == fold(statements)


@given(statements=STATEMENTS, data=st.data())
def test_a_withdrawal_and_its_withdrawal_change_nothing(
    statements: list[Statement], data: st.DataObject
) -> None:
    last = len(statements)
    target = data.draw(st.integers(1, last + 1))
    more = [said(last + 1, 3, "withdraw", reading=target)]
    more.append(said(last + 2, 3, "withdraw", reading=last + 1))
    assert fold([*statements, *more]) == fold(statements)


def test_a_withdrawal_names_the_record_and_the_reading() -> None:
    payload = check_payload(THING, "withdraw", "x", {"reading": 7}, fallback_id="f1")
    assert (payload.record_id, payload.data, payload.refs) == ("x", {"reading": 7}, ())


@pytest.mark.parametrize(
    "data", [{}, {"reading": 0}, {"reading": "7"}, {"reading": True}, {"reading": 7, "text": "a"}]
)
def test_a_withdrawal_of_nothing_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(PayloadError, match="by its seq") as refused:
        check_payload(THING, "withdraw", "x", data, fallback_id="f1")
    assert refused.value.problems[0].path == ("data", "reading")


def test_a_withdrawal_without_an_id_is_refused() -> None:
    with pytest.raises(PayloadError, match="give its id"):
        check_payload(THING, "withdraw", None, {"reading": 7}, fallback_id="f1")
