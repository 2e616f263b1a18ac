"""What the dashboard lists: alerts in lanes with the counts above them, and early words apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from alerts import access
from alerts.models import Alert, AlertEvent, AlertQuerySet, EventKind, Severity, Status
from memory.access import Somebody, memory_users
from memory.rights import Right

SHOWN = 100
# What a row does not show is not read
HEAVY = ("detail", "action", "basis", "unknown", "evidence")


@dataclass(frozen=True)
class Lane:
    """A heading, the newest of its alerts, and how many there are in all."""

    key: str
    title: str
    alerts: tuple[Alert, ...]
    total: int

    @property
    def hidden(self) -> int:
        """How many are not shown."""
        return self.total - len(self.alerts)


@dataclass(frozen=True)
class Board:
    """The lanes, the counts, and the last event that all of it takes in.

    `early` holds what no approved rule says; the counts know nothing of it.
    """

    lanes: tuple[Lane, ...]
    early: Lane
    counts: Mapping[str, int]
    people: int
    acknowledged_by: Mapping[int, str]
    last_event_id: int

    @property
    def first(self) -> Alert | None:
        """The alert to look at first, or else the early word."""
        return next((one for lane in (*self.lanes, self.early) for one in lane.alerts), None)

    @property
    def quiet(self) -> bool:
        """Whether no alert stands."""
        return not any(lane.total for lane in self.lanes)


LANES = (
    ("critical", "Critical", Q(status=Status.OPEN, severity=Severity.CRITICAL)),
    ("warning", "Warning", Q(status=Status.OPEN, severity=Severity.WARNING)),
    ("info", "Information", Q(status=Status.OPEN, severity=Severity.INFO)),
    ("acknowledged", "Acknowledged", Q(status=Status.ACKNOWLEDGED)),
)


def board_for(somebody: Somebody) -> Board:
    """The dashboard of somebody."""
    # Read first: an event that comes while the rest is read is then told again, never lost.
    last = access.last_event_id(somebody)
    alerts = access.alerts(somebody)
    counts = alerts.aggregate(**{key: Count("pk", filter=which) for key, _, which in LANES})
    lanes = tuple(
        Lane(key, title, tuple(_rows(alerts, which)) if counts[key] else (), counts[key])
        for key, title, which in LANES
    )
    return Board(
        lanes=lanes,
        early=_early(access.early_words(somebody)),
        counts=counts,
        people=memory_users(somebody, Right.ALERTS_READ).count(),
        acknowledged_by=_acknowledged_by(lanes[-1].alerts),
        last_event_id=last,
    )


def _early(words: AlertQuerySet) -> Lane:
    standing = words.standing()
    rows = standing.worst_first().select_related("user").defer(*HEAVY)[:SHOWN]
    return Lane("early", "Noticed early, not yet rules", tuple(rows), standing.count())


def _rows(alerts: QuerySet[Alert], which: Q) -> QuerySet[Alert]:
    rows = alerts.filter(which).select_related("user").defer(*HEAVY)
    return rows.order_by("-opened_at", "-pk")[:SHOWN]


def _acknowledged_by(alerts: tuple[Alert, ...]) -> dict[int, str]:
    if not alerts:
        return {}
    events = AlertEvent.objects.filter(
        alert__in=[alert.pk for alert in alerts], kind=EventKind.ACKNOWLEDGED
    )
    named = events.select_related("actor").order_by("pk")
    return {event.alert_id: actor_name(event) for event in named}


def actor_name(event: AlertEvent) -> str:
    """Who did it: the full name where there is one."""
    if event.actor is None:
        return "the rules"
    return event.actor.get_full_name() or event.actor.get_username()
