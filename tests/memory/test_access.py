"""The only way to a person: roles, teams and dates for staff, scopes and reach for apps."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff

from memory import access
from memory.models import (
    App,
    AppKey,
    CarePlacement,
    MemoryUser,
    Reach,
    RoleGrant,
    Team,
    TeamMembership,
)
from memory.rights import EVERYBODY, NOBODY, RIGHTS, SCOPES, Right, Role
from tests.api_client import Api
from tests.people import new_person
from tests.proposals import bought, proposed
from tests.staff import new_key, new_staff, ward

OF_TEAMS = [right for right in Right if right not in EVERYBODY | NOBODY]


def key_of(secret: str) -> AppKey:
    return AppKey.objects.get(digest=AppKey.digest_of(secret))


def reaches(somebody: access.Somebody, person: MemoryUser, right: Right) -> bool:
    """Whether the door opens; list and single look-up must say the same."""
    listed = person in access.memory_users(somebody, right)
    try:
        found = access.memory_user(somebody, person.pk, right) == person
    except access.NotFound:
        found = False
    assert listed == found
    return found


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("right", Right)
def test_a_role_opens_what_the_table_says_and_nothing_else(
    person: MemoryUser, role: Role, right: Right
) -> None:
    staff = new_staff("somebody", role)
    may = right in RIGHTS[role]
    assert access.may(staff, right) == may
    assert reaches(staff, person, right) == (may and right not in NOBODY)


@pytest.mark.parametrize("right", OF_TEAMS)
def test_who_is_in_no_team_of_theirs_reaches_nobody(person: MemoryUser, right: Right) -> None:
    now = person.created_at
    other = Team.objects.create(name="Other", created_at=now)
    for staff in (
        new_staff("nowhere", *Role, in_team=False),
        new_staff("elsewhere", *Role, team=other),
    ):
        assert not reaches(staff, person, right)


def test_a_superuser_is_an_admin_and_sees_no_content(person: MemoryUser) -> None:
    root = Staff.objects.create_superuser("root", password="a-long-pass-phrase")
    TeamMembership.objects.create(team=ward(), staff=root, starts_at=person.created_at)
    assert access.rights_of(root) == RIGHTS[Role.ADMIN]
    assert reaches(root, person, Right.ADMINISTER)
    assert not reaches(root, person, Right.STATE_READ)


@pytest.mark.parametrize("model", [RoleGrant, TeamMembership, CarePlacement])
@pytest.mark.parametrize(
    ("starts", "ends", "holds"),
    [(-1, None, True), (-2, -1, False), (-1, 1, True), (1, None, False), (1, 2, False)],
)
def test_roles_memberships_and_placements_hold_between_their_dates(
    caregiver: Staff,
    person: MemoryUser,
    now: datetime,
    model: type[RoleGrant],
    starts: int,
    ends: int | None,
    holds: bool,
) -> None:
    model.objects.update(
        starts_at=now + timedelta(hours=starts),
        ends_at=None if ends is None else now + timedelta(hours=ends),
    )
    assert reaches(caregiver, person, Right.ALERTS_READ) == holds
    watched = access.watchers([person.pk], Right.ALERTS_READ)
    assert watched == {person.pk: {caregiver.pk} if holds else set()}


@pytest.mark.parametrize("right", Right)
def test_who_may_see_a_person_is_told_the_same_from_both_sides(
    person: MemoryUser, caregiver: Staff, outsider: Staff, right: Right
) -> None:
    other = new_person(placed=False)
    former = new_staff("former", *Role)
    Staff.objects.filter(pk=former.pk).update(is_active=False)
    everyone = [caregiver, outsider, new_staff("elsewhere", *Role, in_team=False)]
    everyone += [new_staff(f"only {role.value}", role) for role in Role]
    if right in EVERYBODY | NOBODY:
        return
    watched = access.watchers([person.pk, other.pk], right)
    for one in (person, other):
        expected = {staff.pk for staff in everyone if reaches(staff, one, right)}
        assert watched[one.pk] == expected


def test_who_is_nobody_reaches_nobody(
    caregiver: Staff, outsider: Staff, person: MemoryUser
) -> None:
    caregiver.is_active = False
    for somebody in (caregiver, outsider, AnonymousUser(), None):
        for right in Right:
            assert not reaches(somebody, person, right)


def test_who_is_forbidden_hears_what_is_heard_of_the_absent(
    app: App, outsider: Staff, person: MemoryUser
) -> None:
    with pytest.raises(access.NotFound) as forbidden:
        access.memory_user(outsider, person.pk, Right.STATE_READ)
    with pytest.raises(access.NotFound) as absent:
        access.memory_user(app, uuid4(), Right.STATE_READ)
    assert str(forbidden.value) == str(absent.value)


@pytest.mark.parametrize("scope", SCOPES)
def test_a_key_opens_what_its_scope_says(person: MemoryUser, scope: Right) -> None:
    key = key_of(new_key("one", scopes=[scope]))
    for right in Right:
        assert reaches(key, person, right) == (right == scope)


def test_a_key_reaches_all_people_those_listed_or_those_its_app_has_made(
    api: Api, person: MemoryUser
) -> None:
    own = MemoryUser.objects.get(pk=api.post("users", {"external_id": "own"}).json()["user_id"])
    everyone = {person, own}
    keys = {
        "all": (new_key("other"), everyone),
        "listed": (new_key("other", people=[person]), {person}),
        "own": (new_key("chat", reach=Reach.OWN), {own}),
        "none of its own": (new_key("other", reach=Reach.OWN), set()),
    }
    for secret, reach in keys.values():
        key = key_of(secret)
        assert {one for one in everyone if reaches(key, one, Right.STATE_READ)} == reach


def test_a_proposal_is_for_reviewers_of_the_team(
    app: App, api: Api, caregiver: Staff, outsider: Staff, person: MemoryUser
) -> None:
    api.append(person, bought("a lamp"))
    proposal = proposed(person)
    assert access.proposal(caregiver, proposal.pk) == proposal
    assert list(access.proposals(caregiver).open()) == [proposal]
    others = [new_staff(f"only {role.value}", role) for role in Role if role != Role.REVIEWER]
    others.append(new_staff("elsewhere", Role.REVIEWER, in_team=False))
    for somebody in (app, outsider, AnonymousUser(), None, *others):
        assert list(access.proposals(somebody)) == []
        with pytest.raises(access.NotFound):
            access.proposal(somebody, proposal.pk)
