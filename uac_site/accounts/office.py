"""What admins look at: staff with their roles, teams and state, read in a few queries each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django_otp.plugins.otp_totp.models import TOTPDevice

from memory import access
from memory.models import CarePlacement, MemoryUser, RoleGrant, Team, TeamMembership
from memory.rights import Right, Role
from uac_site.accounts.models import PasswordDue
from uac_site.accounts.second_factor import DEMANDING

MOST_FOUND = 20


@dataclass
class Member:
    """A member of staff in a list."""

    staff: Staff
    roles: list[Role] = field(default_factory=list)
    teams: list[Team] = field(default_factory=list)
    enrolled: bool = False
    password_due: bool = False

    @property
    def second_factor(self) -> tuple[str, str]:
        """A tag and its words."""
        if self.enrolled:
            return "good", "set up"
        if self.staff.is_superuser or any(role in DEMANDING for role in self.roles):
            return "warning", "due at login"
        return "plain", "not set up"


def admin_of(request: HttpRequest) -> Staff:
    """The admin whose request this is. Raises PermissionDenied."""
    return access.staff(request.user, Right.ADMINISTER)


def members(found: Iterable[Staff], now: datetime) -> list[Member]:
    """What the list says of each; six queries, however many they are."""
    rows = {staff.pk: Member(staff) for staff in found}
    grants = RoleGrant.objects.at(now).filter(staff__in=rows).order_by("role")
    for pk, role in grants.values_list("staff", "role"):
        rows[pk].roles.append(Role(role))
    teams = Team.objects.in_bulk()
    memberships = TeamMembership.objects.at(now).filter(staff__in=rows).order_by("team__name")
    for pk, team in memberships.values_list("staff", "team"):
        rows[pk].teams.append(teams[team])
    devices = TOTPDevice.objects.filter(user__in=rows, confirmed=True)
    for pk in devices.values_list("user", flat=True):
        rows[pk].enrolled = True
    for pk in PasswordDue.objects.filter(pk__in=rows).values_list("pk", flat=True):
        rows[pk].password_due = True
    return list(rows.values())


def staff_found(sought: str) -> QuerySet[Staff]:
    """Staff by name, those who may not come in last."""
    found = Staff.objects.filter(is_staff=True).order_by("-is_active", "username")
    if sought:
        names = ("username", "first_name", "last_name")
        matches = [Q(**{f"{name}__icontains": sought}) for name in names]
        found = found.filter(matches[0] | matches[1] | matches[2])
    return found


def teams_with_counts(now: datetime) -> list[tuple[Team, int, int]]:
    """Each team with how many belong to it and how many it cares for at the moment."""
    staff: dict[UUID, int] = defaultdict(int)
    people: dict[UUID, int] = defaultdict(int)
    for pk in TeamMembership.objects.at(now).values_list("team", flat=True):
        staff[pk] += 1
    for pk in CarePlacement.objects.at(now).values_list("team", flat=True):
        people[pk] += 1
    return [(team, staff[team.pk], people[team.pk]) for team in Team.objects.order_by("name")]


def team_of(team_id: UUID) -> Team:
    """The team with this id. Raises NotFound."""
    try:
        return Team.objects.get(pk=team_id)
    except Team.DoesNotExist:
        raise access.NotFound from None


def in_nobodys_care(admin: Staff, now: datetime) -> QuerySet[MemoryUser]:
    """People whose alerts nobody sees: no team cares for them."""
    placed = CarePlacement.objects.at(now).values("user")
    return access.memory_users(admin, Right.ADMINISTER).exclude(pk__in=placed)


def people_called(admin: Staff, words: str) -> list[MemoryUser]:
    """The people with this id, or else called so; not more than 20, by name."""
    known = access.memory_users(admin, Right.ADMINISTER)
    words = words.replace("\0", "").strip()
    try:
        by_id: Any = MemoryUser._meta.pk.to_python(words)
    except ValidationError:
        by_id = None
    exact = known.filter(pk=by_id) if by_id else known.filter(external_id=words)
    if found := list(exact[:MOST_FOUND]):
        return found
    return list(known.filter(display_name__icontains=words).order_by("display_name")[:MOST_FOUND])
