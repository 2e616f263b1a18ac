"""A person's project over HTTP: files, versions, what differs, and the whole as a zip."""

from __future__ import annotations

import ast
import hashlib
import io
import uuid
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff

from memory.models import MemoryUser
from memory.project.shipped import baseline
from tests.api_client import Api
from tests.facts import allergy, trip
from tests.people import new_person
from tests.proposals import approved, bought, proposed, with_files

RULE = "rules/passport_trip.py"


def get(api: Api, person: MemoryUser, what: str = "", **query: Any) -> Any:
    return api.client.get(f"/api/v1/users/{person.pk}/code{what}", query)


@pytest.fixture
def buyer(api: Api, person: MemoryUser, caregiver: Staff) -> MemoryUser:
    """Somebody with a kind of their own, approved."""
    api.append(person, allergy("nuts"), bought("a lamp", 20), bought("a chair", 35))
    approved(proposed(person), caregiver)
    return person


def unzipped(api: Api, person: MemoryUser) -> dict[str, str]:
    answer = get(api, person, ".zip")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_a_new_person_has_the_baseline(api: Api, person: MemoryUser) -> None:
    found = get(api, person).json()
    assert found["digest"] == found["baseline"] == baseline().digest
    assert found["version"] is None
    layers = {one["path"]: one["layer"] for one in found["files"]}
    assert dict.fromkeys(baseline().files, "baseline").items() <= layers.items()
    generated = {path for path, layer in layers.items() if layer == "generated"}
    states = {f"domains/{name}/state.py" for name in baseline().domains}
    assert generated == {"manifest.py", *states}
    assert layers.keys() == baseline().files.keys() | generated


def test_an_overlay_is_told_from_the_baseline(api: Api, buyer: MemoryUser) -> None:
    found = get(api, buyer).json()
    assert found["version"] == 1
    assert found["digest"] != found["baseline"] == baseline().digest
    layers = {one["path"]: one["layer"] for one in found["files"]}
    own = [path for path, layer in layers.items() if layer == "overlay"]
    assert own == ["domains/purchases/schema.py"]
    assert layers["domains/purchases/state.py"] == "generated"


def test_each_file_is_what_the_list_says(api: Api, buyer: MemoryUser) -> None:
    inside = unzipped(api, buyer)
    for listed in get(api, buyer).json()["files"]:
        answer = api.client.get(listed["url"])
        assert answer.status_code == 200
        text = answer.json()["text"]
        assert {**listed, "text": text} == answer.json()
        assert hashlib.sha256(text.encode()).hexdigest() == listed["digest"]
        assert len(text.encode()) == listed["size"]
        assert inside[listed["path"]] == text
        ast.parse(text)


def test_records_are_rendered_as_they_are_now(api: Api, person: MemoryUser) -> None:
    def state() -> str:
        path = "domains/travel/state.py"
        text: str = get(api, person, "/file", path=path).json()["text"]
        return text

    assert "trips = []" in state()
    api.append(person, trip("Rome", "2026-03-01"))
    assert "destination='Rome', departs_on=date(2026, 3, 1)" in state()


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 400),
        ({"path": ""}, 400),
        ({"path": "rules/none.py"}, 404),
        ({"path": "../settings.py"}, 404),
        ({"path": "uac/stats.py"}, 404),
        ({"path": "<script>"}, 404),
    ],
)
def test_a_file_that_is_none_is_refused(
    api: Api, person: MemoryUser, query: dict[str, str], status: int
) -> None:
    answer = get(api, person, "/file", **query)
    assert answer.status_code == status
    assert answer.json()["detail"]


def test_versions_say_who_approved_what(api: Api, buyer: MemoryUser, caregiver: Staff) -> None:
    changed = with_files(buyer, {RULE: baseline().files[RULE] + "# ours\n"})
    approved(proposed(buyer, changed), caregiver)
    second, first = get(api, buyer, "/versions").json()["items"]
    assert [second["number"], first["number"]] == [2, 1]
    assert [second["active"], first["active"]] == [True, False]
    assert second["parent"] == first["digest"]
    assert first["parent"] == first["baseline"] == baseline().digest
    assert second["approved_by"] == "caregiver"
    assert second["overlay"] == ["domains/purchases/schema.py", RULE]
    page = get(api, buyer, "/versions", limit=1, order="asc").json()
    assert [one["number"] for one in page["items"]] == [1]
    assert [one["number"] for one in api.client.get(page["next"]).json()["items"]] == [2]


def test_a_person_without_versions_has_an_empty_list(api: Api, person: MemoryUser) -> None:
    assert get(api, person, "/versions").json() == {"items": [], "next": None}


def test_what_differs_is_a_unified_diff(api: Api, buyer: MemoryUser, caregiver: Staff) -> None:
    changed = with_files(buyer, {RULE: baseline().files[RULE] + "# ours\n"})
    approved(proposed(buyer, changed), caregiver)
    whole = get(api, buyer, "/compare").json()
    assert [(one["path"], one["status"]) for one in whole["files"]] == [
        ("domains/purchases/schema.py", "added"),
        (RULE, "changed"),
    ]
    (step,) = get(api, buyer, "/compare", **{"from": "1", "to": "2"}).json()["files"]
    assert step["diff"].startswith(f"--- a/{RULE}\n+++ b/{RULE}\n@@ ")
    assert step["diff"].endswith("\n+# ours\n")
    (back,) = get(api, buyer, "/compare", **{"from": "active", "to": "1"}).json()["files"]
    assert back["diff"].endswith("\n-# ours\n")
    assert get(api, buyer, "/compare", **{"from": "2", "to": "2"}).json()["files"] == []


@pytest.mark.parametrize(("said", "status"), [("9", 404), ("x", 400), ("-1", 400), ("", 400)])
def test_a_version_that_is_none_is_refused(
    api: Api, buyer: MemoryUser, said: str, status: int
) -> None:
    assert get(api, buyer, "/compare", **{"from": said}).status_code == status


def test_a_version_of_somebody_else_is_no_version(api: Api, buyer: MemoryUser) -> None:
    other = new_person()
    assert get(api, other, "/compare", to="1").status_code == 404


def test_the_zip_is_the_same_until_something_changes(api: Api, buyer: MemoryUser) -> None:
    first, second = (get(api, buyer, ".zip").content for _ in range(2))
    assert first == second
    api.append(buyer, bought("a table", 90))
    assert get(api, buyer, ".zip").content != first


def test_a_client_may_ask_for_a_zip_by_its_type(api: Api, person: MemoryUser) -> None:
    address = f"/api/v1/users/{person.pk}/code.zip"
    wanted = {"accept": "application/zip"}
    assert api.client.get(address, headers=wanted).status_code == 200
    absent = api.client.get(address.replace(str(person.pk), str(uuid.uuid4())), headers=wanted)
    assert (absent.status_code, absent["Content-Type"]) == (404, "application/problem+json")
    assert b'"title"' in absent.content


@pytest.mark.parametrize("what", ["", ".zip", "/file?path=manifest.py", "/versions", "/compare"])
def test_code_is_for_who_has_a_key_and_of_people_there_are(
    api: Api, person: MemoryUser, what: str
) -> None:
    assert get(Api(None), person, what).status_code == 401
    assert api.get(f"users/{uuid.uuid4()}/code{what}").status_code == 404
    assert get(api, person, what).status_code == 200
