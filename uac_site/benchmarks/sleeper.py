"""The job of the queue's benchmark: takes a while, then leaves one row."""

from __future__ import annotations

import os
import time

from django.utils import timezone

from memory.actions.jobs import effect
from memory.models import Job
from memory.tasks import handles
from uac_site.benchmarks.models import JobEffect, JobRun

NAME = "benchmark sleep"
SECONDS = 3.0


@handles(NAME)
def run_sleep(job: Job) -> None:
    """Sleep, then leave a row in the transaction that ends the job."""
    JobRun.objects.create(job=job.pk, process=os.getpid(), begun_at=timezone.now())
    time.sleep(SECONDS)
    with effect(job=job, now=timezone.now()):
        JobEffect.objects.create(job=job.pk, process=os.getpid())
