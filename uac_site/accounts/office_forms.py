"""What admins type about staff, teams and keys."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import User as Staff
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils import timezone

from memory.actions.app_keys import LIFETIME, OVERLAP, Grant
from memory.models import App, MemoryUser, Reach, Team
from memory.rights import SCOPES, Right, Role

LONGEST_DAYS = 3_650


class NewStaffForm(forms.Form):
    """Who comes to work here."""

    username = forms.CharField(max_length=150, validators=[UnicodeUsernameValidator()])
    full_name = forms.CharField(max_length=200, required=False)
    roles = forms.MultipleChoiceField(choices=Role.choices, required=False)


class RoleForm(forms.Form):
    """One role, given or taken back."""

    role = forms.TypedChoiceField(choices=Role.choices, coerce=Role)


class EmailForm(forms.Form):
    """Where e-mails to a member of staff go."""

    email = forms.EmailField(max_length=254, required=False)


class TeamForm(forms.Form):
    """What a team is called."""

    name = forms.CharField(max_length=80, error_messages={"required": "A team needs a name."})


class SpanForm(forms.Form):
    """From a day on, to the end of another; days are those of UTC."""

    from_day = forms.DateField(required=False)
    until_day = forms.DateField(required=False)

    def clean_from_day(self) -> date | None:
        """What has been is not changed afterwards."""
        day: date | None = self.cleaned_data["from_day"]
        if day is not None and day < timezone.now().date():
            raise ValidationError("A day that is over: leave it empty for from now on.")
        return day

    def clean(self) -> dict[str, Any]:
        """The last day is not before the first."""
        first = self.cleaned_data.get("from_day") or timezone.now().date()
        last = self.cleaned_data.get("until_day")
        if last is not None and last < first:
            self.add_error("until_day", "This is before the first day.")
        return self.cleaned_data

    def span(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """The two moments, None where nothing was said; today begins now."""
        first, last = self.cleaned_data["from_day"], self.cleaned_data["until_day"]
        starts = _midnight(first) if first is not None and first > now.date() else None
        return starts, None if last is None else _midnight(last + timedelta(days=1))


class MemberForm(SpanForm):
    """A member of staff for a team."""

    staff = forms.ModelChoiceField(
        Staff.objects.filter(is_staff=True, is_active=True),
        error_messages={"required": "Choose somebody.", "invalid_choice": "Choose somebody."},
    )


class PlacementForm(SpanForm):
    """A person for a team: by id, or by what they are called."""

    person = forms.CharField(max_length=200, error_messages={"required": "Type a name or an id."})


class KeyForm(forms.Form):
    """What a new key is for."""

    app = forms.CharField(max_length=80, error_messages={"required": "Name the app."})
    team = forms.ModelChoiceField(Team.objects.order_by("name"), required=False)
    scopes = forms.TypedMultipleChoiceField(
        choices=[(scope.value, scope.value) for scope in SCOPES],
        coerce=Right,
        error_messages={"required": "Choose what the key may do."},
    )
    reach = forms.TypedChoiceField(choices=Reach.choices, coerce=Reach, initial=Reach.OWN)
    people = forms.CharField(required=False, max_length=20_000)
    days = forms.IntegerField(min_value=1, max_value=LONGEST_DAYS, initial=LIFETIME.days)
    requests_per_minute = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)

    def clean_people(self) -> list[MemoryUser]:
        """Each line must be somebody's id."""
        found, unknown = [], []
        for line in filter(None, map(str.strip, self.cleaned_data["people"].splitlines())):
            person = MemoryUser.objects.filter(pk=line).first() if _is_id(line) else None
            if person is None:
                unknown.append(line)
            else:
                found.append(person)
        if unknown:
            raise ValidationError(f"{len(unknown)} of the lines are nobody's id: see the list.")
        return found

    def clean(self) -> dict[str, Any]:
        """People belong to a reach of listed, and to no other."""
        data = self.cleaned_data
        listed = data.get("reach") == Reach.LISTED
        if "people" in data and listed != bool(data["people"]):
            words = "List the people." if listed else "Only a key for listed people lists some."
            self.add_error("people", words)
        return data

    def grant(self) -> Grant:
        """What was typed, as the action takes it."""
        data = self.cleaned_data
        return Grant(
            scopes=data["scopes"],
            reach=data["reach"],
            people=[person.pk for person in data["people"]],
            lifetime=timedelta(days=data["days"]),
            requests_per_minute=data["requests_per_minute"],
        )


class RotateForm(forms.Form):
    """How long both keys open the door."""

    days = forms.IntegerField(min_value=0, max_value=90, initial=OVERLAP.days)


class AppTeamForm(forms.Form):
    """Whose care people come into whom an app introduces."""

    app = forms.ModelChoiceField(App.objects.all())
    team = forms.ModelChoiceField(Team.objects.order_by("name"), required=False)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _is_id(text: str) -> bool:
    try:
        MemoryUser._meta.pk.to_python(text)
    except ValidationError:
        return False
    return True
