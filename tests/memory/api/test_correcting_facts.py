"""A fact that corrects an earlier one takes back all that the earlier was read as."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import call_command

from memory.models import MemoryUser, Waiting
from memory.verification import verify_user
from tests.api_client import Api, facts_path, pointers
from tests.facts import allergy, fact, medication, note, reading
from tests.people import new_person
from tests.proposals import PURCHASE, approved, bought, proposed

ALLERGY = "health.Allergy"


def correction(seq: Any, *readings: Any) -> dict[str, Any]:
    return fact("No, that was wrong.", *readings, corrects=seq)


def _sound(person: MemoryUser) -> None:
    call_command("rebuild_state", "--check", "--user", str(person.pk))
    assert verify_user(person.pk) == []


def test_the_readings_of_the_corrected_fact_are_withdrawn(api: Api, person: MemoryUser) -> None:
    wrong = fact("x", reading(ALLERGY, substance="penicillin"), reading("notes.Note", text="n"))
    api.append(person, wrong)
    opened = api.append(person, medication("Amoxicillin"))["alerts"]["opened"]
    answer = api.append(person, correction(1, reading(ALLERGY, substance="pollen")))
    assert [
        (one["op"], one["kind"], one["id"], one["effect"]) for one in answer["facts"][0]["readings"]
    ] == [
        ("withdraw", ALLERGY, "penicillin", "removed"),
        ("withdraw", "notes.Note", "f1-2", "removed"),
        ("assert", ALLERGY, "pollen", "created"),
    ]
    assert [one["id"] for one in answer["alerts"]["cleared"]] == [opened[0]["id"]]
    assert set(api.records(person, ALLERGY)) == {"pollen"}
    assert api.records(person, "notes.Note") == {}
    _sound(person)


def test_the_same_record_may_be_said_anew(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("nuts", severity="severe", reaction="hives"))
    api.append(person, correction(1, reading(ALLERGY, substance="nuts", severity="mild")))
    assert api.records(person, ALLERGY) == {"nuts": {"substance": "nuts", "severity": "mild"}}
    _sound(person)


def test_a_correction_can_be_corrected(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"))
    api.append(person, correction(1))
    assert api.records(person, ALLERGY) == {}
    api.append(person, correction(2))
    assert set(api.records(person, ALLERGY)) == {"latex"}
    _sound(person)


def test_the_list_says_what_a_fact_corrects(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"))
    api.append(person, correction(1))
    newest, oldest = api.all(facts_path(person.pk))
    assert (newest["corrects"], oldest["corrects"]) == (1, None)
    assert [(one["op"], one["origin"], one["data"]) for one in newest["readings"]] == [
        ("withdraw", "correction", {"reading": 1})
    ]


@pytest.mark.parametrize("seq", [0, -1, 2, 99])
def test_a_fact_that_is_not_there_cannot_be_corrected(
    api: Api, person: MemoryUser, seq: int
) -> None:
    api.append(person, allergy("latex"))
    api.append(new_person(), note("a"), note("b"), note("c"))
    answer = api.post_facts(person, correction(seq))
    assert answer.status_code == 422
    assert pointers(answer) == {"/corrects": f"there is no fact {seq} to correct; the last is 1"}
    several = api.post_facts(person, note("n"), correction(seq))
    assert list(pointers(several)) == ["/facts/1/corrects"]
    assert len(api.all(facts_path(person.pk))) == 1


@pytest.mark.parametrize("seq", ["1", 1.5, True, [1]])
def test_only_a_seq_names_the_corrected_fact(api: Api, person: MemoryUser, seq: Any) -> None:
    api.append(person, allergy("latex"))
    answer = api.post_facts(person, correction(seq))
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/corrects"]


def test_what_waits_is_taken_back_too_and_restored(api: Api, person: MemoryUser) -> None:
    api.append(person, bought("a lamp"))
    answer = api.append(person, correction(1))
    (said,) = answer["facts"][0]["readings"]
    assert (said["op"], said["id"], said["effect"]) == ("withdraw", "", "removed")
    assert not Waiting.objects.filter(user=person).exists()
    _sound(person)
    api.append(person, correction(2))
    assert [row.reading_seq for row in Waiting.objects.filter(user=person)] == [1]
    _sound(person)


def test_what_was_placed_is_taken_back_by_its_placement(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"), bought("a chair"))
    approved(proposed(person), caregiver)
    assert len(api.records(person, PURCHASE)) == 2
    answer = api.append(person, correction(1))
    assert [one["effect"] for one in answer["facts"][0]["readings"]] == ["removed"]
    assert set(api.records(person, PURCHASE)) == {"f2-1"}
    _sound(person)


def test_a_correction_sent_again_is_answered_alike(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"))
    body = correction(1, reading(ALLERGY, substance="nuts"))
    first = api.post_facts(person, body, key="k").json()
    assert api.post_facts(person, body, key="k").json()["facts"] == first["facts"]
    _sound(person)
