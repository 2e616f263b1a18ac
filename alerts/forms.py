"""What staff write about alerts."""

from __future__ import annotations

from typing import Any

from django import forms

from alerts.models import OverrideReason


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
