"""Take the steps that are due for alerts that nobody acknowledges, each once.

Every step is a transaction of its own: the alert is held, and only where it still waits since the
same moment, and the step before is the one that was seen, does the event go in, with what is to be
told by it. Two workers, or one that is started again, take no step twice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch

from alerts.delivery.fan_out import delivery_of, delivery_to
from alerts.early.shared import event_of, record
from alerts.escalation.plan import Quiet, concerns, due_at, next_minutes
from alerts.escalation.recipients import members_who_may
from alerts.escalation.unanswered import audit_of_clock, open_unanswered
from alerts.models import (
    RULED,
    Alert,
    AlertEvent,
    Channel,
    Delivery,
    Escalation,
    EscalationPolicy,
    EscalationStep,
    EventKind,
    Status,
    Told,
)
from memory.models import CarePlacement

logger = logging.getLogger(__name__)

BATCH = 500
AGAIN = timedelta(minutes=5)


@dataclass(frozen=True)
class Plan:
    """A team's policy and the steps of it that are for an alert."""

    policy: EscalationPolicy
    steps: Sequence[EscalationStep]
    unanswered: int | None

    @property
    def minutes(self) -> set[int]:
        """After how many minutes something comes."""
        last = {self.unanswered} if self.unanswered is not None else set()
        return {step.minutes for step in self.steps} | last

    def next_at(self, since: datetime, through: int) -> datetime | None:
        """When the step after those taken comes."""
        minutes = next_minutes(self.minutes, through)
        return None if minutes is None else due_at(since, self.policy.in_force_since, minutes)


def escalate(*, now: datetime) -> int:
    """Begin, continue and end what is due, some at a time; how many were begun or looked at.

    Whatever was looked at is not due any more, so that nothing that only ends holds up a step; one
    that cannot be taken holds up none either, and is tried again after `AGAIN`.
    """
    steps = EscalationStep.objects.select_related("staff", "webhook")
    policies = {
        policy.team_id: policy
        for policy in EscalationPolicy.objects.select_related("team").prefetch_related(
            Prefetch("steps", steps)
        )
    }
    begun = sum(_begin(policy, now) for policy in policies.values())
    due = Escalation.objects.filter(next_at__lte=now, ended_at=None).order_by("next_at")
    seen = list(due.select_related("alert__user")[:BATCH])
    for one in seen:
        try:
            _step(one, policies.get(one.team_id), now)
        except Exception:
            logger.exception("a step of escalation %s could not be taken", one.pk)
            Escalation.objects.filter(pk=one.pk).update(next_at=now + AGAIN)
    return begun + len(seen)


def plan_of(policy: EscalationPolicy, severity: str) -> Plan:
    """What a policy has for alerts of a severity."""
    steps = [step for step in policy.steps.all() if concerns(severity, step.least)]
    answers = concerns(severity, policy.unanswered_least)
    return Plan(policy, steps, policy.unanswered_minutes if answers else None)


def _begin(policy: EscalationPolicy, now: datetime) -> int:
    """Follow alerts of the team's people that wait and are not followed; how many.

    One whose person had left the team's care, and is back, goes on where it was.
    """
    placed = CarePlacement.objects.at(now).filter(team=policy.team_id)
    followed = Escalation.objects.filter(
        alert=OuterRef("pk"), team=policy.team_id, since=OuterRef("status_at"), ended_at=None
    )
    waiting = Alert.objects.filter(
        ~Exists(followed), status=Status.OPEN, origin__in=RULED, user__in=placed.values("user")
    )
    if not waiting.exists():
        return 0
    with transaction.atomic():
        # Held, so that none becomes graver before it is followed; those that are held come later
        held = waiting.select_for_update(no_key=True, skip_locked=True).order_by("status_at")
        rows = [_followed(policy, alert) for alert in held[:BATCH]]
        Escalation.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["alert", "team", "since"],
            update_fields=["next_at", "ended_at"],
        )
    return len(rows)


def _followed(policy: EscalationPolicy, alert: Alert) -> Escalation:
    """The escalation of an alert, before its first step."""
    return Escalation(
        alert=alert,
        user_id=alert.user_id,
        team_id=policy.team_id,
        since=alert.status_at,
        next_at=plan_of(policy, alert.severity).next_at(alert.status_at, -1),
    )


@transaction.atomic
def _step(seen: Escalation, policy: EscalationPolicy | None, now: datetime) -> None:
    """Take the step that is due, if nothing has moved."""
    alert = Alert.objects.select_for_update(no_key=True).select_related(None).get(pk=seen.alert_id)
    mine = Escalation.objects.filter(pk=seen.pk, through=seen.through, ended_at=None)
    waits = alert.status == Status.OPEN and alert.status_at == seen.since
    if policy is None or not waits or not _cares(seen, now):
        mine.update(ended_at=now, next_at=None)
        return
    plan = plan_of(policy, alert.severity)
    if quiet := _quiet_until(policy, alert.severity, now):
        mine.update(next_at=quiet)
        return
    minutes = next_minutes(plan.minutes, seen.through)
    due = None if minutes is None else due_at(seen.since, policy.in_force_since, minutes)
    if minutes is None or due is None or due > now:
        mine.update(next_at=due)  # the policy, or how grave it is, was changed meanwhile
        return
    if mine.update(through=minutes, next_at=plan.next_at(seen.since, minutes)):
        alert.user = seen.alert.user
        _take(alert, plan, minutes, now)


def _cares(seen: Escalation, now: datetime) -> bool:
    """Whether the person is in the team's care at this moment."""
    placed = CarePlacement.objects.at(now).filter(team=seen.team_id, user=seen.user_id)
    return bool(placed.exists())


def _quiet_until(policy: EscalationPolicy, severity: str, now: datetime) -> datetime | None:
    if policy.quiet_from is None or policy.quiet_until is None:
        return None
    severities = frozenset(policy.quiet_severities)
    zone = ZoneInfo(policy.timezone)
    return Quiet(policy.quiet_from, policy.quiet_until, severities, zone).until(severity, now)


def _take(alert: Alert, plan: Plan, minutes: int, now: datetime) -> None:
    """Write the event of a step, and what is told by it."""
    steps = [step for step in plan.steps if step.minutes == minutes]
    if steps:
        members = members_who_may(plan.policy.team, alert.user, now)
        words = f"after {minutes} min: {', '.join(_words(step, plan, members) for step in steps)}"
        event = event_of(alert, EventKind.ESCALATED, now, comment=words)
        audit_of_clock("alert.escalated", alert, now)
        record([event])
        _tell(event, steps, members, now)
    if plan.unanswered == minutes:
        open_unanswered(alert=alert, team=plan.policy.team, minutes=minutes, now=now)


def _words(step: EscalationStep, plan: Plan, members: Sequence[Staff]) -> str:
    """`Ward by e-mail`: whom a step tells, and by what."""
    if step.told == Told.WEBHOOK:
        return "a webhook"
    by = ["browser"] if step.by_browser else []
    by += ["e-mail"] if step.by_email else []
    who = plan.policy.team.name
    if step.staff is not None:
        name = step.staff.get_username()
        who = name if step.staff in members else f"{who} ({name} may not be told any more)"
    return f"{who} by {' and '.join(by or ['dashboard'])}"


def _told(step: EscalationStep, members: Sequence[Staff]) -> Sequence[Staff]:
    """Whom a step tells: one of the team, or all of it, also where that one is not of it now."""
    if step.told == Told.WEBHOOK:
        return ()
    return [step.staff] if step.staff is not None and step.staff in members else members


def _tell(
    event: AlertEvent, steps: Sequence[EscalationStep], members: Sequence[Staff], now: datetime
) -> None:
    found: list[Delivery] = []
    for step in steps:
        if step.webhook is not None and step.webhook.ended_at is None:
            found.append(delivery_of(step.webhook, event, now, minutes=step.minutes))
        for staff in _told(step, members):
            found += [delivery_to(staff, event, Channel.EMAIL, now)] if step.by_email else []
            found += [delivery_to(staff, event, Channel.BROWSER, now)] if step.by_browser else []
    Delivery.objects.bulk_create(found, ignore_conflicts=True)
