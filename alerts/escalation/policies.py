"""Change a team's escalation: each one verb, audited, in force for what waits now."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, time

from django.contrib.auth.models import User as Staff
from django.db import transaction

from alerts.models import (
    Escalation,
    EscalationPolicy,
    EscalationStep,
    Severity,
    Told,
    Webhook,
)
from memory import audit
from memory.actions.entitled import Administrator, check_entitled
from memory.models import Team

MOST_STEPS = 20


class TooManySteps(Exception):
    """A policy has as many steps as it may have."""


class StepGone(Exception):
    """The step is not there any more."""


@dataclass(frozen=True)
class Manner:
    """How a policy behaves; hours of None are no quiet, minutes of None no alert of its own."""

    timezone: str
    quiet: tuple[time, time] | None = None
    quiet_severities: Collection[Severity] = ()
    tells_summary: bool = False
    unanswered_minutes: int | None = None
    unanswered_least: Severity = Severity.CRITICAL


@dataclass(frozen=True)
class NewStep:
    """A step: `staff` for one of the team, `webhook` for one of its webhooks, else everybody."""

    minutes: int
    least: Severity
    staff: Staff | None = None
    webhook: Webhook | None = None
    by_browser: bool = False
    by_email: bool = False

    @property
    def told(self) -> Told:
        """Whom it tells."""
        return Told.STAFF if self.staff else Told.WEBHOOK if self.webhook else Told.TEAM


@transaction.atomic
def set_manner(*, team: Team, manner: Manner, actor: Administrator, now: datetime) -> None:
    """Set how a team's escalation behaves, beginning it where there was none."""
    check_entitled(actor)
    begins, ends = manner.quiet or (None, None)
    _policy(team, now)
    EscalationPolicy.objects.filter(team=team).update(
        timezone=manner.timezone,
        quiet_from=begins,
        quiet_until=ends,
        quiet_severities=[str(one) for one in manner.quiet_severities],
        tells_summary=manner.tells_summary,
        unanswered_minutes=manner.unanswered_minutes,
        unanswered_least=manner.unanswered_least,
    )
    _changed(team, "escalation.set", actor, now)


@transaction.atomic
def add_step(*, team: Team, step: NewStep, actor: Administrator, now: datetime) -> EscalationStep:
    """Add a step to a team's escalation. Raises TooManySteps."""
    check_entitled(actor)
    policy = _policy(team, now)
    if policy.steps.count() >= MOST_STEPS:
        raise TooManySteps(MOST_STEPS)
    made = EscalationStep.objects.create(
        policy=policy,
        minutes=step.minutes,
        least=step.least,
        told=step.told,
        staff=step.staff,
        webhook=step.webhook,
        by_browser=step.by_browser,
        by_email=step.by_email,
    )
    _changed(team, "escalation.add_step", actor, now)
    return made


@transaction.atomic
def remove_step(*, team: Team, step_id: int, actor: Administrator, now: datetime) -> None:
    """Take a step out. Raises StepGone."""
    check_entitled(actor)
    _policy(team, now)
    if not EscalationStep.objects.filter(policy=team.pk, pk=step_id).delete()[0]:
        raise StepGone(step_id)
    _changed(team, "escalation.remove_step", actor, now)


def _policy(team: Team, now: datetime) -> EscalationPolicy:
    """The team's policy, held until the transaction ends; a plain one where there was none."""
    EscalationPolicy.objects.get_or_create(
        team=team, defaults={"in_force_since": now, "changed_at": now}
    )
    return EscalationPolicy.objects.select_for_update().get(team=team)


def _changed(team: Team, action: str, actor: Administrator, now: datetime) -> None:
    """Have what waits looked at anew: the steps that were taken stay taken."""
    EscalationPolicy.objects.filter(team=team).update(changed_at=now)
    Escalation.objects.filter(team=team, ended_at=None).update(next_at=now)
    audit.record(action, actor=actor, now=now, of="team", object_id=team.pk)
