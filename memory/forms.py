"""What staff write about a person's code."""

from __future__ import annotations

from django import forms

LONGEST_REASON = 2_000


class RejectForm(forms.Form):
    """Why a proposal is sent back."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Say in a few words why it is rejected."},
        help_text="What the next reader should know. The facts go on waiting.",
    )
