"""What people do to alerts: each one verb, atomic, with its actor."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import transaction

from alerts.live import announce_on_commit
from alerts.models import Alert, AlertEvent, EventKind, OverrideReason, Status
from memory import audit


class AlertNotOpen(Exception):
    """The alert stands no longer where the action needs it; somebody or the rules came first."""


class CommentMissing(Exception):
    """A reason of *other* says nothing without a comment."""


@transaction.atomic
def acknowledge_alert(*, alert: Alert, actor: Staff, now: datetime) -> AlertEvent:
    """Say that somebody has seen an open alert and takes care of it. Raises AlertNotOpen."""
    won = Alert.objects.filter(pk=alert.pk, status=Status.OPEN).update(
        status=Status.ACKNOWLEDGED, changed_at=now
    )
    if not won:
        raise AlertNotOpen(alert.pk)
    return _record(alert, EventKind.ACKNOWLEDGED, actor, now)


@transaction.atomic
def override_alert(
    *, alert: Alert, actor: Staff, reason: OverrideReason, comment: str, now: datetime
) -> AlertEvent:
    """Set aside a standing alert that a clinician judges not to apply.

    Raises AlertNotOpen, and CommentMissing for the reason *other* without a comment.
    """
    if reason == OverrideReason.OTHER and not comment.strip():
        raise CommentMissing
    won = (
        Alert.objects.standing()
        .filter(pk=alert.pk)
        .update(status=Status.OVERRIDDEN, changed_at=now)
    )
    if not won:
        raise AlertNotOpen(alert.pk)
    return _record(alert, EventKind.OVERRIDDEN, actor, now, reason=reason, comment=comment.strip())


def _record(
    alert: Alert,
    kind: EventKind,
    actor: Staff,
    now: datetime,
    *,
    reason: str = "",
    comment: str = "",
) -> AlertEvent:
    alert.refresh_from_db()
    event = AlertEvent(
        alert=alert,
        user_id=alert.user_id,
        kind=kind,
        at=now,
        actor=actor,
        reason=reason,
        comment=comment,
        severity=alert.severity,
        after_seq=alert.fact_seq,
        fact_seq=alert.fact_seq,
    )
    audit.record(
        f"alert.{kind}", actor=actor, now=now, person=alert.user_id, of="alert", object_id=alert.pk
    )
    AlertEvent.objects.append([event])
    announce_on_commit([event])
    return event
