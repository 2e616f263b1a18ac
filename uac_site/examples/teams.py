"""The teams of the examples: whom they care for, and which logins belong to them."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from django.contrib.auth.models import User as Staff

from memory.actions.teams import (
    AlreadyThere,
    NameTaken,
    add_member,
    create_team,
    place_person,
)
from memory.audit import CONSOLE
from memory.models import MemoryUser, Team

TEAMS = ("Home care", "Travel desk")


def team_called(name: str, now: datetime) -> Team:
    """The team of that name, made if there is none."""
    try:
        return create_team(name=name, actor=CONSOLE, now=now)
    except NameTaken:
        return Team.objects.get(name=name)


def place(user: MemoryUser, team: str, now: datetime) -> None:
    """Put a person into a team's care, once: where somebody has taken them out they stay out."""
    if not user.placements.filter(team__name=team).exists():
        with suppress(AlreadyThere):
            place_person(user=user, team=team_called(team, now), actor=CONSOLE, now=now)


def join_all(staff: Staff, now: datetime) -> None:
    """Make somebody a member of every team of the examples."""
    for name in TEAMS:
        add_member(team=team_called(name, now), staff=staff, actor=CONSOLE, now=now)
