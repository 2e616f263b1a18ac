"""What both kinds of early words share: whose they are, what they rest on, and their events.

An early word is shown before any rule in force says it. It is stored as an alert of its own origin,
which no list, count or evaluation of alerts sees (`Alert.objects`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from alerts.live.hub import announce_on_commit
from alerts.models import Alert, AlertEvent, EventKind
from memory.models import MemoryUser, Record


def locked(user: MemoryUser) -> MemoryUser:
    """The person as stored now, held until the transaction ends."""
    return MemoryUser.objects.select_for_update(no_key=True).get(pk=user.pk)


def as_they_stand(user: MemoryUser, named: Collection[tuple[str, str]]) -> dict[Any, Any]:
    """The records of these kinds and ids as evidence; one that is not there has neither data nor
    facts."""
    rows = Record.objects.filter(
        user=user, kind__in={kind for kind, _ in named}, record_id__in={one for _, one in named}
    )
    found = {(row.kind, row.record_id): (row.data, row.facts) for row in rows}
    evidence = {}
    for kind, record_id in named:
        data, facts = found.get((kind, record_id), ({}, []))
        evidence[kind, record_id] = {"kind": kind, "id": record_id, "data": data, "facts": facts}
    return evidence


def event_of(alert: Alert, kind: EventKind, now: datetime, **more: Any) -> AlertEvent:
    """An event that covers no fact, so that no answer to a post tells of it."""
    return AlertEvent(
        alert=alert,
        user_id=alert.user_id,
        kind=kind,
        at=now,
        severity=alert.severity,
        after_seq=alert.fact_seq,
        fact_seq=alert.fact_seq,
        **more,
    )


def record(events: Sequence[AlertEvent]) -> None:
    """Store events, and tell the open pages once the transaction has committed.

    The order of events is held from here on: what else the transaction locks, it has locked before.
    """
    AlertEvent.objects.append(events)
    announce_on_commit(events)
