"""`users`: create or get a person by the app's own id."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from memory.models import MemoryUser
from tests.api_client import Api, pointers
from tests.together import together


def test_a_person_is_created_once_and_got_from_then_on(api: Api) -> None:
    body = {"external_id": "ada", "display_name": "Ada", "timezone": "Asia/Kathmandu"}
    first, again = api.post("users", body), api.post("users", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first.json()["timezone"] == "Asia/Kathmandu"
    assert first.json()["head"] == {"seq": 0, "hash": "0" * 64}


def test_getting_a_person_does_not_change_them(api: Api) -> None:
    api.post("users", {"external_id": "ada", "display_name": "Ada"})
    again = api.post(
        "users", {"external_id": "ada", "display_name": "Eve", "timezone": "Asia/Tokyo"}
    )
    assert again.json()["display_name"] == "Ada"
    assert again.json()["timezone"] == "UTC"


def test_ids_differ_by_case_and_space(api: Api) -> None:
    ids = {
        api.post("users", {"external_id": name}).json()["user_id"]
        for name in ("ada", "Ada", " ada", "ädä")
    }
    assert len(ids) == 4


def test_two_apps_mean_the_same_person_by_the_same_id(two_apps: tuple[Api, Api]) -> None:
    one, two = (each.post("users", {"external_id": "ada"}).json() for each in two_apps)
    assert one == two


def test_who_is_created_at_once_by_several_is_one_person(api: Api) -> None:
    answers = together(*[lambda: api.post("users", {"external_id": "ada"})] * 6)
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert MemoryUser.objects.filter(external_id="ada").count() == 1


def test_a_person_is_found_by_either_id(api: Api, person: MemoryUser) -> None:
    by_own = api.get("users", external_id=person.external_id).json()
    assert by_own == api.get(f"users/{person.pk}").json()
    assert by_own["user_id"] == str(person.pk)


def test_who_is_not_there_is_not_found(api: Api) -> None:
    assert api.get("users", external_id="nobody").status_code == 404
    assert api.get(f"users/{uuid4()}").status_code == 404
    assert api.get("users/not-a-uuid").status_code == 404


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/external_id"),
        ({"external_id": ""}, "/external_id"),
        ({"external_id": " "}, "/external_id"),
        ({"external_id": 5}, "/external_id"),
        ({"external_id": "x" * 201}, "/external_id"),
        ({"external_id": "x", "display_name": "x" * 201}, "/display_name"),
        ({"external_id": "x", "timezone": "Mars/Olympus"}, "/timezone"),
        ({"external_id": "x", "timezone": ""}, "/timezone"),
        ({"external_id": "x", "timezone": "../etc/passwd"}, "/timezone"),
        ({"external_id": "x", "one": 1}, "/one"),
    ],
)
def test_what_does_not_fit_is_named(api: Api, body: Any, pointer: str) -> None:
    answer = api.post("users", body)
    assert answer.status_code == 422
    assert list(pointers(answer)) == [pointer]
    assert not MemoryUser.objects.exists()


def test_a_bad_zone_is_refused_with_an_example(api: Api) -> None:
    answer = api.post("users", {"external_id": "x", "timezone": "Berlin"})
    assert "give one such as Europe/Berlin" in pointers(answer)["/timezone"]
