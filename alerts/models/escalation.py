"""Each team's escalation: whom to tell of an alert that waits, by what, and after how long."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from alerts.models.alert import Alert, Severity
from alerts.models.webhook import Webhook
from memory.models import MemoryUser, Team
from memory.models.memory_user import validate_zone


class EscalationPolicy(models.Model):
    """A team's rules of escalation. Alerts that waited before `in_force_since` count from then.

    In quiet hours, on the clock of `timezone`, no step is taken for alerts of `quiet_severities`;
    it waits for their end. `unanswered_minutes` after which it is an alert of its own that nobody
    has acknowledged one of `unanswered_least` or graver; null: never.
    """

    team = models.OneToOneField(
        Team, on_delete=models.PROTECT, primary_key=True, related_name="escalation"
    )
    timezone = models.CharField(max_length=64, default="UTC", validators=[validate_zone])
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    quiet_severities = models.JSONField(default=list)
    tells_summary = models.BooleanField(default=False, help_text="E-mails say what alerts say.")
    unanswered_minutes = models.PositiveSmallIntegerField(null=True)
    unanswered_least = models.CharField(
        max_length=10, choices=Severity.choices, default=Severity.CRITICAL
    )
    in_force_since = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_until=None)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="escalation_quiet_from_and_until",
            ),
        ]

    def __str__(self) -> str:
        return f"escalation of {self.team_id}"


class Told(models.TextChoices):
    """Whom a step tells."""

    TEAM = "team", "everybody of the team who may handle alerts"
    STAFF = "staff", "one of the team"
    WEBHOOK = "webhook", "a webhook of the team"


class EscalationStep(models.Model):
    """After so many minutes in which nobody acknowledged: whom to tell, and by what.

    The dashboard shows every step; `by_browser` and `by_email` are beside that, for people.
    """

    policy = models.ForeignKey(EscalationPolicy, on_delete=models.PROTECT, related_name="steps")
    minutes = models.PositiveSmallIntegerField()
    least = models.CharField(
        max_length=10, choices=Severity.choices, help_text="For this and what is graver."
    )
    told = models.CharField(max_length=7, choices=Told.choices)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    webhook = models.ForeignKey(Webhook, null=True, on_delete=models.PROTECT, related_name="+")
    by_browser = models.BooleanField(default=False)
    by_email = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(told=Told.TEAM, staff=None, webhook=None)
                | Q(told=Told.STAFF, staff__isnull=False, webhook=None)
                | Q(told=Told.WEBHOOK, staff=None, webhook__isnull=False),
                name="escalation_step_tells_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"after {self.minutes} min"


class Escalation(models.Model):
    """How far a team's escalation of an alert has gone, which has waited `since` then.

    `through` is the minutes of the last step that was taken, -1 before the first. One that has
    ended, or nothing to come, has no `next_at`.
    """

    alert = models.ForeignKey(Alert, on_delete=models.PROTECT, related_name="escalations")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    through = models.SmallIntegerField(default=-1)
    next_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["alert", "team", "since"], name="escalation_once"),
        ]
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(next_at__isnull=False), name="escalation_due"
            ),
            models.Index(fields=["team"], condition=Q(ended_at=None), name="escalation_of_team"),
        ]

    def __str__(self) -> str:
        return f"escalation of alert {self.alert_id}, through {self.through} min"
