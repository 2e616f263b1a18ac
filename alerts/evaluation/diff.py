"""Make the stored alerts what the rules found: the evaluation's commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from alerts.early.concerns import Said, clear_said, standing_concerns
from alerts.evaluation.compare import Changes, compare, fingerprint
from alerts.evaluation.engine import Finding, Findings, failure_of
from alerts.evaluation.moved import (
    change,
    clear,
    event_of,
    hold,
    leave_to_open,
    recur,
    supersede,
    superseded,
)
from alerts.evaluation.opening import OpenedRow, Opening, open_alerts, open_and_move
from alerts.evaluation.queries import move_watermark
from alerts.evaluation.scene import Scene
from alerts.evaluation.snapshot import Snapshot
from alerts.live.hub import announce_on_commit
from alerts.models import Alert, AlertEvent, EventKind, Watermark
from memory.models import MemoryUser

Content = dict[str, Any]
SHOWN = (
    *("severity", "summary", "detail", "grade", "action", "due", "basis", "unknown", "evidence"),
)


class WatermarkMoved(Exception):
    """Somebody else's evaluation came first; this one's findings are void."""


def store(seen: Snapshot, findings: Findings, now: datetime) -> list[AlertEvent]:
    """Move the watermark; open, bring up to date and clear alerts; record and announce the events.

    All of it or nothing. Raises WatermarkMoved where the watermark is not where it was seen. Only
    evaluations open and clear alerts, and each moves the watermark: those seen with it still stand.
    """
    findings, contents = contents_of(seen, findings)
    prints = {key: content["fingerprint"] for key, content in contents.items()}
    changes = compare(findings, seen.standing, fingerprints=prints)
    several = seen.first or seen.noticed or changes.changed or changes.recurred or changes.cleared
    if several or connection.vendor != "postgresql":
        with transaction.atomic():
            return _store(seen, changes, contents, now)
    events = _opened(seen, changes, open_and_move(_opening(seen, changes, contents, now)), now)
    announce_on_commit(events)
    return events


def _store(
    seen: Snapshot, changes: Changes, contents: Mapping[str, Content], now: datetime
) -> list[AlertEvent]:
    """The changes, statement by statement, the watermark first: it is what others wait for."""
    if seen.first:
        # Nobody's first evaluation may come after their erasure
        MemoryUser.objects.select_for_update(no_key=True).get(pk=seen.user.pk)
        blank = Watermark(user=seen.user, evaluated_at=now)
        Watermark.objects.bulk_create([blank], ignore_conflicts=True)
    if not move_watermark(seen.user.pk, seen.before, seen.after, now):
        raise WatermarkMoved(seen.user.pk)
    concerns = standing_concerns(seen.user.pk) if seen.noticed else []
    held = hold(changes)
    leave_to_open(changes, held)
    gone = superseded(seen, changes, held)
    events = [
        *change(seen, changes, held, contents, now),
        *recur(seen, changes, contents, now),
        *clear(seen, [one for one in changes.cleared if one not in gone], held, now),
    ]
    said: list[Said] = [
        (old.alert_id, contents[one.dedupe_key]["evidence"])
        for old, one in (*changes.changed, *changes.recurred)
    ]
    AlertEvent.objects.append(events)
    rows = open_alerts(_opening(seen, changes, contents, now)) if changes.opened else []
    events += _opened(seen, changes, rows, now)
    said += [(alert_id, contents[key]["evidence"]) for _, alert_id, key in rows]
    ended = supersede(seen, gone, {key: alert_id for _, alert_id, key in rows}, now)
    AlertEvent.objects.append(ended)
    events += ended
    announce_on_commit(events)
    clear_said(concerns, said, seen.after.fact_seq, now)
    return events


def contents_of(seen: Scene, findings: Findings) -> tuple[Findings, Mapping[str, Content]]:
    """What each finding's alert would show; a rule whose evidence is not there has failed."""
    failed = dict(findings.failed)
    contents: dict[str, Content] = {}
    for finding in findings.found:
        try:
            contents[finding.dedupe_key] = _content(seen, finding)
        except ValueError as error:
            failed[finding.rule] = str(error)
    found = tuple(one for one in findings.found if one.rule not in failed)
    for rule, reason in failed.items():
        failure = failure_of(rule, reason)
        contents[failure.dedupe_key] = _content(seen, failure)
    return replace(findings, found=found, failed=failed), contents


def _content(seen: Scene, finding: Finding) -> Content:
    shown = {
        "severity": finding.severity,
        "summary": finding.summary,
        "detail": finding.detail,
        "grade": finding.grade,
        "action": finding.action,
        "due": finding.due.isoformat() if finding.due else None,
        "basis": list(finding.basis),
        "unknown": list(finding.unknown),
        "evidence": seen.evidence(finding.evidence),
    }
    return {**shown, "fingerprint": fingerprint(shown)}


def _opening(
    seen: Snapshot, changes: Changes, contents: Mapping[str, Content], now: datetime
) -> Opening:
    rows = [
        {"rule": one.rule, "origin": one.origin, "dedupe_key": one.dedupe_key}
        | contents[one.dedupe_key]
        for one in changes.opened
    ]
    return Opening(seen.user.pk, seen.before, seen.after, now, rows)


def _opened(
    seen: Snapshot, changes: Changes, rows: Iterable[OpenedRow] | None, now: datetime
) -> list[AlertEvent]:
    """The events of opened alerts, with as much of the alert as the answer to a post tells."""
    if rows is None:
        raise WatermarkMoved(seen.user.pk)
    found = {finding.dedupe_key: finding for finding in changes.opened}
    events = []
    for event_id, alert_id, key in rows:
        one = found[key]
        alert = Alert(
            pk=alert_id,
            user=seen.user,
            rule=one.rule,
            severity=one.severity,
            summary=one.summary,
        )
        events.append(event_of(seen, alert, EventKind.OPENED, now))
        events[-1].pk = event_id
    return events
