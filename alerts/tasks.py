"""The queue's part in alerts: evaluations that a request had no time for, and the sweeps."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Protocol

from django.db import close_old_connections, transaction
from django.db.models import Q
from django.utils import timezone

from alerts.actions import reopen_expired
from alerts.delivery.tasks import drop_old, sweep_deliveries
from alerts.evaluation.ground import ground
from alerts.evaluation.run import evaluate, queue_limits
from alerts.models import Watermark
from memory.actions.foresight import foresee_anew
from memory.actions.jobs import effect, enqueue, redeliver_lost
from memory.code import adopted_baseline
from memory.models import Job, MemoryUser
from memory.tasks import handles

logger = logging.getLogger(__name__)

SWEEP_BATCH = 1_000


class Part(Protocol):
    """What a sweep sees to, as of `now`; what it returns is for others who call it."""

    __name__: str

    def __call__(self, *, now: datetime) -> object: ...


class SweepFailed(RuntimeError):
    """Parts of a sweep raised, by their names and by the names of what they raised."""


@handles("evaluate")
def run_evaluation(job: Job) -> None:
    """Evaluate the job's person with the queue's more generous limits."""
    assert job.user_id is not None
    evaluate(user_id=job.user_id, now=timezone.now(), limits=queue_limits())
    with effect(job=job, now=timezone.now()):
        pass


def sweep() -> None:
    """Every minute: queue what a crash left unevaluated, open again what was acknowledged or put
    aside until now, tell others of what waits, and deliver lost jobs again. Raises SweepFailed."""
    _each(sweep_behind, reopen_expired, sweep_deliveries, redeliver_lost)


def sweep_dates() -> None:
    """Every 15 minutes: queue the people for whom a new day has begun (zones have odd offsets), and
    forget deliveries of long ago. Raises SweepFailed."""
    _each(drop_old, sweep_new_days)


def _each(*parts: Part) -> None:
    """Run every part, also where one before it raised. Raises SweepFailed once all have run."""
    failed = []
    for part in parts:
        try:
            part(now=timezone.now())
        except Exception as error:
            logger.exception("%s failed; the other parts of the sweep go on", part.__name__)
            failed.append(f"{part.__name__} ({type(error).__name__})")
            close_old_connections()  # one that broke must not take the next part with it
    if failed:
        raise SweepFailed(", ".join(failed)) from None


def sweep_behind(*, now: datetime) -> int:
    """Queue everyone whose watermark lies behind their log, the code or the tables."""
    behind = Watermark.objects.behind(adopted=adopted_baseline().digest, ground=ground())
    never = MemoryUser.objects.filter(watermark=None).filter(
        Q(fact_seq__gt=0) | Q(reading_seq__gt=0)
    )
    users = [mark.user for mark in behind.select_related("user")[:SWEEP_BATCH]]
    return _queue([*users, *never[:SWEEP_BATCH]], now)


def sweep_new_days(*, now: datetime) -> int:
    """Queue everyone who was last evaluated on another date than it is for them now."""
    count = 0
    zones = MemoryUser.objects.order_by("timezone").values_list("timezone", flat=True).distinct()
    for zone in zones:
        today = MemoryUser(timezone=zone).local_date(now)
        marks = Watermark.objects.before(today, zone).select_related("user")
        count += _queue([mark.user for mark in marks], now)
    return count


def _queue(users: list[MemoryUser], now: datetime) -> int:
    for user in users:
        with transaction.atomic():
            enqueue(name="evaluate", user=user, now=now)
            foresee_anew(user=user, now=now)
    return len(users)
