"""How far a reading is can be seen while it runs, and what arrives meanwhile is read next."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memory.actions.jobs import claim
from memory.actions.progress import report
from memory.models import Job, MemoryUser
from memory.tasks import run_job
from tests.api_client import Api
from tests.facts import fact
from tests.memory.checkpointer.reading.conftest import Post, answer, entry
from tests.memory.checkpointer.reading.jobs import GOOD, QUOTE, jobs, left, meanwhile
from tests.model_server import Act, Script, answers, status
from tests.queue import deliver_all

BATCH = 12


def nothing_in(count: int) -> Act:
    """An answer that finds nothing in so many messages."""
    return answers(answer(*[entry(number, nothing="talk") for number in range(1, count + 1)]))


@pytest.fixture
def waiting(server: Script, says: Post) -> Job:
    """A message, and the job that is to read it."""
    server.plays(answers(GOOD))
    says(QUOTE)
    return Job.objects.get()


def test_the_count_goes_on_over_the_jobs_of_one_conversation(
    server: Script, says: Post, person: MemoryUser
) -> None:
    seen: list[tuple[str, str, int, int]] = []

    def look() -> None:
        seen.append(jobs()[-1])

    def look_and_say_more() -> None:
        look()
        says("And one more")

    server.plays(
        meanwhile(look, nothing_in(BATCH)),
        meanwhile(look_and_say_more, nothing_in(BATCH)),
        meanwhile(look, nothing_in(7)),
    )
    says(*[f"Talk number {number}" for number in range(30)])
    deliver_all()
    assert seen == [
        ("running", "asking the model", 0, 30),
        ("running", "asking the model", 12, 30),
        ("running", "asking the model", 24, 31),
    ]
    assert jobs() == [("done", "", 12, 30), ("done", "", 24, 30), ("done", "", 31, 31)]


def test_a_new_count_begins_once_nothing_waits(server: Script, says: Post) -> None:
    server.plays(nothing_in(2), nothing_in(1))
    says("One", "Two")
    deliver_all()
    says("Three")
    deliver_all()
    assert jobs() == [("done", "", 2, 2), ("done", "", 1, 1)]


def test_what_goes_on_waiting_does_not_count(server: Script, says: Post) -> None:
    server.plays(status(500))
    says("One", "Two")
    deliver_all()
    assert jobs() == [("done", "", 0, 2)]


def test_the_stages_are_told_in_turn(server: Script, waiting: Job) -> None:
    told: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if 'UPDATE "memory_job" SET "stage" = ' in sql:
            told.append(params[0])
        return execute(sql, params, many, context)

    server.plays(answers("garbage"), answers(GOOD))
    with connection.execute_wrapper(note):
        run_job(str(waiting.pk))
    asking, checking = "asking the model", "checking the answer"
    assert told == [asking, asking, checking, "storing"]


def test_a_job_in_other_hands_is_not_written_to(waiting: Job) -> None:
    first = claim(job_id=waiting.pk, now=timezone.now())
    second = claim(job_id=waiting.pk, now=timezone.now() + timedelta(hours=1))
    assert first is not None
    assert second is not None
    report(second, stage="storing", done=1, total=2)
    report(first, stage="asking the model", done=0, total=9)
    assert jobs() == [("running", "storing", 1, 2)]


def test_a_fact_and_a_message_that_arrive_meanwhile_are_read_next(
    api: Api, person: MemoryUser, server: Script, says: Post, waiting: Job
) -> None:
    assert waiting.status == "queued"

    def arrive() -> None:
        says("Good morning")
        api.append(person, fact("I like tea"))

    server.plays(
        meanwhile(arrive, answers(GOOD)),
        answers(answer(entry(1, nothing="a taste"))),
        answers(answer(entry(1, nothing="a greeting"))),
    )
    deliver_all()
    assert left() == [("nothing", "a taste"), ("read", ""), ("nothing", "a greeting")]
    asked = [request["messages"][0]["content"] for request in server.requests]
    for number, words in enumerate([QUOTE, "I like tea", "Good morning"]):
        assert [words in prompt for prompt in asked[: number + 1]] == [False] * number + [True]
    assert [status for status, *_ in jobs()] == ["done"] * 3
