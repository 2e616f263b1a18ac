"""Batches: all of them or none, with every problem named by index."""

from __future__ import annotations

import pytest

from memory.models import Fact, MemoryUser, Reading, Record
from tests.api_client import Api, facts_path, pointers
from tests.facts import allergy, fact, note, reading
from tests.queue import deliver_all


def _nothing_stored(person: MemoryUser) -> bool:
    person.refresh_from_db()
    rows = (Fact, Reading, Record)
    return (person.fact_seq, person.reading_seq) == (0, 0) and not any(
        model.objects.filter(user=person).exists() for model in rows
    )


def test_a_batch_keeps_its_order(api: Api, person: MemoryUser) -> None:
    answer = api.append(person, fact("one"), fact("two"), fact("three"))
    assert [one["seq"] for one in answer["facts"]] == [1, 2, 3]
    stored = api.all(facts_path(person.pk), order="asc")
    assert [one["text"] for one in stored] == ["one", "two", "three"]


def test_a_batch_of_one_is_a_batch(api: Api, person: MemoryUser) -> None:
    answer = api.post(facts_path(person.pk), {"facts": [fact("one")]})
    assert answer.status_code == 201


def test_one_bad_fact_keeps_all_of_them_out(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, allergy("latex"), fact("x", reading("health.Alergy")))
    assert answer.status_code == 422
    assert _nothing_stored(person)


def test_every_problem_of_every_fact_is_named(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(
        person,
        fact("fine", reading("notes.Note", text="fine")),
        fact("two", reading("notes.Note", text=1), reading("health.Allergy", substance="nuts")),
        fact("three", reading("health.Allergy", colour="red"), reading("no kind")),
    )
    assert answer.status_code == 422
    assert set(pointers(answer)) == {
        "/facts/1/readings/0/data/text",
        "/facts/2/readings/0/data/substance",
        "/facts/2/readings/0/data/colour",
        "/facts/2/readings/1/kind",
    }
    assert [error["index"] for error in answer.json()["errors"]] == [1, 2, 2, 2]
    assert _nothing_stored(person)


def test_shapes_that_do_not_fit_are_named_by_index_too(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, fact("fine"), {"text": 5}, {"readings": []}, "no object")
    assert answer.status_code == 422
    assert set(pointers(answer)) == {"/facts/1/text", "/facts/2/text", "/facts/3"}
    assert [error["index"] for error in answer.json()["errors"]] == [1, 2, 3]
    assert _nothing_stored(person)


def test_a_batch_may_build_on_itself(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"), allergy("latex", "update", severity="mild"))
    assert api.records(person, "health.Allergy") == {
        "latex": {"substance": "latex", "severity": "mild"}
    }


def test_a_batch_may_not_build_on_what_comes_later_in_it(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, allergy("latex", "update", severity="mild"), allergy("latex"))
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/facts/0/readings/0/id"]
    assert _nothing_stored(person)


def test_no_facts_are_no_post(api: Api, person: MemoryUser) -> None:
    answer = api.post(facts_path(person.pk), {"facts": []})
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/facts"]


def test_a_thousand_facts_are_taken_and_their_evaluation_is_queued(
    api: Api, person: MemoryUser
) -> None:
    answer = api.append(person, *(note(f"note {number}") for number in range(1_000)))
    assert [one["seq"] for one in answer["facts"]] == list(range(1, 1_001))
    assert answer["evaluation"]["status"] == "queued"
    assert len(api.records(person, "notes.Note")) == 1_000
    assert deliver_all() == 1
    assert api.append(person, note("one more"))["evaluation"]["through_seq"] == 1_001


def test_a_thousand_and_one_are_refused(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, *(fact(f"fact {number}") for number in range(1_001)))
    assert answer.status_code == 422
    assert "1000" in pointers(answer)["/facts"]
    assert _nothing_stored(person)


def test_no_more_than_a_hundred_problems_are_named(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, *(fact("x", reading("no kind")) for _ in range(150)))
    assert answer.status_code == 422
    assert len(answer.json()["errors"]) == 100


@pytest.mark.parametrize("count", [100, 101])
def test_a_big_batch_of_readings_about_many_records_lands_whole(
    api: Api, person: MemoryUser, count: int
) -> None:
    names = [f"Substance {number}" for number in range(count)]
    api.append(person, *(allergy(name) for name in names))
    api.append(person, *(allergy(name, "update", severity="mild") for name in names))
    severities = [one["severity"] for one in api.records(person, "health.Allergy").values()]
    assert severities == ["mild"] * count
