"""What people do to alerts: each one verb, atomic, with its actor."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import transaction

from alerts.early import event_of, record
from alerts.models import Alert, AlertEvent, EventKind, OverrideReason, Status
from memory import audit
from memory.actions.needs import note_concern
from memory.models import MemoryUser


class AlertNotOpen(Exception):
    """The alert stands no longer where the action needs it; somebody or the rules came first."""


class ConcernNotOpen(Exception):
    """The concern stands no longer where the action needs it; somebody or a rule came first."""


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


@transaction.atomic
def dismiss_concern(*, alert: Alert, actor: Staff, comment: str, now: datetime) -> AlertEvent:
    """Set aside a standing concern that a person judges not to apply: it does not open again.

    Raises ConcernNotOpen.
    """
    won = (
        Alert.every.concerns()
        .standing()
        .filter(pk=alert.pk)
        .update(status=Status.OVERRIDDEN, changed_at=now)
    )
    if not won:
        raise ConcernNotOpen(alert.pk)
    return _record(alert, EventKind.DISMISSED, actor, now, comment=comment.strip())


@transaction.atomic
def send_concern(*, alert: Alert, actor: Staff, now: datetime) -> AlertEvent:
    """Ask for a rule about an open concern, which stands until one says it. Raises ConcernNotOpen.

    A concern about no fact of its own is asked for the facts of its records.
    """
    person = MemoryUser.objects.select_for_update(no_key=True).get(pk=alert.user_id)
    won = (
        Alert.every.concerns()
        .filter(pk=alert.pk, status=Status.OPEN)
        .update(status=Status.ACKNOWLEDGED, changed_at=now)
    )
    if not won:
        raise ConcernNotOpen(alert.pk)
    note_concern(
        user=person,
        concern_id=alert.pk,
        summary=alert.summary,
        records=[{"kind": one["kind"], "id": one["id"]} for one in alert.evidence],
        facts=alert.facts or sorted({seq for one in alert.evidence for seq in one["facts"]}),
        now=now,
    )
    return _record(alert, EventKind.SENT, actor, now)


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
    event = event_of(alert, kind, now, actor=actor, reason=reason, comment=comment)
    audit.record(
        f"alert.{kind}", actor=actor, now=now, person=alert.user_id, of="alert", object_id=alert.pk
    )
    record([event])
    return event
