"""The last 24 hours, hour by hour: jobs that ended, alerts that opened, calls of the model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncHour

from alerts.models import Alert
from memory.models import CallOutcome, Job, JobStatus, ModelCall

HOURS = 24
HOUR = timedelta(hours=1)
UNFINISHED = (CallOutcome.DONE, CallOutcome.RUNNING)


@dataclass(frozen=True)
class Hour:
    """How many there were of each sort in the hour that began then."""

    begins: datetime
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Of all sorts."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Day:
    """24 hours of something, the one under way last; `sorts` in the order they are drawn."""

    what: str
    sorts: Sequence[str]
    hours: Sequence[Hour]


def day_figures(now: datetime) -> list[Day]:
    """The three charts; a query each."""
    begins = _first(now)
    jobs = Job.objects.filter(finished_at__gte=begins)
    alerts = Alert.objects.filter(opened_at__gte=begins)
    calls = ModelCall.objects.filter(started_at__gte=begins)
    done, fine = Q(status=JobStatus.DONE), Q(outcome__in=UNFINISHED)
    severities = {name: Q(severity=name) for name in ("info", "warning", "critical")}
    return [
        _day("Jobs ended", jobs, "finished_at", {"done": done, "failed": ~done}, now),
        _day("Alerts opened", alerts, "opened_at", severities, now),
        _day("Calls of the model", calls, "started_at", {"answered": fine, "failed": ~fine}, now),
    ]


def _first(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(minute=0, second=0, microsecond=0) - (HOURS - 1) * HOUR


def _day(what: str, rows: QuerySet[Any], moment: str, sorts: Mapping[str, Q], now: datetime) -> Day:
    counted = (
        rows.order_by()
        .annotate(hour=TruncHour(moment, tzinfo=UTC))
        .values("hour")
        .annotate(**{f"n_{name}": Count("pk", filter=which) for name, which in sorts.items()})
    )
    found: dict[datetime, Mapping[str, int]] = defaultdict(lambda: dict.fromkeys(sorts, 0))
    for row in counted:
        found[row["hour"]] = {name: row[f"n_{name}"] for name in sorts}
    begins = [_first(now) + hour * HOUR for hour in range(HOURS)]
    return Day(what, tuple(sorts), [Hour(hour, found[hour]) for hour in begins])
