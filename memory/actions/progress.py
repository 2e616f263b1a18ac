"""How far a job is, and its end when somebody does not want it any more.

A job that is cancelled has no effect: what it was to do goes on waiting, with the words of who did
not want it. The sweep leaves it alone for some hours; a post, or somebody who asks, starts anew.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from memory import access, audit
from memory.access import Somebody
from memory.models import App, AppKey, Job, JobStatus, MemoryUser, Need, ToRead
from memory.rights import Right

CANCELLABLE = ("read", "structure")
"""Jobs that ask a model. The rules run whatever anybody thinks of it."""
LOOK_SECONDS = 0.5


class NotCancellable(ValueError):
    """A job of this name is not ended by anybody."""


class JobOver(Exception):
    """It has ended already."""


def report(job: Job, *, stage: str, done: int, total: int) -> None:
    """Say what a claimed job is at; one statement, seen at once by whoever looks.

    To be called outside of the transaction of its effect. A job in other hands stays as it is.
    """
    mine = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, token=job.token)
    mine.update(stage=stage, done=done, total=total)


def cancelled(job: Job) -> bool:
    """Whether somebody asked for the job's end; one query."""
    return Job.objects.filter(pk=job.pk, cancel_at__isnull=False).exists()


@dataclass
class Course:
    """A job under way: tells its stages, and looks now and then whether it is still wanted."""

    job: Job
    done: int = 0
    total: int = 0
    clock: Callable[[], float] = time.monotonic
    _looked: float = field(default=float("-inf"), init=False)

    def at(self, stage: str) -> None:
        """Say what it is at."""
        report(self.job, stage=stage, done=self.done, total=self.total)

    def cancelled(self) -> bool:
        """Whether its end was asked for, as of half a second ago: may be asked at every byte."""
        now = self.clock()
        if now - self._looked < LOOK_SECONDS:
            return False
        self._looked = now
        return cancelled(self.job)


def begin_reading(job: Job) -> Course:
    """The course of a job that reads: `done` are those read by the jobs that it follows on.

    `total` is `done` and what waits as it begins: the number of messages and untyped facts since
    nothing waited any more, those included that came meanwhile.
    """
    waiting = ToRead.objects.waiting().filter(user=job.user_id).count()
    return Course(job, job.done, job.done + waiting)


def hand_on(course: Course, *, more: int, now: datetime) -> None:
    """Count what a job has done, for itself and those that follow; inside its effect."""
    job, done = course.job, course.done + more
    Job.objects.filter(pk=job.pk).update(done=done)
    following = Job.objects.claimable(now).filter(name=job.name, user=job.user_id)
    following.update(done=done, total=course.total)


@transaction.atomic
def cancel_job(*, job_id: uuid.UUID, actor: Somebody, now: datetime) -> Job:
    """End a job, with every other of its name for the same person; the job as it is then.

    One that no worker holds ends at once, one that runs at its next look. Raises access.NotFound,
    NotCancellable, and JobOver where it has ended.
    """
    job = access.job(actor, job_id, Right.JOBS_CANCEL)
    if job.name not in CANCELLABLE or job.user is None:
        raise NotCancellable(f"what is called {job.name} cannot be cancelled")
    same = Job.objects.under_way().filter(name=job.name, user=job.user_id)
    ended = {one.pk for one in same.order_by("-status") if _ended(one, now)}
    if job.pk not in ended:
        raise JobOver(job_id)
    _say_why(job.user, job.name, f"cancelled by {_name_of(actor)}")
    audit.record("job.cancel", actor=actor, now=now, person=job.user_id, of="job", object_id=job.pk)
    job.refresh_from_db()
    return job


def _ended(job: Job, now: datetime) -> bool:
    """End a job at once where nobody holds it, else ask for its end; False where it is over.

    The one that runs goes before the one that waits: an effect locks them in this order.
    """
    same = Job.objects.filter(pk=job.pk)
    ends = {"status": JobStatus.CANCELLED, "cancel_at": now, "finished_at": now, "stage": ""}
    return bool(
        same.claimable(now).update(**ends)
        or same.filter(status=JobStatus.RUNNING, cancel_at=None).update(cancel_at=now)
        or same.filter(status=JobStatus.RUNNING).exists()
    )


def _say_why(user: MemoryUser, name: str, words: str) -> None:
    waiting = {"read": ToRead.objects.waiting(), "structure": Need.objects.open()}[name]
    waiting.filter(user=user).update(reason=words)


def _name_of(actor: Somebody) -> str:
    app = actor.app if isinstance(actor, AppKey) else actor
    return f"the app {app}" if isinstance(app, App) else str(app)
