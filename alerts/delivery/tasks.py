"""The queue's part in telling others."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from alerts.delivery.fan_out import fan_out
from alerts.delivery.send import send_due
from alerts.delivery.wake import JOB, wake
from alerts.escalation.run import escalate
from alerts.escalation.unanswered import close_answered
from alerts.models import Delivery, DeliveryStatus
from memory.actions.jobs import effect
from memory.models import Job
from memory.tasks import handles

MARGIN_SECONDS = 15
KEPT = timedelta(days=90)
DROPPED_AT_ONCE = 1_000


@handles(JOB)
def run_delivery(job: Job) -> None:
    """See what is to be told, and send what is due.

    Each part is stored as it is done; done again, it does nothing more.
    """
    ends = time.monotonic() + settings.Q_CLUSTER["timeout"] - MARGIN_SECONDS
    tell(now=timezone.now())
    send_due(clock=timezone.now, ends=ends)
    with effect(job=job, now=timezone.now()):
        if Delivery.objects.due(timezone.now()).exists():
            wake(now=timezone.now())


def tell(*, now: datetime) -> None:
    """Close what was answered, take the steps that are due, make deliveries of new events."""
    close_answered(now=now)
    while escalate(now=now):
        pass
    while fan_out(now=now):
        pass


def sweep_deliveries(*, now: datetime) -> None:
    """Every minute: steps whose time has come, what a crash left, and what is due again."""
    tell(now=now)
    if Delivery.objects.due(now).exists():
        wake(now=now)


def drop_old(*, now: datetime) -> int:
    """Forget deliveries that ended long ago, some at a time."""
    ended = Delivery.objects.exclude(status=DeliveryStatus.WAITING).filter(ended_at__lt=now - KEPT)
    replayed = Delivery.objects.exclude(replay_of=None).values("replay_of")
    old = list(ended.exclude(pk__in=replayed).values_list("pk", flat=True)[:DROPPED_AT_ONCE])
    return Delivery.objects.filter(pk__in=old).delete()[0]
