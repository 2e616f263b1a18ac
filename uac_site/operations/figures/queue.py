"""Background work: how much waits, for how long, what fails, and when a worker was last heard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet
from django_q.models import Task

from memory.models import Job, JobStatus

LATELY = timedelta(hours=24)


@dataclass(frozen=True)
class JobFigures:
    """The jobs of one kind: now, and those that ended in the last 24 hours."""

    name: str
    queued: int = 0
    running: int = 0
    retried: int = 0
    failed: int = 0
    done: int = 0
    oldest_seconds: float = 0.0

    @property
    def depth(self) -> int:
        """What is under way."""
        return self.queued + self.running


@dataclass(frozen=True)
class QueueFigures:
    """`worker_seconds` is how long ago a worker ended something; None where none ever did."""

    jobs: Sequence[JobFigures]
    worker_seconds: float | None

    @property
    def depth(self) -> int:
        """All that is under way."""
        return sum(one.depth for one in self.jobs)

    @property
    def failed(self) -> int:
        """All that failed in the last 24 hours."""
        return sum(one.failed for one in self.jobs)

    @property
    def retried(self) -> int:
        """All that is under way again after it failed or its worker was lost."""
        return sum(one.retried for one in self.jobs)

    @property
    def oldest_seconds(self) -> float:
        """How long the job waits that has waited longest."""
        return max((one.oldest_seconds for one in self.jobs), default=0.0)


def queue_figures(now: datetime) -> QueueFigures:
    """The queue at a moment; four queries."""
    under_way: QuerySet[Any, Any] = (
        Job.objects.under_way()
        .values("name")
        .annotate(
            queued=Count("pk", filter=Q(status=JobStatus.QUEUED)),
            running=Count("pk", filter=Q(status=JobStatus.RUNNING)),
            retried=Count("pk", filter=_again(now)),
            oldest=Min("queued_at", filter=Q(status=JobStatus.QUEUED)),
        )
    )
    ended: QuerySet[Any, Any] = (
        Job.objects.filter(finished_at__gte=now - LATELY)
        .values("name")
        .annotate(
            failed=Count("pk", filter=Q(status=JobStatus.FAILED)),
            done=Count("pk", filter=Q(status=JobStatus.DONE)),
        )
    )
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for row in (*under_way, *ended):
        found[row["name"]] |= row
    jobs = [_job_figures(row, now) for _, row in sorted(found.items())]
    heard = heard_at(now)
    return QueueFigures(jobs, None if heard is None else seconds_since(heard, now))


def _again(now: datetime) -> Q:
    """Jobs under way that failed before, or whose worker was lost, which leaves no error."""
    lost = Q(status=JobStatus.RUNNING, lease_until__lte=now)
    return Q(attempts__gte=2) | Q(attempts=1) & ~Q(error="") | lost


def _job_figures(row: dict[str, Any], now: datetime) -> JobFigures:
    oldest = row.pop("oldest", None)
    return JobFigures(**row, oldest_seconds=seconds_since(oldest, now))


def heard_at(now: datetime) -> datetime | None:
    """When a worker last ended a delivery (sweeps come each minute); now, where one holds a job."""
    if Job.objects.filter(status=JobStatus.RUNNING, lease_until__gt=now).exists():
        return now
    ended: datetime | None = Task.objects.aggregate(last=Max("stopped"))["last"]
    return ended


def seconds_since(moment: datetime | None, now: datetime) -> float:
    """How long ago, never less than nothing; 0 where there was nothing."""
    return 0.0 if moment is None else max(0.0, (now - moment).total_seconds())
