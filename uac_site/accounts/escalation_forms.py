"""What admins type about a team's escalation and its webhooks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User as Staff
from django.core.exceptions import ValidationError
from django.utils import timezone

from alerts.delivery.targets import BadTarget, checked_url
from alerts.delivery.webhooks import KINDS, USUAL, Wishes
from alerts.escalation.policies import Manner, NewStep
from alerts.models import EscalationPolicy, EventKind, Severity, Webhook
from memory.models import Team, TeamMembership
from memory.models.memory_user import validate_zone

LONGEST_MINUTES = 10_080  # a week
EVERYBODY = "team"
NOT_CRITICAL = [choice for choice in Severity.choices if choice[0] != Severity.CRITICAL]


class MannerForm(forms.Form):
    """Quiet hours, what e-mails say, and when it is an alert that nobody has acknowledged one."""

    timezone = forms.CharField(max_length=64, initial="UTC", validators=[validate_zone])
    quiet_from = forms.TimeField(required=False)
    quiet_until = forms.TimeField(required=False)
    quiet_severities = forms.TypedMultipleChoiceField(
        choices=NOT_CRITICAL, coerce=Severity, required=False
    )
    quiet_critical = forms.BooleanField(required=False)
    tells_summary = forms.BooleanField(required=False)
    unanswered_minutes = forms.IntegerField(min_value=1, max_value=LONGEST_MINUTES, required=False)
    unanswered_least = forms.TypedChoiceField(choices=Severity.choices, coerce=Severity)

    def clean(self) -> dict[str, Any]:
        """Quiet hours have a beginning, an end, and something that they are for."""
        data = self.cleaned_data
        begins, ends = data.get("quiet_from"), data.get("quiet_until")
        if (begins is None) != (ends is None):
            self.add_error("quiet_until", "Give both times, or none for no quiet hours.")
        if begins is not None and begins == ends:
            self.add_error("quiet_until", "The end is the beginning: give another time.")
        asked = data.get("quiet_severities") or data.get("quiet_critical")
        if begins is not None and not asked:
            self.add_error("quiet_severities", "Say for which alerts it is quiet.")
        return data

    def manner(self) -> Manner:
        """What was typed, as the action takes it."""
        data = self.cleaned_data
        quiet = [*data["quiet_severities"]]
        quiet += [Severity.CRITICAL] if data["quiet_critical"] else []
        hours = (data["quiet_from"], data["quiet_until"]) if data["quiet_from"] else None
        return Manner(
            timezone=data["timezone"],
            quiet=hours,
            quiet_severities=quiet if hours else [],
            tells_summary=data["tells_summary"],
            unanswered_minutes=data["unanswered_minutes"],
            unanswered_least=data["unanswered_least"],
        )


def manner_of(policy: EscalationPolicy | None) -> dict[str, Any]:
    """What the form shows of a policy as it is."""
    if policy is None:
        return {"timezone": "UTC", "unanswered_least": Severity.CRITICAL}
    return {
        "timezone": policy.timezone,
        "quiet_from": policy.quiet_from,
        "quiet_until": policy.quiet_until,
        "quiet_severities": [one for one in policy.quiet_severities if one != "critical"],
        "quiet_critical": "critical" in policy.quiet_severities,
        "tells_summary": policy.tells_summary,
        "unanswered_minutes": policy.unanswered_minutes,
        "unanswered_least": policy.unanswered_least,
    }


class StepForm(forms.Form):
    """A step: after how long, for what, whom, by what."""

    minutes = forms.IntegerField(min_value=0, max_value=LONGEST_MINUTES)
    least = forms.TypedChoiceField(choices=Severity.choices, coerce=Severity)
    told = forms.ChoiceField()
    by_browser = forms.BooleanField(required=False)
    by_email = forms.BooleanField(required=False)

    def __init__(self, *args: Any, team: Team, **more: Any) -> None:
        super().__init__(*args, **more)
        members = TeamMembership.objects.at(timezone.now()).filter(team=team)
        self.staff = Staff.objects.filter(pk__in=members.values("staff"), is_active=True)
        self.webhooks = Webhook.objects.active().filter(team=team)
        field: Any = self.fields["told"]
        field.choices = [
            (EVERYBODY, "Everybody of the team"),
            *((f"staff-{one.pk}", one.get_username()) for one in self.staff.order_by("username")),
            *((f"webhook-{one.pk}", one.url) for one in self.webhooks.order_by("created_at")),
        ]

    def step(self) -> NewStep:
        """What was typed, as the action takes it."""
        data = self.cleaned_data
        kind, _, key = data["told"].partition("-")
        webhook = self.webhooks.get(pk=key) if kind == "webhook" else None
        return NewStep(
            minutes=data["minutes"],
            least=data["least"],
            staff=self.staff.get(pk=key) if kind == "staff" else None,
            webhook=webhook,
            by_browser=data["by_browser"] and webhook is None,
            by_email=data["by_email"] and webhook is None,
        )


class WebhookForm(forms.Form):
    """A webhook of a team: where, and of what beside the steps that name it."""

    url = forms.CharField(max_length=500, error_messages={"required": "Give an address."})
    kinds = forms.TypedMultipleChoiceField(
        choices=[(kind.value, kind.value) for kind in KINDS],
        coerce=EventKind,
        required=False,
        initial=[kind.value for kind in USUAL],
    )
    least = forms.TypedChoiceField(choices=Severity.choices, coerce=Severity)
    tells_summary = forms.BooleanField(required=False)

    def clean_url(self) -> str:
        """An address that a webhook may have."""
        url: str = self.cleaned_data["url"].strip()
        try:
            return checked_url(url, private=settings.WEBHOOK_PRIVATE_TARGETS)
        except BadTarget as error:
            raise ValidationError(f"Refused: {error}.") from None

    def wishes(self) -> Wishes:
        """What was typed, as the action takes it."""
        data = self.cleaned_data
        return Wishes(
            url=data["url"],
            kinds=data["kinds"],
            least=data["least"],
            tells_summary=data["tells_summary"],
        )
