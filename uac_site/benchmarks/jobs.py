"""Forty jobs on four workers, one of which is killed with `kill -9` in the middle of a job."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory.actions.jobs import enqueue
from memory.models import Job, JobStatus
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Bound, Result, none_of
from uac_site.benchmarks.models import JobEffect, JobRun
from uac_site.benchmarks.server import worker
from uac_site.benchmarks.sleeper import NAME, SECONDS

JOBS = 40
WORKERS = 4
TIMEOUT, RETRY = 8, 24
QUEUE = {
    "WORKER_PROCESSES": str(WORKERS),
    "JOB_TIMEOUT_SECONDS": str(TIMEOUT),
    "JOB_RETRY_SECONDS": str(RETRY),
}
FIRST = 8  # effects before the kill, so that the queue is in full swing
INTO = (0.5, 2.0)  # seconds into its job at which the worker is killed
PATIENCE = 240.0
LOOK = 0.05
QUIET = 10.0  # seconds after the last effect in which a second one might still come


Found = TypeVar("Found")


class Stuck(RuntimeError):
    """What was waited for did not come."""


def run(inside: Inside) -> Result:
    """Queue the jobs, kill one worker in the middle of its job, wait until all are done."""
    with transaction.atomic():
        for number in range(JOBS):
            enqueue(name=NAME, user=None, now=timezone.now(), number=number)
    began = time.monotonic()
    with worker(inside.folder, QUEUE):
        wait_for(lambda: JobEffect.objects.count() >= FIRST)
        killed = kill_one()
        wait_for(lambda: not Job.objects.exclude(status=JobStatus.DONE).exists())
        seconds = time.monotonic() - began
        time.sleep(QUIET)
    return report(inside, seconds, killed)


def wait_for(look: Callable[[], Found]) -> Found:
    """Look until there is something. Raises Stuck."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > end:
            raise Stuck(f"after {PATIENCE:.0f} s: {Counter(Job.objects.values_list('status'))}")
        time.sleep(LOOK)
    return found


def kill_one() -> UUID:
    """Kill a worker that is well inside a job; the job it had."""
    run = wait_for(inside_a_job)
    assert run is not None
    os.kill(run.process, signal.SIGKILL)
    return run.job


def inside_a_job() -> JobRun | None:
    """A run that is neither at its beginning nor near its end."""
    now = timezone.now()
    first, last = (timedelta(seconds=seconds) for seconds in INTO)
    some = JobRun.objects.filter(begun_at__range=(now - last, now - first))
    return some.exclude(job__in=JobEffect.objects.values("job")).order_by("-begun_at").first()


def report(inside: Inside, seconds: float, killed: UUID) -> Result:
    """How often each job was begun and took effect."""
    runs = Counter(JobRun.objects.values_list("job", flat=True))
    effects = Counter(JobEffect.objects.values_list("job", flat=True))
    ids = list(Job.objects.filter(name=NAME).values_list("pk", flat=True))
    inside.show(
        f"{JOBS} jobs of {SECONDS:.0f} s on {WORKERS} workers, one killed in the middle of a job",
        ("what", "count"),
        [
            ("jobs", len(ids)),
            ("jobs begun", sum(runs.values())),
            ("jobs begun again", sum(runs.values()) - len(runs)),
            ("times the killed worker's job was begun", runs[killed]),
            ("effects", sum(effects.values())),
            ("worker processes seen", JobRun.objects.values("process").distinct().count()),
            ("seconds until all were done", f"{seconds:.1f}"),
        ],
    )
    return Result(
        [
            Bound("jobs done", len(effects), JOBS, at_least=True),
            none_of("jobs without effect", sum(effects[job] == 0 for job in ids)),
            none_of("jobs with more than one effect", sum(effects[job] > 1 for job in ids)),
            Bound("runs of the killed worker's job", runs[killed], 2, at_least=True),
        ]
    )
