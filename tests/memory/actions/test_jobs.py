"""A job takes effect once, however often it is delivered, whoever dies on the way."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django_q.models import OrmQ

from memory.actions.jobs import (
    MAX_ATTEMPTS,
    LeaseLost,
    claim,
    effect,
    enqueue,
    fail,
    redeliver_lost,
)
from memory.models import Job, JobStatus, MemoryUser
from memory.tasks import handles, run_job
from tests.people import new_person
from tests.queue import deliver_all
from tests.together import beside, cut_off_before, paused_before, together, writes

LEASE = timedelta(seconds=settings.Q_CLUSTER["timeout"])
RETRY = timedelta(seconds=settings.Q_CLUSTER["retry"])
LONG = RETRY + LEASE + timedelta(seconds=1)


@pytest.fixture
def job(person: MemoryUser, now: datetime) -> Job:
    """A job that waits."""
    return _queued(person, now)


def _queued(person: MemoryUser | None, now: datetime, name: str = "test rename") -> Job:
    with transaction.atomic():
        enqueue(name=name, user=person, now=now)
    return Job.objects.filter(name=name, user=person).latest("queued_at")


def _claimed(job: Job, now: datetime) -> Job:
    found = claim(job_id=job.pk, now=now)
    assert found is not None
    return found


@handles("test rename")
def _rename(job: Job) -> None:
    """What the jobs of these tests do for good: one letter more each time."""
    assert job.user is not None
    assert job.started_at is not None or job.attempts
    with effect(job=job, now=job.queued_at):
        job.user.refresh_from_db()
        job.user.display_name += "!"
        job.user.save(update_fields=["display_name"])


@handles("test failing")
def _fail(job: Job) -> None:
    raise RuntimeError("words of a person")


def _status(job: Job) -> str:
    job.refresh_from_db()
    return job.status


def _name(person: MemoryUser) -> str:
    person.refresh_from_db()
    return person.display_name


def test_a_delivered_job_takes_effect(job: Job, person: MemoryUser) -> None:
    assert deliver_all() == 1
    assert _name(person) == "Ada!"
    assert _status(job) == JobStatus.DONE


def test_a_job_delivered_often_takes_effect_once(job: Job, person: MemoryUser) -> None:
    for _ in range(3):
        run_job(str(job.pk))
    assert _name(person) == "Ada!"


def test_a_job_delivered_to_several_workers_at_once_takes_effect_once(
    job: Job, person: MemoryUser
) -> None:
    together(*[partial(run_job, str(job.pk))] * 5)
    assert _name(person) == "Ada!"
    job.refresh_from_db()
    assert job.attempts == 1


def test_of_several_who_claim_at_once_one_wins(job: Job, now: datetime) -> None:
    found = together(*[partial(claim, job_id=job.pk, now=now)] * 5)
    assert len([one for one in found if one is not None]) == 1


def test_a_claim_holds_until_its_lease_ends(job: Job, now: datetime) -> None:
    _claimed(job, now)
    assert claim(job_id=job.pk, now=now + LEASE) is None
    assert claim(job_id=job.pk, now=now + LEASE + timedelta(seconds=1)) is not None


def test_who_lost_the_lease_changes_nothing(job: Job, person: MemoryUser, now: datetime) -> None:
    slow = _claimed(job, now)
    quick = _claimed(job, now + LONG)
    with pytest.raises(LeaseLost):
        _rename(slow)
    assert _name(person) == "Ada"
    _rename(quick)
    with pytest.raises(LeaseLost):
        _rename(slow)
    assert _name(person) == "Ada!"


def test_who_lost_the_lease_cannot_fail_the_job_either(job: Job, now: datetime) -> None:
    slow = _claimed(job, now)
    _claimed(job, now + LONG)
    fail(job=slow, error="late", now=now + LONG)
    assert _status(job) == JobStatus.RUNNING
    assert job.error == ""


def test_an_effect_and_the_end_of_its_job_are_one(
    job: Job, person: MemoryUser, now: datetime
) -> None:
    mine = _claimed(job, now)
    assert cut_off_before(writes("memory_memoryuser"), lambda: _rename(mine))
    assert _status(job) == JobStatus.RUNNING
    assert _name(person) == "Ada"
    _rename(_claimed(job, now + LONG))
    assert _name(person) == "Ada!"


def test_a_job_whose_worker_died_is_delivered_again(
    job: Job, person: MemoryUser, now: datetime
) -> None:
    OrmQ.objects.all().delete()
    _claimed(job, now)
    assert redeliver_lost(now=now + LEASE) == 0
    assert redeliver_lost(now=now + LONG) == 1
    assert redeliver_lost(now=now + LONG) == 0
    assert OrmQ.objects.count() == 1


def test_a_job_that_the_queue_lost_is_delivered_again(
    job: Job, person: MemoryUser, now: datetime
) -> None:
    OrmQ.objects.all().delete()
    assert redeliver_lost(now=now + LONG) == 1
    deliver_all()
    assert _name(person) == "Ada!"


def test_a_job_that_waits_in_the_queue_is_left_alone(job: Job, now: datetime) -> None:
    assert redeliver_lost(now=now + timedelta(seconds=1)) == 0
    assert OrmQ.objects.count() == 1


def test_a_job_that_is_done_is_not_delivered_again(job: Job, now: datetime) -> None:
    deliver_all()
    assert redeliver_lost(now=now + LONG) == 0


def test_a_job_whose_workers_keep_dying_ends_where_it_is_seen(job: Job, now: datetime) -> None:
    for attempt in range(MAX_ATTEMPTS):
        _claimed(job, now + attempt * LONG)
    redeliver_lost(now=now + MAX_ATTEMPTS * LONG)
    assert _status(job) == JobStatus.FAILED
    assert job.error
    assert claim(job_id=job.pk, now=now + 2 * MAX_ATTEMPTS * LONG) is None


def test_a_job_that_raises_is_tried_again_and_ends_visibly(
    person: MemoryUser, now: datetime
) -> None:
    job = _queued(person, now, "test failing")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        package = OrmQ.objects.get()
        package.delete()
        with pytest.raises(RuntimeError):
            run_job(str(job.pk))
        job.refresh_from_db()
        assert (job.attempts, job.error) == (attempt, "RuntimeError")
        assert job.status == (JobStatus.QUEUED if attempt < MAX_ATTEMPTS else JobStatus.FAILED)
    assert not OrmQ.objects.exists()
    assert claim(job_id=job.pk, now=now + LONG) is None


def test_what_a_failed_job_said_is_not_kept_for_it_may_be_personal(
    person: MemoryUser, now: datetime
) -> None:
    job = _queued(person, now, "test failing")
    with pytest.raises(RuntimeError):
        run_job(str(job.pk))
    job.refresh_from_db()
    assert "words" not in job.error


def test_a_job_that_failed_while_its_like_waits_leaves_the_work_to_it(
    job: Job, person: MemoryUser, now: datetime
) -> None:
    mine = _claimed(job, now)
    waiting = _queued(person, now + timedelta(seconds=1))
    assert waiting.pk != job.pk
    fail(job=mine, error="oops", now=now)
    assert _status(job) == JobStatus.DONE
    assert _status(waiting) == JobStatus.QUEUED


def test_one_that_waits_serves_for_all_who_ask(person: MemoryUser, now: datetime) -> None:
    for _ in range(3):
        _queued(person, now)
    assert Job.objects.count() == OrmQ.objects.count() == 1


def test_jobs_of_other_people_and_names_wait_beside_it(person: MemoryUser, now: datetime) -> None:
    _queued(person, now)
    _queued(new_person(), now)
    _queued(person, now, "test failing")
    assert Job.objects.count() == OrmQ.objects.count() == 3


def test_jobs_of_nobody_are_all_kept(person: MemoryUser, now: datetime) -> None:
    for _ in range(2):
        _queued(None, now)
    assert Job.objects.filter(user=None).count() == 2


def test_who_asks_while_one_runs_gets_another(job: Job, person: MemoryUser, now: datetime) -> None:
    _claimed(job, now)
    again = _queued(person, now + timedelta(seconds=1))
    assert again.pk != job.pk
    deliver_all()
    assert _name(person) == "Ada!"


def test_many_who_ask_at_once_get_one_job(person: MemoryUser, now: datetime) -> None:
    together(*[partial(_queued, person, now)] * 6)
    assert Job.objects.count() == OrmQ.objects.count() == 1


def test_a_job_is_queued_only_if_its_transaction_commits(person: MemoryUser, now: datetime) -> None:
    def wish() -> None:
        with transaction.atomic():
            enqueue(name="test rename", user=person, now=now)
            Job.objects.count()

    assert cut_off_before(lambda sql: "COUNT(*)" in sql, wish)
    assert not Job.objects.exists()
    assert not OrmQ.objects.exists()


def test_no_wish_is_lost_to_a_worker_that_starts_meanwhile(
    job: Job, person: MemoryUser, now: datetime
) -> None:
    """Whoever finds a job that waits must not lean on it if it starts before they commit."""

    def wish() -> Any:
        with transaction.atomic():
            person_row = MemoryUser.objects.select_for_update().get(pk=person.pk)
            person_row.display_name = "Eve"
            person_row.save(update_fields=["display_name"])
            enqueue(name="test rename", user=person_row, now=now)
            Job.objects.count()

    with (
        paused_before(lambda sql: "COUNT(*)" in sql and "memory_job" in sql, wish) as wisher,
        beside(lambda: run_job(str(job.pk))) as worker,
    ):
        assert connection.vendor == "sqlite" or not worker.done()
        wisher.finish()
    deliver_all()
    assert _name(person) == "Eve!"
