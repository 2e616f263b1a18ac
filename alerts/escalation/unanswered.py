"""That nobody has acknowledged an alert is itself an alert, until somebody does something about it.

It is opened and closed by the clock, not by rules, has an origin of its own, names the alert that
it is `about`, and is not escalated itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import IntegrityError, transaction

from alerts.delivery.fan_out import delivery_to
from alerts.early.shared import event_of, record
from alerts.escalation.recipients import admins, members_who_may
from alerts.models import (
    CURRENT,
    Alert,
    AlertEvent,
    Channel,
    Delivery,
    EventKind,
    Origin,
    Severity,
    Status,
)
from memory import audit
from memory.models import Team

WORDS = {
    Severity.CRITICAL: "a critical alert",
    Severity.WARNING: "a warning",
    Severity.INFO: "an information",
}


def open_unanswered(*, alert: Alert, team: Team, minutes: int, now: datetime) -> bool:
    """Open the alert that nobody has acknowledged this one; False where it stands already.

    In the transaction at hand. The team is told again, and those who administer: of which alert,
    not of whom. Where another team of the person came first, this one is told of what that opened.
    """
    members = members_who_may(team, alert.user, now)
    about = _of(alert, minutes, now)
    try:
        with transaction.atomic():
            about.save(force_insert=True)
    except IntegrityError:
        opened = AlertEvent.objects.filter(alert__about=alert, kind=EventKind.OPENED)
        _tell(opened.latest("pk"), members, now)
        return False
    event = event_of(about, EventKind.OPENED, now)
    audit_of_clock("alert.unanswered", about, now)
    record([event])
    _tell(event, [*members, *admins(now)], now)
    return True


def _tell(event: AlertEvent, whoever: Iterable[Staff], now: datetime) -> None:
    """Tell each of these by e-mail, once."""
    told = {one.pk: delivery_to(one, event, Channel.EMAIL, now) for one in whoever}
    Delivery.objects.bulk_create(told.values(), ignore_conflicts=True)


def close_answered(*, now: datetime) -> int:
    """Close those whose alert waits no more, whatever became of it; how many there were."""
    answered = Alert.objects.filter(origin=Origin.UNANSWERED, status__in=CURRENT)
    count = 0
    for pk in answered.exclude(about__status=Status.OPEN).values_list("pk", flat=True):
        count += _close(pk, now)
    return count


@transaction.atomic
def _close(pk: int, now: datetime) -> bool:
    found = Alert.objects.filter(pk=pk, status__in=CURRENT)
    nobodys = {"owner": None, "until": None}
    if not found.update(status=Status.RESOLVED, status_at=now, changed_at=now, **nobodys):
        return False
    alert = Alert.objects.select_related("user").get(pk=pk)
    audit_of_clock("alert.answered", alert, now)
    record([event_of(alert, EventKind.CLEARED, now)])
    return True


def _of(alert: Alert, minutes: int, now: datetime) -> Alert:
    """The alert about an alert; it shows the same evidence."""
    words = WORDS[Severity(alert.severity)]
    key = json.dumps([Origin.UNANSWERED, alert.pk])
    summary = f"For {minutes} minutes nobody has acknowledged {words}"
    shown = {"summary": summary, "about": alert.pk, "evidence": alert.evidence}
    text = json.dumps(shown, sort_keys=True, ensure_ascii=False)
    return Alert(
        user=alert.user,
        rule=alert.rule,
        origin=Origin.UNANSWERED,
        dedupe_key=hashlib.sha256(key.encode()).hexdigest(),
        severity=alert.severity,
        summary=summary,
        detail=alert.summary,
        evidence=alert.evidence,
        fingerprint=hashlib.sha256(text.encode()).hexdigest(),
        version=alert.version,
        tables=alert.tables,
        fact_seq=alert.fact_seq,
        about=alert,
        opened_at=now,
        first_opened_at=now,
        changed_at=now,
        status_at=now,
    )


def audit_of_clock(action: str, alert: Alert, now: datetime) -> None:
    """Record what was done to an alert by nobody, as its time had come."""
    audit.record(action, actor=None, now=now, person=alert.user_id, of="alert", object_id=alert.pk)
