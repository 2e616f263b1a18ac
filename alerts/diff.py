"""Make the stored alerts what the rules found; inside the evaluation's commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from alerts.compare import Changes, Standing, compare, fingerprint
from alerts.engine import RANK, Finding, Findings, failure_of
from alerts.live import announce_on_commit
from alerts.models import ACTIVE, Alert, AlertEvent, EventKind, Status
from alerts.queries import read_standing
from alerts.snapshot import Snapshot
from memory.project.shipped import baseline

Content = dict[str, Any]
SHOWN = ("severity", "summary", "detail", "grade", "action", "basis", "unknown", "evidence")


def apply_changes(seen: Snapshot, findings: Findings, now: datetime) -> list[AlertEvent]:
    """Open, bring up to date and clear alerts; record and announce the events."""
    findings, contents = contents_of(seen, findings)
    prints = {key: content["fingerprint"] for key, content in contents.items()}
    ran, known = [rule.name for rule in seen.rules], list(baseline().rules)
    changes = compare(findings, read_standing(seen.user.pk, ran, known), fingerprints=prints)
    events = [
        *_open(seen, changes, contents, now),
        *_change(seen, changes, contents, now),
        *_clear(seen, changes, now),
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
    shown = {
        "severity": finding.severity,
        "summary": finding.summary,
        "detail": finding.detail,
        "grade": finding.grade,
        "action": finding.action,
        "basis": list(finding.basis),
        "unknown": list(finding.unknown),
        "evidence": seen.evidence(finding.evidence),
    }
    return {**shown, "fingerprint": fingerprint(shown)}


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
    seen: Snapshot, changes: Changes, contents: Mapping[str, Content], now: datetime
) -> list[AlertEvent]:
    """Bring alerts up to date; one that grew more severe asks for attention again."""
    events = []
    for standing, finding in changes.changed:
        new = {**contents[finding.dedupe_key], **_seen_as(seen, now)}
        if RANK[finding.severity] < RANK[standing.severity]:
            new["status"] = Status.OPEN
        Alert.objects.filter(pk=standing.alert_id).update(**new)
        events.append(_event(seen, _alert(seen, standing, **new), EventKind.CHANGED, now))
    return events


def _clear(seen: Snapshot, changes: Changes, now: datetime) -> list[AlertEvent]:
    events = []
    for standing in changes.cleared:
        new = {"status": Status.RESOLVED, "changed_at": now, "fact_seq": seen.after.fact_seq}
        if Alert.objects.filter(pk=standing.alert_id, status__in=ACTIVE).update(**new):
            events.append(_event(seen, _alert(seen, standing, **new), EventKind.CLEARED, now))
    return events


def _alert(seen: Snapshot, standing: Standing, **new: Any) -> Alert:
    """An alert as it now is, as far as its event and the answer to a post tell of it."""
    was = {
        "rule": standing.rule,
        "severity": standing.severity,
        "status": standing.status,
        "summary": standing.summary,
    }
    return Alert(pk=standing.alert_id, user=seen.user, **{**was, **new})


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
