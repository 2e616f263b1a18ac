"""What became of alerts in the last days, counted; each figure is one query over one span.

A query reads the events of one kind since one moment, by their index, and nothing before that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import TruncDate

from alerts.models import ORDINARY, RULED, AlertEvent, AlertEventQuerySet, EventKind, Severity

MOST_TIMED = 5_000  # acknowledgements, the newest
SEVERITIES = (Severity.INFO.value, Severity.WARNING.value, Severity.CRITICAL.value)
ASKS = (EventKind.OPENED, EventKind.RECURRED, EventKind.REOPENED, EventKind.EXPIRED)
"""Since the last of these an alert has waited for somebody."""
WAITS = (
    ("within a minute", timedelta(minutes=1)),
    ("within 5 minutes", timedelta(minutes=5)),
    ("within 15 minutes", timedelta(minutes=15)),
    ("within an hour", timedelta(hours=1)),
    ("within 4 hours", timedelta(hours=4)),
    ("within a day", timedelta(days=1)),
    ("later", timedelta.max),
)


@dataclass(frozen=True)
class DayCount:
    """The alerts that opened on a day, by severity."""

    day: date
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Of every severity."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class RuleRate:
    """How many of a rule's alerts somebody judged not to apply."""

    rule: str
    fired: int
    overridden: int

    @property
    def percent(self) -> int:
        """Of a hundred."""
        return round(100 * self.overridden / self.fired)


def opened_by_day(events: AlertEventQuerySet, *, days: int, now: datetime) -> list[DayCount]:
    """The last `days` days in UTC, today last; days without an alert among them."""
    today = now.astimezone(UTC).date()
    first = today - timedelta(days=days - 1)
    rows = (
        events.filter(kind=EventKind.OPENED, at__gte=_midnight(first), alert__origin__in=ORDINARY)
        .order_by()
        .annotate(day=TruncDate("at", tzinfo=UTC))
        .values_list("day", "severity")
        .annotate(Count("pk"))
    )
    found: dict[date, dict[str, int]] = defaultdict(lambda: dict.fromkeys(SEVERITIES, 0))
    for day, severity, count in rows:
        found[day][severity] = count
    span = [first + timedelta(days=number) for number in range(days)]
    return [DayCount(day, found[day]) for day in span]


def waits(events: AlertEventQuerySet, *, days: int, now: datetime) -> list[timedelta]:
    """How long each alert that was acknowledged had waited since it last asked for somebody; the
    newest acknowledgements, sorted by the wait."""
    asked = AlertEvent.objects.filter(
        alert=OuterRef("alert"), kind__in=ASKS, pk__lt=OuterRef("pk")
    ).order_by("-pk")
    rows = (
        events.filter(kind=EventKind.ACKNOWLEDGED, at__gte=_since(days, now))
        .order_by("-at")
        .annotate(asked=Subquery(asked.values("at")[:1]))
        .values_list("at", "asked")[:MOST_TIMED]
    )
    return sorted(max(at - asked, timedelta()) for at, asked in rows if asked is not None)


def by_wait(waited: Sequence[timedelta]) -> list[tuple[str, int]]:
    """How many were acknowledged within each time, and not within a shorter one."""
    counts = dict.fromkeys((words for words, _ in WAITS), 0)
    for one in waited:
        counts[next(words for words, most in WAITS if one <= most)] += 1
    return list(counts.items())


def override_rates(events: AlertEventQuerySet, *, days: int, now: datetime) -> list[RuleRate]:
    """Of what each rule opened, how much was overridden since; the rule that fired most first."""
    overridden = AlertEvent.objects.filter(alert=OuterRef("alert"), kind=EventKind.OVERRIDDEN)
    rows = (
        events.filter(kind=EventKind.OPENED, at__gte=_since(days, now), alert__origin__in=RULED)
        .order_by()
        .annotate(over=Exists(overridden))
        .values("alert__rule")
        .annotate(fired=Count("pk"), overridden=Count("pk", filter=Q(over=True)))
        .order_by("-fired", "alert__rule")
    )
    return [RuleRate(row["alert__rule"], row["fired"], row["overridden"]) for row in rows]


def _since(days: int, now: datetime) -> datetime:
    return _midnight(now.astimezone(UTC).date() - timedelta(days=days - 1))


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
