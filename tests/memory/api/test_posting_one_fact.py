"""`POST users/{id}/facts` with one fact: what is stored, what is answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from memory.models import MemoryUser
from tests.api_client import Api, facts_path, pointers
from tests.facts import allergy, fact, medication, note, reading


def test_a_fact_is_stored_word_for_word(api: Api, person: MemoryUser) -> None:
    said = fact("  Ich bin gegen “Penicillin” allergisch \U0001f927\n", source="chat", session="s1")
    api.append(person, said)
    (stored,) = api.all(facts_path(person.pk))
    assert stored["text"] == said["text"]
    assert (stored["source"], stored["session"]) == ("chat", "s1")


def test_the_answer_names_the_seq_the_hash_and_the_head(api: Api, person: MemoryUser) -> None:
    answer = api.append(person, fact("one"))
    (appended,) = answer["facts"]
    assert appended["seq"] == 1
    assert answer["head"] == {"seq": 1, "hash": appended["hash"]}
    assert api.get(f"users/{person.pk}").json()["head"] == answer["head"]


def test_the_head_moves_on_with_every_fact(api: Api, person: MemoryUser) -> None:
    first = api.append(person, fact("one"))["head"]
    second = api.append(person, fact("two"))["head"]
    assert (first["seq"], second["seq"]) == (1, 2)
    assert first["hash"] != second["hash"]


def test_when_it_was_true_is_kept_as_a_moment_in_utc(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("one", occurred_at="2025-01-10T23:30:00.000001+05:45"))
    (stored,) = api.all(facts_path(person.pk))
    moment = datetime(2025, 1, 10, 17, 45, 0, 1, tzinfo=UTC)
    assert datetime.fromisoformat(stored["occurred_at"]) == moment


def test_a_fact_without_a_date_is_true_from_when_it_is_recorded(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, fact("one"))
    (stored,) = api.all(facts_path(person.pk))
    assert stored["occurred_at"] == stored["recorded_at"]


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_a_fact_must_say_something(api: Api, person: MemoryUser, text: str) -> None:
    answer = api.post_facts(person, fact(text))
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/text"]


def test_a_moment_without_an_offset_is_refused(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, fact("one", occurred_at="2025-01-10T12:00:00"))
    assert answer.status_code == 422
    assert "timezone" in pointers(answer)["/occurred_at"]


@pytest.mark.parametrize("moment", ["2020", "1700006400", 1_700_006_400, "yesterday", "", True])
def test_a_number_is_no_moment(api: Api, person: MemoryUser, moment: object) -> None:
    answer = api.post_facts(person, fact("one", occurred_at=moment))
    assert answer.status_code == 422
    assert "write it like 2026-11-21T20:14" in pointers(answer)["/occurred_at"]


def test_what_has_not_happened_yet_is_no_fact(api: Api, person: MemoryUser) -> None:
    later = (timezone.now() + timedelta(days=2)).isoformat()
    answer = api.post_facts(person, fact("one", occurred_at=later))
    assert answer.status_code == 422
    assert "future" in pointers(answer)["/occurred_at"]
    assert api.all(facts_path(person.pk)) == []


def test_a_clock_that_runs_ahead_by_hours_is_forgiven(api: Api, person: MemoryUser) -> None:
    ahead = (timezone.now() + timedelta(hours=20)).isoformat()
    assert api.post_facts(person, fact("one", occurred_at=ahead)).status_code == 201


def test_an_unknown_field_is_refused_by_name(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, fact("one", txet="two"))
    assert answer.status_code == 422
    assert pointers(answer) == {"/txet": "there is no field txet; remove it or check its spelling"}


def test_a_fact_may_name_the_message_it_is_from(api: Api, person: MemoryUser) -> None:
    api.post(f"users/{person.pk}/messages", {"messages": [{"role": "user", "content": "hello"}]})
    api.append(person, fact("one", message=1))
    (stored,) = api.all(facts_path(person.pk))
    assert stored["message"] == 1


@pytest.mark.parametrize("message", [0, -1, 2, 10**30])
def test_a_message_that_is_not_there_cannot_be_named(
    api: Api, person: MemoryUser, message: int
) -> None:
    api.post(f"users/{person.pk}/messages", {"messages": [{"role": "user", "content": "hello"}]})
    answer = api.post_facts(person, fact("one", message=message))
    assert answer.status_code == 422
    assert "the last is 1" in pointers(answer)["/message"]


def test_nobody_hears_of_a_person_that_does_not_exist(api: Api) -> None:
    answer = api.post(facts_path(uuid4()), fact("one"))
    assert answer.status_code == 404
    pointers(answer)


def test_the_answer_says_what_each_reading_did(api: Api, person: MemoryUser) -> None:
    effects = [
        api.append(person, one)["facts"][0]["readings"][0]["effect"]
        for one in (
            allergy("latex"),
            allergy("latex"),
            allergy("latex", "update", severity="mild"),
            allergy("latex", "update", severity="mild"),
            allergy("latex", "retract"),
            allergy("latex", "retract"),
            allergy("latex"),
        )
    ]
    assert effects == [
        "created",
        "unchanged",
        "changed",
        "unchanged",
        "removed",
        "absent",
        "created",
    ]


def test_readings_are_listed_with_their_fact(api: Api, person: MemoryUser) -> None:
    api.append(
        person,
        fact("both", reading("notes.Note", text="x"), reading("health.Allergy", substance="Nuts")),
    )
    (stored,) = api.all(facts_path(person.pk))
    said = [(one["kind"], one["op"], one["id"], one["data"]) for one in stored["readings"]]
    assert said == [
        ("notes.Note", "assert", "f1-1", {"text": "x"}),
        ("health.Allergy", "assert", "nuts", {"substance": "Nuts"}),
    ]
    assert {one["origin"] for one in stored["readings"]} == {"app"}


def test_a_fact_that_no_rule_reads_is_evaluated_all_the_same(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    answer = api.append(person, note("likes tea"))
    assert answer["evaluation"] == {"status": "done", "through_seq": 2}
    assert answer["alerts"] == {"opened": [], "changed": [], "cleared": []}


def test_what_opens_an_alert_says_so(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    opened = api.append(person, medication("Amoxicillin"))["alerts"]["opened"]
    assert [one["rule"] for one in opened] == ["drug_allergy"]
