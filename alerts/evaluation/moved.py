"""What an evaluation does to the alerts that stand: changed, come back, cleared or superseded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from alerts.evaluation.compare import Changes, Standing
from alerts.evaluation.engine import RANK
from alerts.evaluation.snapshot import Snapshot
from alerts.evaluation.what_changed import changed_words, severity_words
from alerts.lifecycle import changed_to, cleared_to
from alerts.models import ACTIVE, Alert, AlertEvent, Escalation, EventKind, Status
from memory.library.reference import load

Content = Mapping[str, Any]
NOBODYS = {"owner": None, "until": None}
Refs = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Held:
    """An alert as it is stored now, whatever was seen of it; held until the transaction ends."""

    status: Status
    severity: str
    origin: str
    evidence: Sequence[Mapping[str, Any]]


def hold(changes: Changes) -> dict[int, Held]:
    """The alerts that an evaluation changes, which people may have moved since it looked."""
    standing = [*changes.cleared, *(one for one, _ in (*changes.changed, *changes.recurred))]
    if not standing:
        return {}
    rows = Alert.objects.filter(pk__in=[one.alert_id for one in standing]).order_by("pk")
    held = rows.select_for_update(no_key=True)
    return {
        pk: Held(Status(status), severity, origin, evidence)
        for pk, status, severity, origin, evidence in held.values_list(
            "pk", "status", "severity", "origin", "evidence"
        )
    }


def leave_to_open(changes: Changes, held: Mapping[int, Held]) -> None:
    """Let what came back open anew where somebody has just said that it was over."""
    over = [pair for pair in changes.recurred if held[pair[0].alert_id].status != Status.CLEARED]
    changes.recurred = [pair for pair in changes.recurred if pair not in over]
    changes.opened += [finding for _, finding in over]


def change(
    seen: Snapshot,
    changes: Changes,
    held: Mapping[int, Held],
    contents: Mapping[str, Content],
    now: datetime,
) -> list[AlertEvent]:
    """Bring alerts up to date; the events say what of the evidence changed."""
    events = []
    for standing, finding in changes.changed:
        was, content = held[standing.alert_id], contents[finding.dedupe_key]
        evidence = changed_words(was.evidence, content["evidence"])
        kind, status = changed_to(
            was.status,
            severity=(was.severity, finding.severity),
            evidence_changed=bool(evidence),
        )
        new = {**content, **_seen_as(seen, now), "status": status}
        if kind == EventKind.REOPENED:
            new |= {"status_at": now, **NOBODYS}
        Alert.objects.filter(pk=standing.alert_id).update(**new)
        words = [severity_words(was.severity, finding.severity), evidence]
        alert = alert_of(seen, standing, **new)
        events.append(event_of(seen, alert, kind, now, comment="; ".join(filter(None, words))))
    _look_at_graver(changes, held, now)
    return events


def _look_at_graver(changes: Changes, held: Mapping[int, Held], now: datetime) -> None:
    """Have teams that follow an alert look again: there may be steps for how grave it is now."""
    graver = [
        one.alert_id
        for one, finding in changes.changed
        if RANK[finding.severity] < RANK[held[one.alert_id].severity]
    ]
    if graver:
        Escalation.objects.filter(alert__in=graver, ended_at=None).update(next_at=now)


def recur(
    seen: Snapshot, changes: Changes, contents: Mapping[str, Content], now: datetime
) -> list[AlertEvent]:
    """Open again what had cleared and was not acknowledged; it is counted, not repeated."""
    events = []
    for standing, finding in changes.recurred:
        new = {**contents[finding.dedupe_key], **_seen_as(seen, now), **NOBODYS}
        new |= {"status": Status.OPEN, "status_at": now, "opened_at": now}
        Alert.objects.filter(pk=standing.alert_id).update(**new, recurrences=F("recurrences") + 1)
        alert = alert_of(seen, standing, **new)
        events.append(event_of(seen, alert, EventKind.RECURRED, now))
    return events


def clear(
    seen: Snapshot, standing: Iterable[Standing], held: Mapping[int, Held], now: datetime
) -> list[AlertEvent]:
    """Clear alerts whose cause is gone."""
    events = []
    for one in standing:
        was = held[one.alert_id]
        if was.status in ACTIVE:
            to = cleared_to(was.status, was.severity, was.origin)
            alert = _end(seen, one, to, now)
            events.append(event_of(seen, alert, EventKind.CLEARED, now))
    return events


def superseded(
    seen: Snapshot, changes: Changes, held: Mapping[int, Held]
) -> dict[Standing, str | None]:
    """The alerts that newer code took away, each with the dedupe key of that in its place.

    Its rule is gone, or another alert, now opened, rests on the same records.
    """
    if seen.first or seen.before.version == seen.after.version:
        return {}
    opened = {frozenset(tuple(ref) for ref in one.evidence): one for one in changes.opened}
    found: dict[Standing, str | None] = {}
    for one in changes.cleared:
        refs: Refs = frozenset((ref["kind"], ref["id"]) for ref in held[one.alert_id].evidence)
        successor = opened.get(refs) if refs else None
        if successor is not None or one.rule not in seen.code.project.rules:
            found[one] = successor.dedupe_key if successor else None
    return found


def supersede(
    seen: Snapshot,
    gone: Mapping[Standing, str | None],
    opened: Mapping[str, int],
    now: datetime,
) -> list[AlertEvent]:
    """End the alerts that newer code took away; `opened` has the new ids by dedupe key."""
    return [
        event_of(
            seen,
            _end(seen, one, Status.SUPERSEDED, now),
            EventKind.SUPERSEDED,
            now,
            said_by_id=opened.get(key) if key else None,
        )
        for one, key in gone.items()
    ]


def _end(seen: Snapshot, one: Standing, status: Status, now: datetime) -> Alert:
    new = {
        "status": status,
        "status_at": now,
        "changed_at": now,
        **NOBODYS,
    }
    Alert.objects.filter(pk=one.alert_id).update(**new)
    return alert_of(seen, one, **new)


def alert_of(seen: Snapshot, standing: Standing, **new: Any) -> Alert:
    """An alert as it now is, as far as its event and the answer to a post tell of it."""
    was = {
        "rule": standing.rule,
        "severity": standing.severity,
        "status": standing.status,
        "summary": standing.summary,
    }
    return Alert(pk=standing.alert_id, user=seen.user, **{**was, **new})


def event_of(
    seen: Snapshot, alert: Alert, kind: EventKind, now: datetime, **more: Any
) -> AlertEvent:
    """An event of this evaluation."""
    return AlertEvent(
        alert=alert,
        user=seen.user,
        kind=kind,
        at=now,
        severity=alert.severity,
        after_seq=seen.before.fact_seq,
        fact_seq=seen.after.fact_seq,
        **more,
    )


def _seen_as(seen: Snapshot, now: datetime) -> dict[str, Any]:
    return {
        "version": seen.after.version,
        "tables": load().digest,
        "fact_seq": seen.after.fact_seq,
        "reading_seq": seen.after.reading_seq,
        "found_on": seen.after.local_date,
        "changed_at": now,
    }
