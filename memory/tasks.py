"""What the queue runs: one entry point, and the handlers of each job by name."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable

from django.utils import timezone

from memory.actions.jobs import LeaseLost, claim, fail
from memory.models import Job

logger = logging.getLogger(__name__)

Handler = Callable[[Job], None]
_handlers: dict[str, Handler] = {}


def handles(name: str) -> Callable[[Handler], Handler]:
    """Register the handler of a job's name; it must end inside `memory.actions.jobs.effect`."""

    def register(handler: Handler) -> Handler:
        _handlers[name] = handler
        return handler

    return register


def run_job(job_id: str) -> None:
    """Run one job, unless it is done or in other hands. Raises what the job raises."""
    job = claim(job_id=uuid.UUID(job_id), now=timezone.now())
    if job is None:
        return
    try:
        _handlers[job.name](job)
    except LeaseLost:
        logger.warning("job %s (%s) lost its lease", job.pk, job.name)
    except Exception as error:
        fail(job=job, error=type(error).__name__, now=timezone.now())
        raise
