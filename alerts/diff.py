"""Make the stored alerts what the rules found; inside the evaluation's commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from alerts.engine import RANK, Changes, Finding, Findings, Standing, compare, failure_of
from alerts.engine import fingerprint as fingerprint_of
from alerts.live import announce_on_commit
from alerts.models import ACTIVE, Alert, AlertEvent, EventKind, Status
from alerts.snapshot import Snapshot
from memory.project.shipped import baseline

Content = dict[str, Any]
SHOWN = ("severity", "summary", "detail", "grade", "action", "basis", "unknown", "evidence")


def apply_changes(seen: Snapshot, findings: Findings, now: datetime) -> list[AlertEvent]:
    """Open, bring up to date and clear alerts; record and announce the events."""
    findings, contents = contents_of(seen, findings)
    active = list(_active(seen))
    by_id = {alert.pk: alert for alert in active}
    prints = {key: fingerprint_of(content) for key, content in contents.items()}
    changes = compare(findings, map(_standing, active), fingerprints=prints)
    events = [
        *_open(seen, changes, contents, now),
        *_change(seen, changes, contents, by_id, now),
        *_clear(seen, changes, by_id, now),
    ]
    AlertEvent.objects.append(events)
    announce_on_commit(events)
    return events


def contents_of(seen: Snapshot, findings: Findings) -> tuple[Findings, Mapping[str, Content]]:
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


def _content(seen: Snapshot, finding: Finding) -> Content:
    return {
        "severity": finding.severity,
        "summary": finding.summary,
        "detail": finding.detail,
        "grade": finding.grade,
        "action": finding.action,
        "basis": list(finding.basis),
        "unknown": list(finding.unknown),
        "evidence": seen.evidence(finding.evidence),
    }


def _active(seen: Snapshot) -> Any:
    """Active alerts of the rules that ran, and of rules that are no longer in the code."""
    run = Q(rule__in=[rule.name for rule in seen.rules])
    gone = ~Q(rule__in=list(baseline().rules))
    return Alert.objects.active().filter(run | gone, user=seen.user).order_by("pk")


def _standing(alert: Alert) -> Standing:
    return Standing(
        alert_id=alert.pk,
        rule=alert.rule,
        origin=alert.origin,
        dedupe_key=alert.dedupe_key,
        severity=alert.severity,
        fingerprint=fingerprint_of({name: getattr(alert, name) for name in SHOWN}),
    )


def _open(
    seen: Snapshot, changes: Changes, contents: Mapping[str, Content], now: datetime
) -> list[AlertEvent]:
    alerts = Alert.objects.bulk_create(
        Alert(
            user=seen.user,
            rule=finding.rule,
            origin=finding.origin,
            dedupe_key=finding.dedupe_key,
            opened_at=now,
            **contents[finding.dedupe_key],
            **_seen_as(seen, now),
        )
        for finding in changes.opened
    )
    return [_event(seen, alert, EventKind.OPENED, now) for alert in alerts]


def _change(
    seen: Snapshot,
    changes: Changes,
    contents: Mapping[str, Content],
    by_id: Mapping[int, Alert],
    now: datetime,
) -> list[AlertEvent]:
    """Bring alerts up to date; one that grew more severe asks for attention again."""
    events = []
    for standing, finding in changes.changed:
        alert = by_id[standing.alert_id]
        new = {**contents[finding.dedupe_key], **_seen_as(seen, now)}
        if RANK[finding.severity] < RANK[standing.severity]:
            new["status"] = Status.OPEN
        Alert.objects.filter(pk=alert.pk).update(**new)
        for name, value in new.items():
            setattr(alert, name, value)
        events.append(_event(seen, alert, EventKind.CHANGED, now))
    return events


def _clear(
    seen: Snapshot, changes: Changes, by_id: Mapping[int, Alert], now: datetime
) -> list[AlertEvent]:
    events = []
    for standing in changes.cleared:
        alert = by_id[standing.alert_id]
        active = Alert.objects.filter(pk=alert.pk, status__in=ACTIVE)
        if active.update(status=Status.RESOLVED, changed_at=now, fact_seq=seen.after.fact_seq):
            alert.status = Status.RESOLVED
            events.append(_event(seen, alert, EventKind.CLEARED, now))
    return events


def _seen_as(seen: Snapshot, now: datetime) -> Content:
    return {
        "version": seen.after.version,
        "tables": seen.after.tables,
        "fact_seq": seen.after.fact_seq,
        "changed_at": now,
    }


def _event(seen: Snapshot, alert: Alert, kind: EventKind, now: datetime) -> AlertEvent:
    return AlertEvent(
        alert=alert,
        user=seen.user,
        kind=kind,
        at=now,
        severity=alert.severity,
        after_seq=seen.before.fact_seq,
        fact_seq=seen.after.fact_seq,
    )
