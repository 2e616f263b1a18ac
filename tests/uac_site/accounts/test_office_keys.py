"""Admins make, rotate and revoke the keys of apps."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memory.models import App, AppKey, MemoryUser, Team
from memory.rights import Role
from tests.api_client import Api
from tests.people import new_person
from tests.uac_site.accounts.conftest import staff_called
from tests.uac_site.accounts.door import enrolled

SECRET = re.compile(r'id="secret">(uac_[\w-]+)<')


@pytest.fixture
def office(transactional_db: None) -> Client:
    """The browser of an admin who has enrolled."""
    staff_called("admin", Role.ADMIN)
    return enrolled("admin")[0]


def make(office: Client, **form: Any) -> Any:
    given = {"app": "Clinic", "scopes": ["users:read"], "reach": "all", "days": "30", **form}
    return office.post("/office/keys/new", given)


def secret_on(answer: Any) -> str:
    found = SECRET.search(answer.content.decode())
    assert found is not None
    return found[1]


def opens(secret: str) -> bool:
    return bool(Api(secret).get("users", external_id="nobody").status_code == 404)


def test_a_key_is_shown_once_and_opens_the_door(office: Client) -> None:
    secret = secret_on(make(office))
    assert opens(secret)
    key = AppKey.objects.get()
    for path in ("/office/keys", f"/office/keys/{key.pk}"):
        text = office.get(path).content.decode()
        assert secret not in text
        assert key.prefix in text
    assert secret not in str(dict(office.session))


def test_a_key_has_the_scopes_reach_time_and_team_that_were_chosen(office: Client) -> None:
    office.post("/office/teams", {"name": "Night"})
    night = Team.objects.get()
    person = new_person(name="Ada")
    make(
        office,
        scopes=["facts:write", "query"],
        reach="listed",
        people=f"{person.pk}\n",
        days="10",
        requests_per_minute="60",
        team=str(night.pk),
    )
    key = AppKey.objects.get()
    assert set(key.scopes) == {"facts:write", "query"}
    assert [one.pk for one in key.people.all()] == [person.pk]
    assert key.expires_at - key.created_at == timedelta(days=10)
    assert key.requests_per_minute == 60
    assert key.app.team == night
    page = office.get(f"/office/keys/{key.pk}").content.decode()
    assert "facts:write" in page
    assert str(person.pk) in page


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"scopes": []}, "Choose what the key may do"),
        ({"scopes": ["administer"]}, "Select a valid choice"),
        ({"reach": "listed"}, "List the people"),
        ({"reach": "listed", "people": "nobody"}, "nobody&#x27;s id"),
        ({"days": "0"}, "greater than or equal to 1"),
        ({"app": ""}, "Name the app"),
    ],
)
def test_a_form_that_is_not_right_makes_no_key(
    office: Client, form: dict[str, Any], words: str
) -> None:
    answer = make(office, **form)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not AppKey.objects.exists()


def test_people_are_listed_only_where_the_reach_says_so(office: Client) -> None:
    person: MemoryUser = new_person(name="Ada")
    assert make(office, people=str(person.pk)).status_code == 422


def test_a_rotated_key_and_its_successor_overlap(office: Client) -> None:
    old = secret_on(make(office))
    key = AppKey.objects.get()
    new = secret_on(office.post(f"/office/keys/{key.pk}/rotate", {"days": "2"}))
    assert opens(old)
    assert opens(new)
    key.refresh_from_db()
    assert key.expires_at <= timezone.now() + timedelta(days=2)
    assert "Replaced by" in office.get(f"/office/keys/{key.pk}").content.decode()
    AppKey.objects.filter(pk=key.pk).update(expires_at=timezone.now())
    assert not opens(old)
    assert opens(new)


def test_an_overlap_that_is_none_is_refused(office: Client) -> None:
    make(office)
    key = AppKey.objects.get()
    office.post(f"/office/keys/{key.pk}/rotate", {"days": "1000"})
    assert AppKey.objects.count() == 1


def test_a_revoked_key_opens_nothing_and_is_not_rotated(office: Client) -> None:
    secret = secret_on(make(office))
    key = AppKey.objects.get()
    office.post(f"/office/keys/{key.pk}/revoke")
    assert not opens(secret)
    office.post(f"/office/keys/{key.pk}/rotate", {"days": "1"})
    assert AppKey.objects.count() == 1
    assert "No key opens the door" in office.get("/office/keys").content.decode()
    assert "revoked" in office.get("/office/keys?all=yes").content.decode()


def test_new_people_of_an_app_come_into_the_care_of_its_team(office: Client) -> None:
    make(office)
    office.post("/office/teams", {"name": "Night"})
    app, night = App.objects.get(), Team.objects.get()
    office.post("/office/keys/team", {"app": str(app.pk), "team": str(night.pk)})
    app.refresh_from_db()
    assert app.team == night
    office.post("/office/keys/team", {"app": str(app.pk), "team": ""})
    app.refresh_from_db()
    assert app.team is None
