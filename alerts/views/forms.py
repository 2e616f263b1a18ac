"""What staff write about alerts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms

from alerts.lifecycle import LONGEST_SHELVED
from alerts.models import OverrideReason, Severity

SPANS = (
    (1, "an hour"),
    (4, "4 hours"),
    (8, "8 hours"),
    (24, "a day"),
    (72, "3 days"),
    (168, "a week"),
    (720, "30 days"),
)
"""For how many hours an alert may be put aside, in words."""


class DismissForm(forms.Form):
    """Why a concern does not apply, where somebody wants to say it."""

    comment = forms.CharField(
        label="Why, if you like",
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="What the next reader should know. The same concern does not come back.",
    )


class OverrideForm(forms.Form):
    """Why an alert does not apply: a coded reason, and words where the code says too little."""

    reason = forms.ChoiceField(
        choices=OverrideReason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a reason."},
    )
    comment = forms.CharField(
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="What the next reader should know; needed for the reason Other.",
    )

    def clean(self) -> dict[str, Any]:
        """Refuse *other* without a comment."""
        cleaned = super().clean() or {}
        if cleaned.get("reason") == OverrideReason.OTHER and not cleaned.get("comment"):
            self.add_error("comment", "Say in a few words why the alert does not apply.")
        return cleaned


class ShelveForm(forms.Form):
    """For how long an alert is put aside, as long as its severity allows, and why."""

    hours = forms.TypedChoiceField(
        label="For",
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose for how long."},
    )
    comment = forms.CharField(
        label="Why",
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 2, "id": "id_shelve_comment"}),
        error_messages={"required": "Say in a few words why it can wait."},
        help_text="What the next reader should know. It opens again by itself.",
    )

    def __init__(self, *args: Any, severity: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        longest = LONGEST_SHELVED[Severity(severity)]
        choices = [(hours, words) for hours, words in SPANS if timedelta(hours=hours) <= longest]
        self.fields["hours"].choices = choices  # type: ignore[attr-defined]

    def until(self, now: datetime) -> datetime:
        """When it opens again."""
        return now + timedelta(hours=self.cleaned_data["hours"])
