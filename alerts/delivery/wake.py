"""Have a worker look for what is to be told, soon after something happened."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from alerts.models import EscalationPolicy, Webhook
from memory.actions.jobs import enqueue
from memory.models import Job, JobStatus

logger = logging.getLogger(__name__)

JOB = "deliver"


def anybody_listens() -> bool:
    """Whether there is anybody to be told of anything."""
    return Webhook.objects.active().exists() or EscalationPolicy.objects.exists()


def wake(*, now: datetime) -> None:
    """Queue the job, unless one waits already: that one will see what is there now."""
    if not Job.objects.filter(name=JOB, status=JobStatus.QUEUED).exists():
        with transaction.atomic():
            enqueue(name=JOB, user=None, now=now)


def wake_for_events(**signal: Any) -> None:
    """After events were committed. A failure is not that of whoever made them: a sweep follows."""
    try:
        if anybody_listens():
            wake(now=timezone.now())
    except DatabaseError:
        logger.exception("deliveries wait for the next sweep")
