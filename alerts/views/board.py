"""What the dashboard lists: alerts in lanes with the counts above them, and early words apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from alerts import access
from alerts.models import Alert, AlertEvent, AlertQuerySet, EventKind, Severity, Status
from alerts.views.sought import SHOWN, Sought
from memory.access import Somebody, memory_users
from memory.rights import Right

EVERYTHING = Sought()
# What a row does not show is not read
HEAVY = ("detail", "action", "basis", "unknown", "evidence")
OWNED = (EventKind.ACKNOWLEDGED.value, EventKind.SHELVED.value)  # events and states of one name


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
    owners: Mapping[int, str]
    last_event_id: int
    narrowed: bool = False

    @property
    def first(self) -> Alert | None:
        """The alert to look at first, or else the early word."""
        return next((one for lane in (*self.lanes, self.early) for one in lane.alerts), None)

    @property
    def quiet(self) -> bool:
        """Whether no alert stands, sought or not."""
        return not any(self.counts.values())

    @property
    def nothing_found(self) -> bool:
        """Whether alerts stand, but none that is sought."""
        return not self.quiet and not any(lane.total for lane in self.lanes)


LANES = (
    ("critical", "Critical", Q(status=Status.OPEN, severity=Severity.CRITICAL)),
    ("warning", "Warning", Q(status=Status.OPEN, severity=Severity.WARNING)),
    ("info", "Information", Q(status=Status.OPEN, severity=Severity.INFO)),
    ("acknowledged", "Acknowledged", Q(status=Status.ACKNOWLEDGED)),
    ("cleared", "Cleared, not acknowledged", Q(status=Status.CLEARED)),
    ("shelved", "Put aside", Q(status=Status.SHELVED)),
)
LISTED = (Status.OPEN, Status.ACKNOWLEDGED, Status.CLEARED, Status.SHELVED)


def board_for(somebody: Somebody, sought: Sought = EVERYTHING) -> Board:
    """The dashboard of somebody, narrowed to what they seek; the counts at the top know no filter.

    The lanes tell how many there are of what is sought.
    """
    # Read first: an event that comes while the rest is read is then told again, never lost.
    last = access.last_event_id(somebody)
    alerts = access.alerts(somebody).filter(status__in=LISTED)  # what is over only grows in number
    counts = alerts.aggregate(**{key: Count("pk", filter=which) for key, _, which in LANES})
    found, totals = alerts, counts
    if sought.narrows:
        found = sought.apply(alerts, somebody, timezone.now())
        totals = found.aggregate(**{key: Count("pk", filter=which) for key, _, which in LANES})
    lanes = tuple(
        Lane(key, title, tuple(_rows(found, which, sought)) if totals[key] else (), totals[key])
        for key, title, which in LANES
    )
    return Board(
        lanes=lanes,
        early=_early(access.early_words(somebody)),
        narrowed=sought.narrows,
        counts=counts,
        people=memory_users(somebody, Right.ALERTS_READ).count(),
        owners=owners_of([one for lane in lanes for one in lane.alerts]),
        last_event_id=last,
    )


def _early(words: AlertQuerySet) -> Lane:
    standing = words.standing()
    rows = standing.worst_first().select_related("user").defer(*HEAVY)[:SHOWN]
    return Lane("early", "Noticed early, not yet rules", tuple(rows), standing.count())


def _rows(alerts: QuerySet[Alert], which: Q, sought: Sought) -> QuerySet[Alert]:
    rows = alerts.filter(which).select_related("user").defer(*HEAVY)
    return rows.order_by(*sought.order)[: sought.shown]


def owners_of(alerts: Sequence[Alert]) -> dict[int, str]:
    """Who acknowledged or shelved each of these alerts: a member of staff, or an app."""
    owned = [alert.pk for alert in alerts if alert.status in OWNED]
    if not owned:
        return {}
    events = AlertEvent.objects.filter(alert__in=owned, kind__in=OWNED)
    named = events.select_related("actor", "app").order_by("pk")
    return {event.alert_id: actor_name(event) for event in named}


def actor_name(event: AlertEvent) -> str:
    """Who did it: the full name where there is one."""
    if event.actor is not None:
        return event.actor.get_full_name() or event.actor.get_username()
    if event.app is not None:
        return event.app.name
    return "the clock" if event.kind == EventKind.EXPIRED else "the rules"
