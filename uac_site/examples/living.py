"""Let a person live through their year as they would with the system: fact by fact, day by day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from alerts.evaluation.run import evaluate, queue_limits
from alerts.models import Alert, AlertEvent, EventKind, Severity
from memory.models import App, MemoryUser
from uac_site.examples.load import AFTERWARDS, append_batch, batches
from uac_site.examples.year import Moment

SWEEP = time(0, 5)  # a new day is found within a quarter of an hour
GRAVEST_FIRST = (Severity.CRITICAL, Severity.WARNING, Severity.INFO)


@dataclass(frozen=True)
class AlertLife:
    """An alert from its opening on; `cleared` is None where it stands at the end of the year."""

    person: str
    rule: str
    severity: str  # the gravest it ever had
    grade: str
    summary: str  # as it read at last
    opened: date
    cleared: date | None
    openings: int
    changes: int


def live(user: MemoryUser, app: App, moments: Sequence[Moment], *, until: date) -> None:
    """Post every fact when it was told and run the rules for it, and once at each day's begin."""
    day = user.local_date(user.created_at)
    for number, batch in enumerate(batches(moments)):
        at = batch[-1].at + AFTERWARDS
        day = _sweep_days(user, day, user.local_date(at))
        append_batch(user, app, batch, at, number)
        if any(moment.typed for moment in batch):
            evaluate(user_id=user.pk, now=at, limits=queue_limits())
    _sweep_days(user, day, until)


def _sweep_days(user: MemoryUser, day: date, until: date) -> date:
    """Evaluate at the begin of every day after `day` up to `until`, which is returned."""
    zone = ZoneInfo(user.timezone)
    while day < until:
        day += timedelta(days=1)
        began = datetime.combine(day, SWEEP, tzinfo=zone)
        evaluate(user_id=user.pk, now=began, limits=queue_limits())
    return max(day, until)


def alert_lives(user: MemoryUser) -> Iterator[AlertLife]:
    """Every alert that a person ever had, in order of their opening; one reopened is one life."""
    by_key: dict[str, list[Alert]] = {}
    for alert in Alert.objects.filter(user=user).order_by("opened_at", "pk"):
        by_key.setdefault(alert.dedupe_key, []).append(alert)
    for alerts in by_key.values():
        yield _life(user, alerts)


def _life(user: MemoryUser, alerts: Sequence[Alert]) -> AlertLife:
    events = list(AlertEvent.objects.filter(alert__in=alerts).order_by("pk"))
    ended = events[-1].kind == EventKind.CLEARED
    kinds = [event.kind for event in events]
    return AlertLife(
        person=user.external_id,
        rule=alerts[-1].rule,
        severity=min((event.severity for event in events), key=GRAVEST_FIRST.index),
        grade=alerts[-1].grade,
        summary=alerts[-1].summary,
        opened=user.local_date(alerts[0].opened_at),
        cleared=user.local_date(events[-1].at) if ended else None,
        openings=kinds.count(EventKind.OPENED),
        changes=kinds.count(EventKind.CHANGED),
    )
