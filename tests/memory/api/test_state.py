"""`users/{id}/state` and `state/{kind}`: the current typed state."""

from __future__ import annotations

import pytest

from memory.models import MemoryUser
from memory.project.shipped import baseline
from tests.api_client import Api, pointers
from tests.facts import allergy, fact, medication, reading, trip
from tests.people import new_person


def test_every_kind_is_named_with_its_key_and_count(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"), allergy("nuts"), trip("Rome", "2025-05-01"))
    state = api.get(f"users/{person.pk}/state").json()
    kinds = {one["kind"]: one for one in state["kinds"]}
    assert set(kinds) == set(baseline().kinds)
    assert {name: one["count"] for name, one in kinds.items() if one["count"]} == {
        "health.Allergy": 2,
        "travel.Trip": 1,
    }
    assert kinds["travel.Trip"]["key"] == ["destination", "departs_on"]
    assert kinds["travel.Trip"]["collection"] == "trips"
    assert state["head"]["seq"] == 3


def test_the_link_of_a_kind_leads_to_its_records(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"))
    kinds = api.get(f"users/{person.pk}/state").json()["kinds"]
    urls = [one["url"] for one in kinds if one["kind"] == "health.Allergy"]
    page = api.client.get(urls[0]).json()
    assert page["collection"] == "allergies"
    assert page["items"] == [{"id": "latex", "data": {"substance": "latex"}, "facts": [1]}]


def test_a_record_names_the_facts_it_rests_on(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"), fact("nothing"))
    api.append(person, allergy("latex", "update", severity="mild"))
    (row,) = api.all(f"users/{person.pk}/state/health.Allergy")
    assert row == {
        "id": "latex",
        "data": {"substance": "latex", "severity": "mild"},
        "facts": [1, 3],
    }


@pytest.mark.parametrize(
    ("name", "record_id"),
    [
        ("Amoxicillin 500 mg", "amoxicillin-500-mg"),
        ("  St. John's   Wort ", "st-john-s-wort"),
        ("ＡＭＯＸＩＣＩＬＬＩＮ", "amoxicillin"),
        ("Straße", "strasse"),
        ("Парацетамол", "парацетамол"),
        ("アスピリン", "アスピリン"),
    ],
)
def test_an_id_is_made_of_the_key_fields(
    api: Api, person: MemoryUser, name: str, record_id: str
) -> None:
    api.append(person, medication(name))
    assert list(api.records(person, "health.Medication")) == [record_id]
    answer = api.append(person, medication(name, "update", status="stopped"))
    assert answer["facts"][0]["readings"][0]["id"] == record_id


def test_a_date_in_the_key_makes_two_trips_two_records(api: Api, person: MemoryUser) -> None:
    api.append(person, trip("Rome", "2025-05-01"), trip("Rome", "2026-05-01"))
    assert list(api.records(person, "travel.Trip")) == ["rome-2025-05-01", "rome-2026-05-01"]


def test_an_id_that_is_given_counts(api: Api, person: MemoryUser) -> None:
    api.append(
        person,
        fact("a", reading("health.Allergy", "assert", "my/id 1", substance="latex")),
        fact("b", reading("health.Allergy", id="in data", substance="nuts")),
    )
    assert set(api.records(person, "health.Allergy")) == {"my/id 1", "in data"}


@pytest.mark.parametrize("limit", [1, 2, 4, 5])
def test_pages_of_records_hold_each_once_in_order(api: Api, person: MemoryUser, limit: int) -> None:
    names = ["zinc", "Äther", "nuts", "latex & co", "中文"]
    api.append(person, *(allergy(name) for name in names))
    path = f"users/{person.pk}/state/health.Allergy"
    whole = [row["id"] for row in api.all(path)]
    assert [row["id"] for row in api.all(path, limit=limit)] == whole
    assert set(whole) == {"zinc", "äther", "nuts", "latex-co", "中文"}


def test_nobody_reads_the_records_of_another(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"))
    assert api.records(new_person(), "health.Allergy") == {}


def test_a_kind_that_is_not_there_is_not_found(api: Api, person: MemoryUser) -> None:
    answer = api.get(f"users/{person.pk}/state/health.Alergy")
    assert answer.status_code == 404
    pointers(answer)
