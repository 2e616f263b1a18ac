"""Who may put whom into which team, and give or take which role; nothing of it is deleted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from memory import access
from memory.actions.staff import (
    LastAdmin,
    NotGranted,
    disable_staff,
    enable_staff,
    grant_role,
    withdraw_role,
)
from memory.actions.teams import (
    AlreadyEnded,
    AlreadyThere,
    EndsTooEarly,
    NameTaken,
    add_member,
    create_team,
    end_membership,
    end_placement,
    place_person,
    rename_team,
)
from memory.audit import CONSOLE
from memory.models import CarePlacement, MemoryUser, RoleGrant, Team, TeamMembership
from memory.rights import Right, Role
from tests.people import new_person
from tests.staff import new_staff, ward

DAY = timedelta(days=1)


@pytest.fixture
def boss(transactional_db: None) -> Staff:
    """An admin."""
    return new_staff("boss", Role.ADMIN, in_team=False)


def sees(staff: Staff, person: MemoryUser) -> bool:
    return person in access.memory_users(staff, Right.ALERTS_READ)


def test_an_admin_makes_a_team_and_those_in_it_see_its_people(boss: Staff, now: datetime) -> None:
    member, person = new_staff("nurse", Role.CAREGIVER, in_team=False), new_person(placed=False)
    team = create_team(name="Night", actor=boss, now=now)
    placed = place_person(user=person, team=team, actor=boss, now=now)
    assert not sees(member, person)
    membership = add_member(team=team, staff=member, actor=boss, now=now)
    assert sees(member, person)
    end_membership(membership=membership, actor=boss, now=now)
    assert not sees(member, person)
    add_member(team=team, staff=member, actor=boss, now=now)
    assert sees(member, person)
    end_placement(placement=placed, actor=boss, now=now)
    assert not sees(member, person)
    assert (TeamMembership.objects.count(), CarePlacement.objects.count()) == (2, 1)


def test_what_begins_later_is_not_yet_and_may_be_called_off(
    boss: Staff, person: MemoryUser, now: datetime
) -> None:
    member = new_staff("nurse", Role.CAREGIVER, in_team=False)
    later = {"starts_at": now + DAY, "ends_at": now + 2 * DAY}
    membership = add_member(team=ward(), staff=member, actor=boss, now=now, **later)
    assert not sees(member, person)
    end_membership(membership=membership, actor=boss, now=now)
    membership.refresh_from_db()
    assert not membership.holds_at(now + DAY)
    with pytest.raises(AlreadyEnded):
        end_membership(membership=membership, actor=boss, now=now)


def test_an_end_may_be_set_ahead(boss: Staff, caregiver: Staff, now: datetime) -> None:
    membership = TeamMembership.objects.get(staff=caregiver)
    end_membership(membership=membership, actor=boss, now=now, at=now + DAY)
    membership.refresh_from_db()
    assert membership.holds_at(now)
    assert not membership.holds_at(now + DAY)


def test_nobody_is_in_a_team_twice(
    boss: Staff, caregiver: Staff, person: MemoryUser, now: datetime
) -> None:
    with pytest.raises(AlreadyThere):
        add_member(team=ward(), staff=caregiver, actor=boss, now=now)
    with pytest.raises(AlreadyThere):
        place_person(user=person, team=ward(), actor=boss, now=now)
    with pytest.raises(EndsTooEarly):
        add_member(team=ward(), staff=boss, actor=boss, now=now, ends_at=now - DAY)
    with pytest.raises(NameTaken):
        create_team(name=ward().name, actor=boss, now=now)
    other = create_team(name="Night", actor=boss, now=now)
    with pytest.raises(NameTaken):
        rename_team(team=other, name=ward().name, actor=boss, now=now)
    rename_team(team=other, name="Day", actor=boss, now=now)
    assert Team.objects.get(pk=other.pk).name == "Day"


def test_a_role_is_given_and_taken_and_the_history_stays(
    boss: Staff, person: MemoryUser, now: datetime
) -> None:
    member = new_staff("nurse")
    assert grant_role(staff=member, role=Role.CAREGIVER, actor=boss, now=now)
    assert not grant_role(staff=member, role=Role.CAREGIVER, actor=boss, now=now)
    assert sees(member, person)
    withdraw_role(staff=member, role=Role.CAREGIVER, actor=boss, now=now)
    assert not sees(member, person)
    with pytest.raises(NotGranted):
        withdraw_role(staff=member, role=Role.CAREGIVER, actor=boss, now=now)
    assert RoleGrant.objects.filter(staff=member).count() == 1


def test_who_is_let_in_no_more_sees_nobody_and_may_be_let_in_again(
    boss: Staff, person: MemoryUser, now: datetime
) -> None:
    member = new_staff("nurse", Role.CAREGIVER)
    assert disable_staff(staff=member, actor=boss, now=now)
    assert not disable_staff(staff=member, actor=boss, now=now)
    member.refresh_from_db()
    assert not sees(member, person)
    assert enable_staff(staff=member, actor=boss, now=now)
    member.refresh_from_db()
    assert sees(member, person)


def test_the_last_admin_stays(boss: Staff, now: datetime) -> None:
    with pytest.raises(LastAdmin):
        withdraw_role(staff=boss, role=Role.ADMIN, actor=boss, now=now)
    with pytest.raises(LastAdmin):
        disable_staff(staff=boss, actor=boss, now=now)
    other, now = new_staff("other", Role.ADMIN), timezone.now()
    withdraw_role(staff=boss, role=Role.ADMIN, actor=boss, now=now)
    with pytest.raises(LastAdmin):
        disable_staff(staff=other, actor=CONSOLE, now=now)


Act = Callable[..., Any]
ACTS: dict[str, Act] = {
    "create a team": lambda **by: create_team(name="Mine", **by),
    "rename a team": lambda **by: rename_team(team=ward(), name="Mine", **by),
    "join a team": lambda **by: add_member(team=ward(), staff=by["actor"], **by),
    "take somebody out": lambda **by: end_membership(
        membership=TeamMembership.objects.earliest("pk"), **by
    ),
    "place a person": lambda **by: place_person(user=new_person(placed=False), team=ward(), **by),
    "end a placement": lambda **by: end_placement(
        placement=CarePlacement.objects.earliest("pk"), **by
    ),
    "become an admin": lambda **by: grant_role(staff=by["actor"], role=Role.ADMIN, **by),
    "withdraw a role": lambda **by: withdraw_role(
        staff=Staff.objects.get(username="boss"), role=Role.ADMIN, **by
    ),
    "disable somebody": lambda **by: disable_staff(staff=Staff.objects.get(username="boss"), **by),
    "enable somebody": lambda **by: enable_staff(staff=Staff.objects.get(username="boss"), **by),
}


@pytest.mark.parametrize("act", ACTS)
def test_nobody_but_an_admin_may(
    boss: Staff, caregiver: Staff, person: MemoryUser, now: datetime, act: str
) -> None:
    auditor = new_staff("auditor", Role.AUDITOR)
    for somebody in (caregiver, auditor, AnonymousUser(), None):
        with pytest.raises(PermissionDenied):
            ACTS[act](actor=somebody, now=now)
    assert access.may(boss, Right.ADMINISTER)
