"""Queries have workers of their own, and wait for one only so long."""

from __future__ import annotations

import os
import time
import uuid
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from memory.models import MemoryUser
from memory.querying import lanes
from memory.querying.ask import NotNow, ask
from memory.querying.lanes import LANES, lane_of
from memory.sandbox import Feed, Limits, Program, run
from memory.sandbox.pool import pool

HELLO = Program((Feed("hello", "1 + 1\n"),), now=datetime(2026, 1, 1, tzinfo=UTC))


def test_a_person_keeps_to_one_lane_and_people_spread_over_all() -> None:
    someone = uuid.uuid4()
    assert lane_of(someone) is lane_of(someone)
    assert len({lane_of(uuid.UUID(int=number)) for number in range(40)}) == LANES


def test_a_question_never_takes_a_worker_from_rules(person: MemoryUser) -> None:
    assert lane_of(person.pk) is not pool()
    with lane_of(person.pk).keeper(time.monotonic() + 10):
        assert run(HELLO).values == (2,)


def test_a_lane_that_stays_busy_is_told(person: MemoryUser) -> None:
    assert ask(person, "1 + 1", now=timezone.now()).value == 2
    with (
        lane_of(person.pk).keeper(time.monotonic() + 10),
        pytest.raises(NotNow, match="try again in a moment"),
    ):
        ask(person, "1 + 1", now=timezone.now(), limits=Limits(total_seconds=0.2))
    assert ask(person, "1 + 1", now=timezone.now()).value == 2


def test_a_forked_process_makes_lanes_of_its_own() -> None:
    ours = lane_of(uuid.UUID(int=0))
    run(HELLO, workers=ours)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            theirs = lane_of(uuid.UUID(int=0))
            told = run(HELLO, workers=theirs).values == (2,) and theirs is not ours
            lanes.close()
            os.write(writer, b"well" if told else b"ill")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 10) == b"well"
    assert run(HELLO, workers=ours).values == (2,)


def test_closed_lanes_are_made_again(person: MemoryUser) -> None:
    before = lane_of(person.pk)
    lanes.close()
    assert lane_of(person.pk) is not before
    assert ask(person, "today", now=timezone.now()).type == "date"
