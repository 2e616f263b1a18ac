"""What staff write about a person's code, and what admins say of a key."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django import forms

from memory.actions.app_keys import LIFETIME, Grant
from memory.actions.change_requests import LONGEST_COMMENT
from memory.models import MemoryUser, Reach, Team
from memory.rights import SCOPES, Right

LONGEST_REASON = 2_000


class RejectForm(forms.Form):
    """Why a proposal is sent back."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Say in a few words why it is rejected."},
        help_text="What the next reader should know. The facts go on waiting.",
    )


class ChangesForm(forms.Form):
    """What is to be otherwise in the next attempt at a proposal."""

    comment = forms.CharField(
        max_length=LONGEST_COMMENT,
        required=False,  # comments on lines may say all there is to say
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The model reads this and the comments on lines that are not settled, together "
        "with the code, and writes another proposal.",
    )


class RestoreForm(forms.Form):
    """Why an earlier version of a person's code is brought back."""

    reason = forms.CharField(
        max_length=LONGEST_REASON - 200,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Say in a few words why it is brought back."},
        help_text="Whoever decides reads it first.",
    )


class NewKeyForm(forms.Form):
    """What a new key may do, to whom, and for how long; `grant` is what it comes to."""

    app = forms.CharField(max_length=80, help_text="The app's name; it is made if there is none.")
    team = forms.ModelChoiceField(
        Team.objects.order_by("name"),
        required=False,
        help_text="The team that cares for people whom the app introduces. Without one, nobody "
        "sees their alerts until somebody places them.",
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope.value, scope.value) for scope in SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=[scope.value for scope in SCOPES],
    )
    reach = forms.ChoiceField(choices=Reach.choices, initial=Reach.OWN)
    people = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="With a reach of listed: the ids of the people, one a line.",
    )
    days = forms.IntegerField(min_value=1, max_value=3_650, initial=LIFETIME.days)
    requests_per_minute = forms.IntegerField(
        min_value=1, required=False, help_text="Empty: as the site's settings say."
    )

    def clean_people(self) -> list[UUID]:
        """The people named, all of whom are there."""
        try:
            ids = [UUID(word) for word in self.cleaned_data["people"].split()]
        except ValueError as error:
            raise forms.ValidationError("Give the ids that the API calls user_id.") from error
        known = set(MemoryUser.objects.filter(pk__in=ids).values_list("pk", flat=True))
        if missing := [str(one) for one in ids if one not in known]:
            raise forms.ValidationError(f"There is nobody with the id {', '.join(missing)}.")
        return ids

    def clean(self) -> dict[str, Any]:
        """All of it together."""
        said = super().clean() or {}
        if not self.errors:
            try:
                said["grant"] = Grant(
                    scopes=[Right(scope) for scope in said["scopes"]],
                    reach=Reach(said["reach"]),
                    people=said["people"],
                    lifetime=timedelta(days=said["days"]),
                    requests_per_minute=said["requests_per_minute"],
                )
            except ValueError as error:
                raise forms.ValidationError(str(error)) from error
        return said
