"""A job ends when somebody does not want it; what it was to do goes on waiting."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from memory.access import NotFound
from memory.actions.jobs import claim, fail, redeliver_lost
from memory.actions.progress import JobOver, NotCancellable, cancel_job
from memory.actions.to_read import enqueue_unread, read_now
from memory.models import AuditEvent, Fact, Job, MemoryUser, ModelCall
from memory.rights import Role
from memory.tasks import run_job
from tests.memory.checkpointer.reading.conftest import Post, answer, entry
from tests.memory.checkpointer.reading.jobs import GOOD, QUOTE, jobs, left, meanwhile
from tests.model_server import Script, answers, silence
from tests.queue import deliver_all
from tests.staff import new_staff
from tests.together import beside, paused_before, writes

PATIENCE = 60.0


@pytest.fixture
def waiting(server: Script, says: Post) -> Job:
    """A message, and the job that is to read it."""
    server.plays(answers(GOOD))
    says(QUOTE)
    return Job.objects.get()


def _cancel(job: Job, actor: Staff) -> Job:
    return cancel_job(job_id=job.pk, actor=actor, now=timezone.now())


def test_a_job_that_waits_is_cancelled_at_once(
    server: Script, waiting: Job, caregiver: Staff
) -> None:
    cancelled = _cancel(waiting, caregiver)
    assert (cancelled.status, cancelled.finished_at is not None) == ("cancelled", True)
    deliver_all()
    assert server.requests == []
    assert left() == [("waiting", "cancelled by caregiver")]
    event = AuditEvent.objects.get(action="job.cancel")
    assert (event.actor_id, event.object_id) == (str(caregiver.pk), str(waiting.pk))


def test_a_job_that_asks_hangs_up_and_stores_nothing(
    server: Script, waiting: Job, caregiver: Staff
) -> None:
    server.plays(meanwhile(lambda: _cancel(waiting, caregiver), silence))
    run_job(str(waiting.pk))
    assert jobs() == [("cancelled", "", 0, 1)]
    assert left() == [("waiting", "cancelled by caregiver")]
    assert [call.outcome for call in ModelCall.objects.all()] == ["cancelled"]
    assert not Fact.objects.exists()


def _is_told(times: int) -> Callable[[str], bool]:
    """Whether a job's row is written for the last of so many times: claimed, and at each stage."""
    of_a_job, written = writes("memory_job"), 0

    def last(sql: str) -> bool:
        nonlocal written
        written += of_a_job(sql)
        return written == times

    return last


def test_an_answer_that_comes_after_the_word_is_not_stored(waiting: Job, caregiver: Staff) -> None:
    with paused_before(_is_told(4), lambda: run_job(str(waiting.pk))) as running:
        assert _cancel(waiting, caregiver).status == "running"
        running.finish()
    assert [status for status, *_ in jobs()] == ["cancelled"]
    assert left() == [("waiting", "cancelled by caregiver")]
    assert not Fact.objects.exists()


def test_a_job_that_is_storing_comes_to_its_end(waiting: Job, caregiver: Staff) -> None:
    def too_late() -> bool:
        try:
            _cancel(waiting, caregiver)
        except JobOver:
            return True
        return False

    storing = writes("memory_toread")
    with (
        paused_before(storing, lambda: run_job(str(waiting.pk))) as running,
        beside(too_late) as word,
    ):
        running.finish()
        assert word.result(PATIENCE)
    assert left() == [("read", "")]


def test_what_arrived_meanwhile_is_cancelled_with_the_job(
    server: Script, says: Post, waiting: Job, caregiver: Staff
) -> None:
    def stop_it() -> None:
        says("I stopped it")
        _cancel(waiting, caregiver)

    server.plays(meanwhile(stop_it, silence))
    deliver_all()
    assert [status for status, *_ in jobs()] == ["cancelled", "cancelled"]
    assert left() == [("waiting", "cancelled by caregiver")] * 2


def test_a_lost_worker_does_not_keep_a_job_from_its_end(waiting: Job, caregiver: Staff) -> None:
    assert claim(job_id=waiting.pk, now=timezone.now() - timedelta(hours=1)) is not None
    assert _cancel(waiting, caregiver).status == "cancelled"


def test_a_job_whose_worker_dies_after_the_word_ends_when_it_comes_back(
    server: Script, waiting: Job, caregiver: Staff
) -> None:
    assert claim(job_id=waiting.pk, now=timezone.now()) is not None
    assert _cancel(waiting, caregiver).status == "running"
    later = timezone.now() - timedelta(hours=1)
    Job.objects.update(lease_until=later, delivered_at=later)
    redeliver_lost(now=timezone.now())
    deliver_all()
    assert [status for status, *_ in jobs()] == ["cancelled"]
    assert server.requests == []


def test_a_job_that_fails_after_the_word_is_not_tried_again(waiting: Job, caregiver: Staff) -> None:
    claimed = claim(job_id=waiting.pk, now=timezone.now())
    assert claimed is not None
    _cancel(waiting, caregiver)
    fail(job=claimed, error="RuntimeError", now=timezone.now())
    assert [status for status, *_ in jobs()] == ["cancelled"]


def test_it_is_read_when_something_new_arrives(
    server: Script, says: Post, waiting: Job, caregiver: Staff
) -> None:
    _cancel(waiting, caregiver)
    says("Good morning")
    server.plays(answers(answer(*GOOD["messages"], entry(2, nothing="a greeting"))))
    deliver_all()
    assert left() == [("read", ""), ("nothing", "a greeting")]


def test_it_is_read_when_somebody_asks(
    server: Script, waiting: Job, person: MemoryUser, caregiver: Staff
) -> None:
    _cancel(waiting, caregiver)
    assert read_now(user_id=person.pk, actor=caregiver, now=timezone.now())
    deliver_all()
    assert left() == [("read", "")]


def test_the_sweep_leaves_it_alone_for_a_while(waiting: Job, caregiver: Staff) -> None:
    _cancel(waiting, caregiver)
    assert enqueue_unread(now=timezone.now()) == 0
    assert enqueue_unread(now=timezone.now() + timedelta(hours=7)) == 1


def test_what_has_ended_cannot_be_cancelled(waiting: Job, caregiver: Staff) -> None:
    deliver_all()
    with pytest.raises(JobOver):
        _cancel(waiting, caregiver)
    assert left() == [("read", "")]


def test_the_rules_run_whatever_anybody_thinks(person: MemoryUser, caregiver: Staff) -> None:
    """Only what asks a model can be cancelled."""
    job = Job.objects.create(name="evaluate", user=person, queued_at=timezone.now())
    with pytest.raises(NotCancellable):
        _cancel(job, caregiver)


def test_only_who_may_cancels(waiting: Job, outsider: Staff) -> None:
    for nobody in (outsider, new_staff("elsewhere", Role.CAREGIVER, in_team=False)):
        with pytest.raises(NotFound):
            _cancel(waiting, nobody)
    assert Job.objects.get().status == "queued"
