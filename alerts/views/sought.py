"""What somebody wants to see of the dashboard: filters, a search, an order, and how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.db.models import Q

from alerts.models import AlertQuerySet, Severity
from memory.access import Somebody, memory_users
from memory.models import CarePlacement, Team
from memory.project.shipped import baseline
from memory.rights import Right

SHOWN = 100
MOST_SHOWN = 1_000
AGES = {
    "hour": ("in the last hour", timedelta(hours=1)),
    "day": ("in the last 24 hours", timedelta(days=1)),
    "week": ("in the last 7 days", timedelta(days=7)),
}
OLDER = "older"
SORTS = {
    "newest": ("newest first", ("-opened_at", "-pk")),
    "oldest": ("oldest first", ("opened_at", "pk")),
    "waiting": ("longest as it stands", ("status_at", "pk")),
    "person": ("by person", ("user__display_name", "user__external_id", "-opened_at", "-pk")),
}


@dataclass(frozen=True)
class Sought:
    """The narrowing of a dashboard; empty means none. `q` is sought in people and summaries."""

    q: str = ""
    severity: str = ""
    domain: str = ""
    team: str = ""
    owner: str = ""
    age: str = ""
    sort: str = "newest"
    most: str = ""

    @property
    def narrows(self) -> bool:
        """Whether something is left out."""
        return bool(self.q or self.severity or self.domain or self.team or self.owner or self.age)

    @property
    def shown(self) -> int:
        """How many alerts of a lane are shown."""
        return MOST_SHOWN if self.most else SHOWN

    @property
    def order(self) -> tuple[str, ...]:
        """The columns to sort a lane by."""
        return SORTS[self.sort][1]

    def apply(self, alerts: AlertQuerySet, somebody: Any, now: datetime) -> AlertQuerySet:
        """The alerts that pass."""
        which = Q()
        if self.q:
            which &= (
                Q(summary__icontains=self.q)
                | Q(user__display_name__icontains=self.q)
                | Q(user__external_id__icontains=self.q)
            )
        if self.severity:
            which &= Q(severity=self.severity)
        if self.domain:
            which &= Q(evidence__0__kind__startswith=f"{self.domain}.")
        if self.team:
            which &= Q(user__in=CarePlacement.objects.at(now).filter(team=self.team).values("user"))
        if self.owner:
            which &= Q(owner=somebody) if self.owner == "me" else Q(owner=None)
        if self.age in AGES:
            which &= Q(opened_at__gte=now - AGES[self.age][1])
        elif self.age == OLDER:
            which &= Q(opened_at__lt=now - AGES["week"][1])
        return alerts.filter(which)


class SoughtForm(forms.Form):
    """The filters above the lanes. They come by POST: no name stands in an address."""

    q = forms.CharField(
        label="Search",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Person or words"}),
    )
    severity = forms.ChoiceField(required=False, choices=[("", "any"), *Severity.choices])
    domain = forms.ChoiceField(required=False)
    team = forms.ChoiceField(required=False)
    owner = forms.ChoiceField(
        required=False, choices=[("", "anybody or nobody"), ("me", "me"), ("nobody", "nobody")]
    )
    age = forms.ChoiceField(
        label="Opened",
        required=False,
        choices=[
            ("", "at any time"),
            *((key, words) for key, (words, _) in AGES.items()),
            (OLDER, "more than 7 days ago"),
        ],
    )
    sort = forms.ChoiceField(
        required=False, choices=[(key, words) for key, (words, _) in SORTS.items()]
    )
    most = forms.ChoiceField(
        label="In a lane",
        required=False,
        choices=[("", f"at most {SHOWN}"), ("all", f"at most {MOST_SHOWN:,}")],
    )

    def __init__(self, given: Mapping[str, Any] | None, *, somebody: Somebody) -> None:
        super().__init__(given, auto_id="sought-%s")
        fields: dict[str, Any] = self.fields
        domains = sorted(baseline().domains)
        fields["domain"].choices = [("", "any"), *((one, one) for one in domains)]
        fields["team"].choices = [("", "any"), *_teams(somebody)]

    def sought(self) -> Sought:
        """What was asked for; what does not fit is left out."""
        self.is_valid()
        given: dict[str, str] = getattr(self, "cleaned_data", {})
        return Sought(**{name: value for name, value in given.items() if value})


def _teams(somebody: Somebody) -> list[tuple[str, str]]:
    """The teams in whose care those are whom somebody may see."""
    people = memory_users(somebody, Right.ALERTS_READ)
    teams = Team.objects.filter(placements__ends_at=None, placements__user__in=people)
    rows = teams.distinct().order_by("name").values_list("pk", "name")
    return [(str(pk), name) for pk, name in rows]
