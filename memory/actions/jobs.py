"""Queue work so that it takes effect once, however often it is delivered or its worker dies.

A job is queued in the transaction that needs it. A worker claims it by a conditional update and
holds a lease; what the job does for good, it does inside `effect`, whose transaction ends the job
under the same claim: a worker that lost its lease changes nothing.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django_q.tasks import async_task

from memory import correlation
from memory.models import Job, JobStatus, MemoryUser

MAX_ATTEMPTS = 5


class LeaseLost(Exception):
    """Another worker has this job; nothing of this run may stay."""


class JobCancelled(Exception):
    """Somebody asked for this job's end before it had its effect."""


def enqueue(*, name: str, user: MemoryUser | None, now: datetime, **arguments: object) -> None:
    """Queue a job in the transaction at hand; one that waits for the same person serves for both.

    The one that waits is locked, so that it starts only once this transaction can be seen.
    """
    waiting = Job.objects.filter(name=name, user=user, status=JobStatus.QUEUED)
    while user is None or waiting.select_for_update().first() is None:
        job = Job(
            name=name,
            user=user,
            arguments=arguments,
            queued_at=now,
            request_id=correlation.current(),
        )
        try:
            with transaction.atomic():
                job.save(force_insert=True)
                deliver(job, now=now)
        except IntegrityError:
            continue
        return


def deliver(job: Job, *, now: datetime) -> None:
    """Put the job's id on the queue, in the transaction at hand."""
    Job.objects.filter(pk=job.pk).update(delivered_at=now)
    async_task(
        "memory.tasks.run_job",
        str(job.pk),
        task_name=f"{job.name}-{job.pk}"[:100],
        timeout=seconds_for(job.name),
    )


def seconds_for(name: str) -> int:
    """How long a job of this name may run, and holds its lease."""
    seconds: int = settings.JOB_SECONDS.get(name, settings.Q_CLUSTER["timeout"])
    return seconds


def claim(*, job_id: uuid.UUID, now: datetime) -> Job | None:
    """Take a job that waits or whose lease ran out; None where it is done or in other hands."""
    token = uuid.uuid4()
    job = Job.objects.claimable(now).filter(pk=job_id).select_related("user").first()
    if job is None:
        return None
    lease = now + timedelta(seconds=seconds_for(job.name))
    won = Job.objects.filter(pk=job_id, status=job.status, token=job.token).update(
        status=JobStatus.RUNNING,
        token=token,
        lease_until=lease,
        started_at=now,
        attempts=job.attempts + 1,
    )
    job.token, job.attempts = token, job.attempts + 1
    return job if won else None


def running_before(*, job: Job, now: datetime) -> bool:
    """Whether another job of this name, for the same person, was begun earlier and still runs."""
    others = Job.objects.filter(name=job.name, user=job.user_id, status=JobStatus.RUNNING)
    mine = Job.objects.values_list("started_at", flat=True).get(pk=job.pk)
    earlier = Q(started_at__lt=mine) | Q(started_at=mine, pk__lt=job.pk)
    return others.filter(earlier, lease_until__gt=now).exclude(pk=job.pk).exists()


@contextmanager
def effect(*, job: Job, now: datetime) -> Iterator[None]:
    """The transaction in which a job has its effect and is done. Raises LeaseLost, JobCancelled."""
    with transaction.atomic():
        mine = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, token=job.token)
        if not mine.filter(cancel_at=None).update(
            status=JobStatus.DONE, finished_at=now, error="", stage=""
        ):
            raise JobCancelled(job.pk) if mine.exists() else LeaseLost(job.pk)
        yield


@contextmanager
def midway(*, job: Job) -> Iterator[None]:
    """A transaction in which a job has a part of its effect, and goes on.

    Such a part must do nothing more when it is done again. Raises LeaseLost, JobCancelled.
    """
    with transaction.atomic():
        mine = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, token=job.token)
        held = mine.select_for_update().first()
        if held is None:
            raise LeaseLost(job.pk)
        if held.cancel_at is not None:
            raise JobCancelled(job.pk)
        yield


def end_cancelled(*, job: Job, now: datetime) -> bool:
    """End a claimed job whose end was asked for, without effect; whether it was."""
    mine = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, token=job.token)
    ended = mine.filter(cancel_at__isnull=False).update(
        status=JobStatus.CANCELLED, finished_at=now, stage=""
    )
    return bool(ended)


def fail(*, job: Job, error: str, now: datetime) -> None:
    """Put a job that raised back in the queue, or end it visibly after the last attempt."""
    over = job.attempts >= MAX_ATTEMPTS
    with transaction.atomic():
        if end_cancelled(job=job, now=now):
            return
        mine = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, token=job.token)
        if over:
            mine.update(status=JobStatus.FAILED, finished_at=now, error=error[:2_000])
            return
        waiting = Job.objects.filter(
            name=job.name, user=job.user_id, user__isnull=False, status=JobStatus.QUEUED
        )
        if waiting.exists():
            mine.update(status=JobStatus.DONE, finished_at=now, error=error[:2_000])
        elif mine.update(status=JobStatus.QUEUED, error=error[:2_000]):
            deliver(job, now=now)


def redeliver_lost(*, now: datetime) -> int:
    """Deliver again what no worker holds: queued or lost for longer than the queue's own retry.

    A job whose worker was lost at the last attempt ends here, visibly.
    """
    age = now - timedelta(seconds=settings.Q_CLUSTER["retry"])
    Job.objects.claimable(now).filter(attempts__gte=MAX_ATTEMPTS).update(
        status=JobStatus.FAILED, finished_at=now, error="its worker was lost each time"
    )
    lost = list(Job.objects.claimable(now).filter(delivered_at__lt=age))
    for job in lost:
        with transaction.atomic():
            deliver(job, now=now)
    return len(lost)
