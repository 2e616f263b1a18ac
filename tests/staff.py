"""Staff with roles in the team that every test has, and apps with keys."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from memory.actions.app_keys import Grant, create_app_key
from memory.audit import CONSOLE
from memory.models import MemoryUser, Reach, RoleGrant, Team, TeamMembership
from memory.rights import SCOPES, Right, Role

PASSWORD = "a-long-pass-phrase"


@cache
def hashed_password() -> str:
    """Hashing is slow by design, and one hash does for all."""
    return make_password(PASSWORD)


def ward() -> Team:
    """The team that cares for everybody unless a test says otherwise."""
    return Team.objects.get_or_create(name="Ward", defaults={"created_at": timezone.now()})[0]


def new_staff(name: str, *roles: Role, team: Team | None = None, in_team: bool = True) -> Staff:
    """A member of staff with these roles, in the team unless told."""
    now = timezone.now()
    staff = Staff.objects.create(username=name, password=hashed_password(), is_staff=True)
    for role in roles:
        RoleGrant.objects.create(staff=staff, role=role, starts_at=now)
    if in_team:
        TeamMembership.objects.create(team=team or ward(), staff=staff, starts_at=now)
    return staff


def new_key(
    app: str,
    *,
    scopes: Collection[Right] = SCOPES,
    people: Collection[MemoryUser] = (),
    reach: Reach | None = None,
    now: datetime | None = None,
) -> str:
    """The secret of a new key, of every scope and over everybody unless told."""
    grant = Grant(
        scopes=scopes,
        reach=reach or (Reach.LISTED if people else Reach.ALL),
        people=[person.pk for person in people],
    )
    now = now or timezone.now()
    _, secret = create_app_key(app_name=app, grant=grant, actor=CONSOLE, now=now)
    return secret
