"""What a reading may not say, and how the refusal names it."""

from __future__ import annotations

from typing import Any

import pytest

from memory.models import MemoryUser
from tests.api_client import Api, facts_path, pointers
from tests.facts import fact, reading

REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a slip in the name of a kind that ships": (
        reading("health.Alergy", substance="nuts"),
        "/readings/0/kind",
        "there is no kind 'health.Alergy'; write health.Allergy, or choose a name less like it",
    ),
    "a name that no kind can have": (
        reading("nuts", substance="nuts"),
        "/readings/0/kind",
        "there is no kind 'nuts'; name a new one as domain and class in ASCII, such as",
    ),
    "a change to a record of a kind that is not there": (
        reading("purchases.Purchase", "update", "a", price=1),
        "/readings/0/kind",
        "there is no kind 'purchases.Purchase' to update a record of; assert one first",
    ),
    "two ids of a kind that is not there": (
        reading("purchases.Purchase", "assert", "a", id="b"),
        "/readings/0/id",
        "id and data.id are not the same; give one of them",
    ),
    "a field that is not there": (
        reading("health.Allergy", substance="nuts", colour="red"),
        "/readings/0/data/colour",
        "health.Allergy has no field colour; it has: substance,",
    ),
    "text where a date belongs": (
        reading("health.Allergy", substance="nuts", noted_on="last spring"),
        "/readings/0/data/noted_on",
        "noted_on: write it like 2026-11-21",
    ),
    "a number where a date belongs": (
        reading("health.Allergy", substance="nuts", noted_on=1_700_000_000),
        "/readings/0/data/noted_on",
        "write it like",
    ),
    "seconds in quotes where a date belongs": (
        reading("health.Allergy", substance="nuts", noted_on="1700006400"),
        "/readings/0/data/noted_on",
        "write it like",
    ),
    "a moment where a date belongs": (
        reading("health.Allergy", substance="nuts", noted_on="2025-01-10T00:00:00"),
        "/readings/0/data/noted_on",
        "write it like",
    ),
    "a date that the calendar does not have": (
        reading("health.Allergy", substance="nuts", noted_on="2025-02-30"),
        "/readings/0/data/noted_on",
        "date",
    ),
    "a number where text belongs": (
        reading("health.Allergy", substance=5),
        "/readings/0/data/substance",
        "string",
    ),
    "a choice that is none": (
        reading("health.Allergy", substance="nuts", severity="awful"),
        "/readings/0/data/severity",
        "'mild', 'moderate'",
    ),
    "no value for a field that needs one": (
        reading("health.Allergy", reaction="hives"),
        "/readings/0/data/substance",
        "health.Allergy needs substance",
    ),
    "null where the field needs a value": (
        reading("health.Allergy", substance=None),
        "/readings/0/data/substance",
        "string",
    ),
    "an empty id": (reading("health.Allergy", "assert", "", substance="x"), "/readings/0/id", "id"),
    "an id that is too long": (
        reading("health.Allergy", "assert", "x" * 201, substance="x"),
        "/readings/0/id",
        "200",
    ),
    "an id that is a number": (
        reading("health.Allergy", id=7, substance="x"),
        "/readings/0/id",
        "text",
    ),
    "key fields that leave nothing for an id": (
        reading("health.Allergy", substance="!!!"),
        "/readings/0/id",
        "cannot tell which health.Allergy is meant: give id",
    ),
    "an update that does not say of what": (
        reading("health.Allergy", "update", severity="mild"),
        "/readings/0/id",
        "give id, or substance in data",
    ),
    "a retraction of a keyless kind without an id": (
        reading("notes.Note", "retract"),
        "/readings/0/id",
        "give its id",
    ),
    "a trip without a date and without an id": (
        reading("travel.Trip", destination="Rome"),
        "/readings/0/id",
        "departs_on",
    ),
    "an update of what is not there": (
        reading("health.Allergy", "update", "nuts", severity="mild"),
        "/readings/0/id",
        "there is no health.Allergy 'nuts' to update; assert it first",
    ),
    "a retraction of what is not there": (
        reading("health.Allergy", "retract", "nuts"),
        "/readings/0/id",
        "there is no health.Allergy 'nuts' to retract; assert it first",
    ),
    "an operation that is none": (
        {"kind": "health.Allergy", "op": "delete", "data": {}},
        "/readings/0/op",
        "'update', 'retract' or 'withdraw'",
    ),
    "data that is no object": (
        {"kind": "health.Allergy", "data": ["nuts"]},
        "/readings/0/data",
        "dict",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_is_refused_by_name_and_nothing_is_stored(api: Api, person: MemoryUser, case: str) -> None:
    wrong, pointer, words = REFUSED[case]
    answer = api.post_facts(person, fact("something", wrong))
    assert answer.status_code == 422
    found = pointers(answer)
    assert list(found) == [pointer]
    assert words in found[pointer]
    assert answer.json()["detail"].startswith("Nothing was stored: ")
    assert api.all(facts_path(person.pk)) == []


def test_several_wrong_fields_are_named_together(api: Api, person: MemoryUser) -> None:
    wrong = reading("travel.Trip", destination=1, departs_on="soon", status="maybe", hotel="x")
    answer = api.post_facts(person, fact("trip", wrong))
    assert set(pointers(answer)) == {
        f"/readings/0/data/{name}" for name in ("destination", "departs_on", "status", "hotel")
    }


def test_a_pointer_escapes_what_json_pointers_need_escaped(api: Api, person: MemoryUser) -> None:
    wrong = reading("health.Allergy", substance="nuts", **{"a/b~c": 1})
    answer = api.post_facts(person, fact("x", wrong))
    assert list(pointers(answer)) == ["/readings/0/data/a~1b~0c"]


def test_more_than_a_hundred_readings_of_one_fact_are_refused(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, fact("x", *[reading("notes.Note", text="y")] * 101))
    assert list(pointers(answer)) == ["/readings"]


def test_what_was_retracted_may_be_updated_without_effect(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("a", reading("health.Allergy", substance="nuts")))
    api.append(person, fact("b", reading("health.Allergy", "retract", "nuts")))
    answer = api.append(
        person, fact("c", reading("health.Allergy", "update", "nuts", reaction="x"))
    )
    assert answer["facts"][0]["readings"][0]["effect"] == "absent"
    assert api.records(person, "health.Allergy") == {}
