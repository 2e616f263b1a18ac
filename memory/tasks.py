"""What the queue runs: one entry point, and the handlers of each job by name."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.utils import timezone

from memory.access import NotFound
from memory.actions import code_edits, rebuild
from memory.actions.apply_reading import ReadMoved, apply_reading, give_up_reading
from memory.actions.foresight import foresee, show_foreseen
from memory.actions.jobs import (
    JobCancelled,
    LeaseLost,
    claim,
    effect,
    end_cancelled,
    enqueue,
    fail,
    midway,
    running_before,
)
from memory.actions.needs import enqueue_open_needs
from memory.actions.progress import Course, begin_reading, hand_on
from memory.actions.propose import ParentMoved
from memory.actions.propose_edit import apply_tried, try_edits
from memory.actions.structure_needs import apply_written
from memory.actions.to_read import enqueue_unread
from memory.checkpointer.model.errors import Cancelled
from memory.checkpointer.reading.job import MARGIN_SECONDS, read_next
from memory.checkpointer.structure import prepare
from memory.checkpointer.structuring.job import structure_next
from memory.correlation import correlated
from memory.forgetting import forget_if_told
from memory.models import Job, MemoryUser

logger = logging.getLogger(__name__)

TRIALS = 3
Handler = Callable[[Job], None]
_handlers: dict[str, Handler] = {}


class JobFailed(RuntimeError):
    """A job raised, by the name of what: the queue stores and logs no more of it than that."""


class CodeKeepsMoving(Exception):
    """The person's code changed each time that a proposal for it was made."""


def handles(name: str) -> Callable[[Handler], Handler]:
    """Register the handler of a job's name; it must end inside `memory.actions.jobs.effect`."""

    def register(handler: Handler) -> Handler:
        _handlers[name] = handler
        return handler

    return register


def run_job(job_id: str) -> None:
    """Run one job, unless it is done or in other hands. Raises JobFailed where the job raises."""
    forget_if_told()
    job = claim(job_id=uuid.UUID(job_id), now=timezone.now())
    if job is not None:
        with correlated(job.request_id):
            _run_claimed(job)


def _run_claimed(job: Job) -> None:
    """Run it, and leave it done, queued again or failed. Raises JobFailed."""
    try:
        _run(job)
    except (Cancelled, JobCancelled):
        end_cancelled(job=job, now=timezone.now())
    except LeaseLost:
        logger.warning("job %s (%s) lost its lease", job.pk, job.name)
    except Exception as error:
        fail(job=job, error=type(error).__name__, now=timezone.now())
        logger.exception("job %s (%s) failed", job.pk, job.name)
        raise JobFailed(type(error).__name__) from None


def _run(job: Job) -> None:
    if job.cancel_at is not None:  # before its worker was lost
        raise JobCancelled(job.pk)
    if job.user is not None and job.user.erased_at is not None:
        with effect(job=job, now=timezone.now()):
            return
    _handlers[job.name](job)


@handles("structure")
def run_structure(job: Job) -> None:
    """Give what waits for the job's person a place, then have a model write what is needed beside.

    Of two jobs for one person the later leaves the model to the other, which queues the next when
    it ends. Code that changed meanwhile has it started over.
    """
    assert job.user_id is not None
    assert job.user is not None
    ends = time.monotonic() + settings.JOB_SECONDS["structure"] - MARGIN_SECONDS
    _structure_waiting(job, job.user_id)
    written = None
    if not running_before(job=job, now=timezone.now()):
        try:
            written = structure_next(job.user_id, ends=ends, course=Course(job))
        except (NotFound, MemoryUser.DoesNotExist):  # erased meanwhile, and the job with it
            return
    now = timezone.now()
    try:
        with effect(job=job, now=now):
            if written is not None:
                apply_written(user_id=job.user_id, written=written, now=now)
    except ParentMoved:
        with effect(job=job, now=now):
            enqueue(name="structure", user=job.user, now=now)


def _structure_waiting(job: Job, user_id: uuid.UUID) -> None:
    """Infer kinds for what waits, and propose them."""
    for _ in range(TRIALS):
        bring_about = prepare(user_id=user_id, now=timezone.now())
        with suppress(ParentMoved):
            with midway(job=job):
                bring_about()
            return
    raise CodeKeepsMoving(user_id)


MOVED = "what was read did not hold any more when it was to be stored"


@handles("read")
def run_read(job: Job) -> None:
    """Have a model read the next of what waits for the job's person.

    Of two jobs for one person the later leaves it to the other, which queues the next when it ends.
    """
    assert job.user_id is not None
    if running_before(job=job, now=timezone.now()):
        with effect(job=job, now=timezone.now()):
            return
    ends = time.monotonic() + settings.Q_CLUSTER["timeout"] - MARGIN_SECONDS
    course = begin_reading(job)
    for _ in range(TRIALS):
        try:
            read = read_next(job.user_id, ends=ends, course=course)
        except (NotFound, MemoryUser.DoesNotExist):  # erased meanwhile, and the job with it
            return
        now = timezone.now()
        with suppress(ReadMoved):
            with effect(job=job, now=now):
                if read is not None:
                    apply_reading(user_id=job.user_id, read=read, now=now)
                    hand_on(course, more=read.accounted, now=now)
            return
    with effect(job=job, now=now):
        if read is not None:
            give_up_reading(user_id=job.user_id, read=read, reason=MOVED, now=now)
            hand_on(course, more=len(read.items), now=now)


@handles("foresee")
def run_foresight(job: Job) -> None:
    """Run the rules of the open proposal of the job's person again, beside the approved ones.

    Of two jobs for one person the later leaves it to the other, which queues the next when it ends.
    """
    assert job.user_id is not None
    foreseen = None
    if not running_before(job=job, now=timezone.now()):
        foreseen = foresee(user_id=job.user_id, now=timezone.now())
    now = timezone.now()
    with effect(job=job, now=now):
        if foreseen is not None:
            show_foreseen(foreseen=foreseen, now=now)


@handles(rebuild.JOB)
def run_rebuild(job: Job) -> None:
    """Put the open proposal of the job's person on the code that is active now."""
    assert job.user_id is not None
    rebuilt = rebuild.rebuild(user_id=job.user_id, now=timezone.now())
    now = timezone.now()
    try:
        with effect(job=job, now=now):
            if rebuilt is not None:
                rebuild.store_rebuilt(rebuilt=rebuilt, now=now)
    except ParentMoved:
        with effect(job=job, now=now):
            enqueue(name=rebuild.JOB, user=job.user, now=now)


@handles(code_edits.JOB)
def run_edits(job: Job) -> None:
    """Check what staff wrote by hand for the job's person, and propose what passes."""
    assert job.user_id is not None
    tried = try_edits(user_id=job.user_id, now=timezone.now())
    now = timezone.now()
    with effect(job=job, now=now):
        for one in tried:
            apply_tried(tried=one, now=now)


def sweep_unread() -> None:
    """Every five minutes: queue people with something to read or to structure and no job for it."""
    enqueue_unread(now=timezone.now())
    enqueue_open_needs(now=timezone.now())
