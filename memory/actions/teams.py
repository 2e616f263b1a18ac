"""Teams: who belongs to them, and for whom they care. Nothing is deleted, only ended."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import audit
from memory.actions.entitled import Administrator, check_entitled
from memory.models import CarePlacement, MemoryUser, Team, TeamMembership
from memory.standing import announce_change


class NameTaken(Exception):
    """Another team has this name."""


class AlreadyThere(Exception):
    """They are in the team already, or will be."""


class AlreadyEnded(Exception):
    """It has ended, or will have by then."""


class EndsTooEarly(ValueError):
    """It would end before it begins."""


@transaction.atomic
def create_team(*, name: str, actor: Administrator, now: datetime) -> Team:
    """A new team, of nobody and for nobody yet. Raises NameTaken."""
    check_entitled(actor)
    team, created = Team.objects.get_or_create(name=name, defaults={"created_at": now})
    if not created:
        raise NameTaken(name)
    audit.record("team.create", actor=actor, now=now, of="team", object_id=team.pk)
    return team


@transaction.atomic
def rename_team(*, team: Team, name: str, actor: Administrator, now: datetime) -> None:
    """Call a team otherwise. Raises NameTaken."""
    check_entitled(actor)
    if Team.objects.filter(name=name).exclude(pk=team.pk).exists():
        raise NameTaken(name)
    Team.objects.filter(pk=team.pk).update(name=name)
    team.name = name
    audit.record("team.rename", actor=actor, now=now, of="team", object_id=team.pk)


@transaction.atomic
def add_member(
    *,
    team: Team,
    staff: Staff,
    actor: Administrator,
    now: datetime,
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
) -> TeamMembership:
    """Let a member of staff see the people of a team, from now on unless told.

    Raises AlreadyThere and EndsTooEarly.
    """
    check_entitled(actor)
    begins = _begins(now, starts_at, ends_at)
    Team.objects.select_for_update().get(pk=team.pk)
    if TeamMembership.objects.unended(begins).filter(team=team, staff=staff).exists():
        raise AlreadyThere(staff.pk)
    made = TeamMembership.objects.create(team=team, staff=staff, starts_at=begins, ends_at=ends_at)
    _record("team.add_member", made, actor, now)
    return made


@transaction.atomic
def end_membership(
    *, membership: TeamMembership, actor: Administrator, now: datetime, at: datetime | None = None
) -> None:
    """Take a member of staff out of a team, at once unless told; open pages close.

    Raises AlreadyEnded.
    """
    check_entitled(actor)
    _end(TeamMembership.objects.filter(pk=membership.pk), now, at)
    _record("team.end_membership", membership, actor, now)


@transaction.atomic
def place_person(
    *,
    user: MemoryUser,
    team: Team,
    actor: Administrator,
    now: datetime,
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
) -> CarePlacement:
    """Put a person into a team's care, from now on unless told.

    Raises AlreadyThere and EndsTooEarly.
    """
    check_entitled(actor)
    begins = _begins(now, starts_at, ends_at)
    Team.objects.select_for_update().get(pk=team.pk)
    if CarePlacement.objects.unended(begins).filter(team=team, user=user).exists():
        raise AlreadyThere(user.pk)
    made = CarePlacement.objects.create(team=team, user=user, starts_at=begins, ends_at=ends_at)
    audit.record("team.place", actor=actor, now=now, person=user.pk, of="team", object_id=team.pk)
    announce_change()
    return made


@transaction.atomic
def end_placement(
    *, placement: CarePlacement, actor: Administrator, now: datetime, at: datetime | None = None
) -> None:
    """Take a person out of a team's care, at once unless told. Raises AlreadyEnded."""
    check_entitled(actor)
    _end(CarePlacement.objects.filter(pk=placement.pk), now, at)
    audit.record(
        "team.end_placement",
        actor=actor,
        now=now,
        person=placement.user_id,
        of="team",
        object_id=placement.team_id,
    )
    announce_change()


def _begins(now: datetime, starts_at: datetime | None, ends_at: datetime | None) -> datetime:
    begins = starts_at or now
    if ends_at is not None and ends_at < begins:
        raise EndsTooEarly
    return begins


def _end(rows: Any, now: datetime, at: datetime | None) -> None:
    """End what holds now or begins later; what has not begun by then never will have."""
    ends = at or now
    found = rows.unended(ends).select_for_update().first()
    if found is None:
        raise AlreadyEnded
    found.starts_at = min(found.starts_at, ends)
    found.ends_at = ends
    found.save(update_fields=["starts_at", "ends_at"])


def _record(action: str, membership: TeamMembership, actor: Administrator, now: datetime) -> None:
    audit.record(action, actor=actor, now=now, of="membership", object_id=membership.pk)
    announce_change()
