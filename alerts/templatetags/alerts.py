"""What the memory's templates show of alerts; the memory's code knows nothing of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any

from django import template
from django.db.models import Count, Q

from alerts import access
from alerts.due import time_left
from alerts.models import STANDING, Alert, Severity, Status, Watermark
from alerts.views.year import Dot, Thread, dots_of, thread_of
from memory.models import MemoryUser
from memory.templatetags.rights import reader
from memory.views.year import Year

register = template.Library()

SIGNS = {"critical": "▲", "warning": "!", "info": "i"}
RANK = {name: rank for rank, name in enumerate(Severity.values)}
MOST_STANDING, MOST_PAST = 100, 50
STATUS_WORDS = {
    "open": "open",
    "acknowledged": "acknowledged",
    "shelved": "put aside",
    "overridden": "overridden",
    "cleared": "cleared, not acknowledged",
    "resolved": "over",
    "superseded": "superseded",
}
EARLY_STATUS_WORDS = {
    "open": "open",
    "acknowledged": "a rule was asked for",
    "overridden": "dismissed",
    "resolved": "closed",
}


@register.simple_tag
def left(due: str | None, today: date | str) -> str:
    """How much time a day leaves to act on what a proposal keeps of an alert: the day as text.

    Nothing on a page that tells of the past and has no today.
    """
    if not isinstance(today, date):
        return ""
    return time_left(date.fromisoformat(due) if due else None, today)


@register.simple_tag
def left_to_act(alert: Alert, now: datetime) -> str:
    """How much time the person's date leaves, while the alert stands."""
    if alert.status not in STANDING:
        return ""
    return time_left(alert.due, alert.user.local_date(now))


@register.filter
def sign(severity: str) -> str:
    """The sign that stands beside a severity's word."""
    return SIGNS.get(severity, "")


@register.filter
def waited(span: timedelta) -> str:
    """How long something took, in the largest unit that fits: `40 s`, `12 min`, `3 h`, `5 d`."""
    seconds = int(span.total_seconds())
    for unit, size, end in (("s", 1, 60), ("min", 60, 3_600), ("h", 3_600, 172_800)):
        if seconds < end:
            return f"{seconds // size} {unit}"
    return f"{seconds // 86_400} d"


@register.filter
def rule_words(rule: str) -> str:
    """`drug_allergy` as `drug allergy`."""
    return rule.replace("_", " ")


@register.filter
def status_word(status: str) -> str:
    """What a status is called on a page."""
    return STATUS_WORDS[status]


@register.filter
def early_status(status: str) -> str:
    """What a status of an early word is called on a page."""
    return EARLY_STATUS_WORDS[status]


@register.filter
def get(mapping: dict[Any, Any], key: Any) -> Any:
    """The value of a key that is itself a variable."""
    return mapping.get(key)


@register.simple_tag(takes_context=True)
def open_critical(context: dict[str, Any]) -> int:
    """How many critical alerts are open, of those that the member of staff may see."""
    alerts = access.alerts(reader(context))
    return alerts.filter(status=Status.OPEN, severity=Severity.CRITICAL).count()


@register.simple_tag(takes_context=True)
def newest_event(context: dict[str, Any]) -> int:
    """The id of the last event that they may see, from which an open page catches up."""
    return access.last_event_id(reader(context))


@register.simple_tag
def open_counts(people: Iterable[MemoryUser]) -> dict[Any, list[tuple[str, int]]]:
    """The open alerts of each of these people by severity, the gravest first; one query."""
    rows = (
        Alert.objects.filter(status=Status.OPEN, user__in=[person.pk for person in people])
        .values_list("user_id", "severity")
        .annotate(count=Count("pk"))
        .order_by()
    )
    counts: dict[Any, list[tuple[str, int]]] = {}
    for user_id, severity, count in rows:
        counts.setdefault(user_id, []).append((severity, count))
    for found in counts.values():
        found.sort(key=lambda pair: RANK[pair[0]])
    return counts


@register.simple_tag
def evaluated(person: MemoryUser) -> dict[str, Any]:
    """How far the rules have seen a person, and whether something still waits for them."""
    mark = Watermark.objects.filter(user=person).first()
    through = mark.fact_seq if mark else 0
    at = mark.evaluated_at if mark else None
    return {"through": through, "at": at, "behind": person.fact_seq - through}


@register.simple_tag
def alerts_of(person: MemoryUser) -> dict[str, Any]:
    """A person's standing alerts, worst first; those that are cleared and that nobody has seen yet,
    and those that are past, newest first."""
    own = Alert.objects.filter(user=person).select_related("user")
    current = (*STANDING, Status.CLEARED)
    count = own.aggregate(
        standing=Count("pk", filter=Q(status__in=STANDING)),
        unseen=Count("pk", filter=Q(status=Status.CLEARED)),
        past=Count("pk", filter=~Q(status__in=current)),
    )
    standing = own.standing().worst_first()[:MOST_STANDING]
    newest = own.order_by("-changed_at", "-pk")
    return {
        "standing": list(standing),
        "unseen": newest.filter(status=Status.CLEARED)[:MOST_STANDING],
        "past": newest.exclude(status__in=current)[:MOST_PAST],
        "standing_count": count["standing"],
        "unseen_count": count["unseen"],
        "past_count": count["past"],
    }


@register.simple_tag
def early_words_of(person: MemoryUser) -> dict[str, Any]:
    """A person's standing early words, worst first, and those that are past, newest first."""
    own = Alert.every.early().filter(user=person).select_related("user")
    past = own.exclude(status__in=(Status.OPEN, Status.ACKNOWLEDGED))
    return {
        "standing": list(own.standing().worst_first()[:MOST_STANDING]),
        "standing_count": own.standing().count(),
        "past": list(past.order_by("-changed_at", "-pk")[:MOST_PAST]),
        "past_count": past.count(),
    }


@register.filter
def marks(standing: Iterable[Alert]) -> dict[tuple[str, str], Alert]:
    """The gravest of these alerts for each record they rest on, by kind and id."""
    found: dict[tuple[str, str], Alert] = {}
    for alert in standing:
        for record in alert.evidence:
            found.setdefault((record["kind"], record["id"]), alert)
    return found


@register.simple_tag
def nothing_marked() -> dict[tuple[str, str], Alert]:
    """No alert for any record: those that stand now are not of an earlier day."""
    return {}


@register.simple_tag
def mark_for(marked: dict[tuple[str, str], Alert], kind: str, record_id: str) -> Alert | None:
    """The alert that rests on a record, if one does."""
    return marked.get((kind, record_id))


@register.simple_tag
def year_alerts(person: MemoryUser, year: Year, now: datetime) -> dict[str, Dot | Thread | Any]:
    """The dots and the thread of a person's year."""
    since = now - timedelta(weeks=54)
    own = Alert.objects.filter(Q(opened_at__gte=since) | Q(status=Status.OPEN), user=person)
    alerts = list(own.select_related("user").order_by("-opened_at")[:1_000])
    return {"dots": dots_of(alerts, year), "thread": thread_of(alerts, year, now)}
