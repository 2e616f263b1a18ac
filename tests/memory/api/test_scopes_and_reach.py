"""What a key may do, to whom, how often and until when."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from pytest_django import Settings

from alerts.models import Alert
from memory.actions.app_keys import (
    EVERYTHING,
    Grant,
    NotActive,
    create_app_key,
    revoke_app_key,
    rotate_app_key,
)
from memory.audit import CONSOLE
from memory.models import AppKey, CarePlacement, MemoryUser, Reach, Team
from memory.rights import SCOPES, Right, Role
from tests.api_client import Api, pointers
from tests.facts import allergy, medication, note
from tests.people import new_person
from tests.staff import new_key, new_staff, ward


def key_of(secret: str) -> AppKey:
    return AppKey.objects.get(digest=AppKey.digest_of(secret))


def _told(answer: Any) -> dict[str, Any]:
    """What an answer tells, without the id of its own request."""
    told: dict[str, Any] = answer.json()
    return {name: told[name] for name in told if name != "request_id"}


def test_a_key_without_a_scope_is_told_which_it_lacks(person: MemoryUser) -> None:
    api = Api(new_key("chat", scopes=[Right.FACTS_WRITE]))
    api.append(person, note("one"))
    refused = api.get(f"users/{person.pk}/facts")
    assert refused.status_code == 403
    assert "facts:read" in refused.json()["detail"]
    pointers(refused)


def test_a_scope_is_looked_at_before_the_person(person: MemoryUser) -> None:
    """Else a key without it could tell who is there."""
    api = Api(new_key("chat", scopes=[Right.FACTS_WRITE]))
    there, absent = (
        api.get(f"users/{one}/state") for one in (person.pk, "00000000-0000-4000-8000-000000000000")
    )
    assert there.status_code == absent.status_code == 403
    assert _told(there) == _told(absent)


def test_a_key_that_may_not_read_alerts_is_not_told_of_those_its_facts_raise(
    person: MemoryUser,
) -> None:
    api = Api(new_key("chat", scopes=[Right.FACTS_WRITE]))
    answer = api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    assert answer["alerts"] is None
    assert answer["evaluation"]["status"] == "done"
    assert Alert.objects.count() == 1


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options"])
def test_a_method_that_nothing_answers_is_not_one(
    api: Api, person: MemoryUser, method: str
) -> None:
    assert getattr(api.client, method)(f"/api/v1/users/{person.pk}").status_code == 405


def test_two_apps_may_call_two_people_the_same_and_learn_nothing_of_each_other(
    transactional_db: None,
) -> None:
    one, two = (Api(new_key(name, reach=Reach.OWN)) for name in ("one", "two"))
    made = [api.post("users", {"external_id": "ada"}) for api in (one, two, one)]
    assert [answer.status_code for answer in made] == [201, 201, 200]
    ids = [answer.json()["user_id"] for answer in made]
    assert ids[0] == ids[2] != ids[1]
    assert two.get("users", external_id="ada").json()["user_id"] == ids[1]
    assert two.get(f"users/{ids[0]}").status_code == 404


def test_a_key_that_reaches_listed_people_makes_nobody(person: MemoryUser) -> None:
    api = Api(new_key("chat", people=[person]))
    absent, there = new_person(), api.post("users", {"external_id": person.external_id})
    assert there.status_code == 200
    refusals = [api.post("users", {"external_id": one}) for one in ("new", absent.external_id)]
    assert [answer.status_code for answer in refusals] == [404, 404]
    assert _told(refusals[0]) == _told(refusals[1])
    assert not MemoryUser.objects.filter(external_id="new").exists()


def test_people_come_into_the_care_of_the_apps_team(transactional_db: None, now: datetime) -> None:
    _, secret = create_app_key(
        app_name="chat", grant=EVERYTHING, actor=CONSOLE, now=now, team=ward()
    )
    made = Api(secret).post("users", {"external_id": "ada"}).json()
    assert CarePlacement.objects.get().user_id.hex == made["user_id"].replace("-", "")
    assert CarePlacement.objects.get().team == ward()


def test_a_key_ends_on_its_day(person: MemoryUser) -> None:
    api = Api(secret := new_key("chat"))
    assert api.get(f"users/{person.pk}").status_code == 200
    AppKey.objects.update(expires_at=key_of(secret).created_at)
    refused = api.get(f"users/{person.pk}")
    assert refused.status_code == 401
    assert "expired" in refused.json()["detail"]


def test_a_rotated_key_and_its_successor_both_open_until_the_overlap_ends(
    person: MemoryUser, now: datetime
) -> None:
    old = new_key("chat", scopes=[Right.USERS_READ], people=[person], now=now)
    made, new = rotate_app_key(key=key_of(old), actor=CONSOLE, now=now, overlap=timedelta(days=3))
    for secret in (old, new):
        assert Api(secret).get(f"users/{person.pk}").status_code == 200
        assert Api(secret).get(f"users/{person.pk}/state").status_code == 403
        assert Api(secret).get(f"users/{new_person().pk}").status_code == 404
    assert made.replaces == key_of(old)
    assert made.expires_at == now + timedelta(days=365)
    assert key_of(old).expires_at == now + timedelta(days=3)


def test_an_overlap_does_not_lengthen_a_keys_life(person: MemoryUser, now: datetime) -> None:
    old = new_key("chat", now=now)
    AppKey.objects.update(expires_at=now + timedelta(days=1))
    rotate_app_key(key=key_of(old), actor=CONSOLE, now=now, overlap=timedelta(days=30))
    assert key_of(old).expires_at == now + timedelta(days=1)


def test_a_revoked_key_is_not_rotated(transactional_db: None, now: datetime) -> None:
    key = key_of(new_key("chat", now=now))
    revoke_app_key(key=key, actor=CONSOLE, now=now)
    with pytest.raises(NotActive):
        rotate_app_key(key=key, actor=CONSOLE, now=now)


def test_a_key_may_have_a_limit_of_its_own(person: MemoryUser, settings: Settings) -> None:
    secret = new_key("chat")
    AppKey.objects.update(requests_per_minute=2)
    answers = [Api(secret).get(f"users/{person.pk}").status_code for _ in range(6)]
    assert answers[:2] == [200, 200]
    assert 429 in answers
    assert Api(new_key("chat")).get(f"users/{person.pk}").status_code == 200


@pytest.mark.parametrize("role", [Role.CAREGIVER, Role.REVIEWER, Role.AUDITOR])
def test_only_admins_make_rotate_and_revoke_keys(
    transactional_db: None, now: datetime, role: Role
) -> None:
    staff, key = new_staff("somebody", role), key_of(new_key("chat", now=now))
    for act in (
        lambda: create_app_key(app_name="x", grant=EVERYTHING, actor=staff, now=now),
        lambda: rotate_app_key(key=key, actor=staff, now=now),
        lambda: revoke_app_key(key=key, actor=staff, now=now),
    ):
        with pytest.raises(PermissionDenied):
            act()
    assert AppKey.objects.count() == 1


@pytest.mark.parametrize(
    "grant",
    [
        {"scopes": [], "reach": Reach.ALL},
        {"scopes": ["administer"], "reach": Reach.ALL},
        {"scopes": SCOPES, "reach": Reach.LISTED},
        {"scopes": SCOPES, "reach": Reach.ALL, "lifetime": timedelta()},
    ],
)
def test_a_grant_that_makes_no_sense_is_none(grant: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"key|reach"):
        Grant(**grant)


def command(*words: str) -> str:
    out = StringIO()
    call_command("app_key", *words, stdout=out)
    return out.getvalue().strip()


def test_keys_of_one_scope_and_person_are_made_and_rotated_by_command(person: MemoryUser) -> None:
    Team.objects.create(name="Night", created_at=person.created_at)
    secret = command(
        *("create", "robot", "--scope", "users:read", "--person", str(person.pk)),
        *("--days", "2", "--per-minute", "9", "--team", "Night"),
    )
    assert Api(secret).get(f"users/{person.pk}").status_code == 200
    assert Api(secret).get(f"users/{person.pk}/facts").status_code == 403
    listed = command("list")
    assert "users:read" in listed
    assert "the people listed" in listed
    fresh = command("rotate", secret[:12], "--overlap-days", "0")
    assert Api(fresh).get(f"users/{person.pk}").status_code == 200
    assert Api(secret).get(f"users/{person.pk}").status_code == 401
    assert "expired" in command("list")


@pytest.mark.parametrize(
    "words",
    [
        ("--person", "nobody"),
        ("--person", "00000000-0000-4000-8000-000000000000"),
        ("--team", "None"),
        ("--days", "0"),
    ],
)
def test_a_command_that_cannot_be_says_why(transactional_db: None, words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        command("create", "robot", *words)
    assert not AppKey.objects.exists()
