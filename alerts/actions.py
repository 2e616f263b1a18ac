"""What people and apps do to alerts: each one verb, atomic, with its actor (`alerts.lifecycle`)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User as Staff
from django.db import transaction

from alerts.early.shared import event_of, record
from alerts.lifecycle import ACKNOWLEDGED_FOR, LONGEST_SHELVED, Who, sources, target
from alerts.models import Alert, AlertEvent, EventKind, OverrideReason, Severity, Status
from memory import audit
from memory.actions.needs import note_concern
from memory.models import AppKey, MemoryUser

Actor = Staff | AppKey


class AlertNotOpen(Exception):
    """The alert is not what the action needs any more; somebody or the rules came first."""


class ConcernNotOpen(Exception):
    """The concern stands no longer where the action needs it; somebody or a rule came first."""


class CommentMissing(Exception):
    """A reason of *other*, and shelving, say nothing without a comment."""


class ShelvedTooLong(Exception):
    """An alert is shelved until a moment to come, no further off than its severity allows."""

    def __init__(self, longest: timedelta) -> None:
        super().__init__(longest)
        self.longest = longest


@transaction.atomic
def acknowledge_alert(*, alert: Alert, actor: Actor, now: datetime) -> AlertEvent:
    """Say that somebody has seen an open alert and takes care of it. Raises AlertNotOpen.

    It has an owner from now on, and opens again when the time for its severity has passed.
    """
    until = now + ACKNOWLEDGED_FOR[Severity(alert.severity)]
    _move(alert, EventKind.ACKNOWLEDGED, now, owner=_staff(actor), until=until)
    return _record(alert, EventKind.ACKNOWLEDGED, actor, now, until=until)


@transaction.atomic
def shelve_alert(
    *, alert: Alert, actor: Actor, until: datetime, comment: str, now: datetime
) -> AlertEvent:
    """Put an alert aside until a moment, for a reason. Raises AlertNotOpen, CommentMissing and
    ShelvedTooLong."""
    longest = LONGEST_SHELVED[Severity(alert.severity)]
    if not now < until <= now + longest:
        raise ShelvedTooLong(longest)
    if not comment.strip():
        raise CommentMissing
    _move(alert, EventKind.SHELVED, now, owner=_staff(actor), until=until)
    return _record(alert, EventKind.SHELVED, actor, now, comment=comment.strip(), until=until)


@transaction.atomic
def override_alert(
    *, alert: Alert, actor: Actor, reason: OverrideReason, comment: str, now: datetime
) -> AlertEvent:
    """Set aside an alert that a clinician judges not to apply, until it says something else.

    Raises AlertNotOpen, and CommentMissing for the reason *other* without a comment.
    """
    if reason == OverrideReason.OTHER and not comment.strip():
        raise CommentMissing
    _move(alert, EventKind.OVERRIDDEN, now)
    return _record(alert, EventKind.OVERRIDDEN, actor, now, reason=reason, comment=comment.strip())


@transaction.atomic
def reopen_alert(
    *, alert: Alert, actor: Actor, now: datetime, standing: tuple[Status, ...] = ()
) -> AlertEvent:
    """Take back what was done to an alert whose cause holds: it asks for attention again.

    With `standing` only from these states. Raises AlertNotOpen.
    """
    _move(alert, EventKind.REOPENED, now, standing=standing)
    return _record(alert, EventKind.REOPENED, actor, now)


@transaction.atomic
def resolve_alert(*, alert: Alert, actor: Actor, now: datetime) -> AlertEvent:
    """Say that somebody has seen that the cause of a cleared alert is gone. Raises AlertNotOpen."""
    _move(alert, EventKind.RESOLVED, now)
    return _record(alert, EventKind.RESOLVED, actor, now)


@transaction.atomic
def reopen_expired(*, now: datetime, most: int = 500) -> list[AlertEvent]:
    """Open again what was acknowledged or shelved until a moment that has passed."""
    due = (
        Alert.objects.filter(until__lte=now, status__in=sources(EventKind.EXPIRED, Who.CLOCK))
        .select_for_update(skip_locked=True)
        .order_by("until")[:most]
    )
    alerts = list(due)
    changes = {
        "status": target(EventKind.EXPIRED, Who.CLOCK),
        "status_at": now,
        "changed_at": now,
        "owner": None,
        "until": None,
    }
    Alert.objects.filter(pk__in=[alert.pk for alert in alerts]).update(**changes)
    events = []
    for alert in alerts:
        was = f"{alert.get_status_display()} until then"
        events.append(event_of(alert, EventKind.EXPIRED, now, comment=was))
        audit.record(
            "alert.expired",
            actor=None,
            now=now,
            person=alert.user_id,
            of="alert",
            object_id=alert.pk,
        )
    record(events)
    return events


@transaction.atomic
def dismiss_concern(*, alert: Alert, actor: Staff, comment: str, now: datetime) -> AlertEvent:
    """Set aside a standing concern that a person judges not to apply: it does not open again.

    Raises ConcernNotOpen.
    """
    won = (
        Alert.every.concerns()
        .standing()
        .filter(pk=alert.pk)
        .update(status=Status.OVERRIDDEN, status_at=now, changed_at=now)
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
        .update(status=Status.ACKNOWLEDGED, status_at=now, changed_at=now)
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


def _move(
    alert: Alert,
    event: EventKind,
    now: datetime,
    *,
    owner: Staff | None = None,
    until: datetime | None = None,
    standing: tuple[Status, ...] = (),
) -> None:
    """Move an alert by the table if it still stands where the table wants it and says what it
    said, severity and all: it is decided by that."""
    allowed = standing or sources(event, Who.PEOPLE)
    seen = Alert.objects.filter(pk=alert.pk, fingerprint=alert.fingerprint, status__in=allowed)
    won = seen.update(
        status=target(event, Who.PEOPLE),
        status_at=now,
        changed_at=now,
        owner=owner,
        until=until,
    )
    if not won:
        raise AlertNotOpen(alert.pk)


def _staff(actor: Actor) -> Staff | None:
    return actor if isinstance(actor, Staff) else None


def _record(alert: Alert, kind: EventKind, actor: Actor, now: datetime, **more: Any) -> AlertEvent:
    alert.refresh_from_db()
    who: dict[str, Any] = {"actor": actor} if isinstance(actor, Staff) else {"app_id": actor.app_id}
    event = event_of(alert, kind, now, **who, **more)
    audit.record(
        f"alert.{kind}", actor=actor, now=now, person=alert.user_id, of="alert", object_id=alert.pk
    )
    record([event])
    return event
