"""The admins' pages: export and erasure of one person, by two of them."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import Erasure, FactBody, MemoryUser
from memory.project.person_bundle import check
from memory.rights import Role
from tests.api_client import HOST, Api
from tests.facts import note
from tests.staff import new_staff


def _client(staff: Staff) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(staff)
    return client


@pytest.fixture
def first(transactional_db: None) -> Client:
    """An admin."""
    return _client(new_staff("first", Role.ADMIN, in_team=False))


@pytest.fixture
def second(transactional_db: None) -> Client:
    """Another admin."""
    return _client(new_staff("second", Role.ADMIN, in_team=False))


@pytest.fixture
def told(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with a fact."""
    api.append(person, note("quixotamol"))
    return person


def _ask(client: Client, person: MemoryUser) -> Erasure:
    answer = client.post(f"/people/{person.pk}/erase", {"reason": "wish"}, follow=True)
    assert "Another admin has to confirm it" in answer.content.decode()
    return Erasure.objects.get(user=person)


def test_a_person_is_found_by_name_without_the_name_in_an_address(
    first: Client, told: MemoryUser
) -> None:
    text = first.post("/data", {"sought": "aD"}).content.decode()
    assert f"/people/{told.pk}/data" in text
    assert "Nobody is called" in first.post("/data", {"sought": "zz"}).content.decode()


def test_an_admin_exports_what_verifies(first: Client, told: MemoryUser) -> None:
    assert "Export everything" in first.get(f"/people/{told.pk}/data").content.decode()
    answer = first.post(f"/people/{told.pk}/export")
    assert answer["Content-Type"] == "application/zip"
    assert "no-store" in answer["Cache-Control"]
    assert check(answer.content).faults == ()


def test_one_asks_and_another_confirms(first: Client, second: Client, told: MemoryUser) -> None:
    erasure = _ask(first, told)
    own = first.get("/data").content.decode()
    assert "another admin has to confirm it" in own
    assert "Erase for good" not in own
    assert "Erase for good" in second.get("/data").content.decode()
    where = f"/erasures/{erasure.pk}/confirm"
    assert "Tick that" in second.post(where, follow=True).content.decode()
    refused = first.post(where, {"sure": "yes"}, follow=True).content.decode()
    assert "somebody else has to confirm it" in refused
    assert FactBody.objects.exists()
    done = second.post(where, {"sure": "yes"}, follow=True).content.decode()
    assert "Erased:" in done
    assert "Ada" not in done
    assert not FactBody.objects.exists()
    assert second.get(f"/people/{told.pk}/data").status_code == 404
    assert second.post(where, {"sure": "yes"}).status_code == 404


def test_an_erasure_is_called_off(first: Client, second: Client, told: MemoryUser) -> None:
    erasure = _ask(first, told)
    again = first.post(f"/people/{told.pk}/erase", {"reason": "wish"}, follow=True)
    assert "asked for it already" in again.content.decode()
    answer = second.post(f"/erasures/{erasure.pk}/withdraw", follow=True)
    assert "nothing was erased" in answer.content.decode()
    assert FactBody.objects.exists()


def test_others_are_told_nothing(caregiver: Staff, told: MemoryUser, first: Client) -> None:
    client = _client(caregiver)
    assert client.get("/data").status_code == 403
    for path in ("data", "export", "erase"):
        send = client.get if path == "data" else client.post
        assert send(f"/people/{told.pk}/{path}").status_code == 404
    assert first.get(f"/people/{uuid4()}/data").status_code == 404
    assert first.post(f"/people/{uuid4()}/export").status_code == 404
    assert first.post(f"/people/{uuid4()}/erase", {"reason": "wish"}).status_code == 404
