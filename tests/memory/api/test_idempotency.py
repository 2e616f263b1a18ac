"""The same request sent twice has the effect of one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory.models import Fact, Job, MemoryUser, Message, Submission
from tests.api_client import Api, facts_path, pointers
from tests.facts import allergy, fact, medication, note
from tests.people import new_person
from tests.together import together


def _same_answer(first: Any, again: Any) -> bool:
    return bool(first.status_code == again.status_code and first.json() == again.json())


def test_a_repeat_gets_the_same_answer_and_appends_nothing(api: Api, person: MemoryUser) -> None:
    first = api.post_facts(person, fact("one"), allergy("latex"), key="k1")
    again = api.post_facts(person, fact("one"), allergy("latex"), key="k1")
    assert _same_answer(first, again)
    assert "Idempotent-Replay" not in first
    assert again["Idempotent-Replay"] == "true"
    assert Fact.objects.filter(user=person).count() == 2


def test_a_repeat_tells_again_of_the_alerts_it_opened(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    first = api.post_facts(person, medication("Amoxicillin"), key="k1")
    assert len(first.json()["alerts"]["opened"]) == 1
    assert _same_answer(first, api.post_facts(person, medication("Amoxicillin"), key="k1"))


def test_a_repeat_tells_again_of_the_alerts_it_cleared(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    ended = medication("Amoxicillin", "retract")
    first = api.post_facts(person, ended, key="k1")
    assert len(first.json()["alerts"]["cleared"]) == 1
    assert _same_answer(first, api.post_facts(person, ended, key="k1"))


def test_a_repeat_tells_what_the_readings_did_then_not_what_they_would_do_now(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("latex"))
    first = api.post_facts(person, allergy("latex", "update", severity="mild"), key="k1")
    api.append(person, allergy("latex", "retract"))
    again = api.post_facts(person, allergy("latex", "update", severity="mild"), key="k1")
    effects = [one.json()["facts"][0]["readings"][0]["effect"] for one in (first, again)]
    assert effects == ["changed", "changed"]
    assert api.records(person, "health.Allergy") == {}


def test_a_repeat_of_a_queued_batch_appends_nothing(api: Api, person: MemoryUser) -> None:
    batch = [note(f"note {number}") for number in range(150)]
    first = api.post_facts(person, *batch, key="k1").json()
    again = api.post_facts(person, *batch, key="k1").json()
    assert again["facts"] == first["facts"]
    assert first["evaluation"]["status"] == "queued"
    assert Fact.objects.filter(user=person).count() == 150
    assert Job.objects.count() == 1


def test_a_key_that_comes_with_another_body_is_refused(api: Api, person: MemoryUser) -> None:
    api.post_facts(person, fact("one"), key="k1")
    answer = api.post_facts(person, fact("two"), key="k1")
    assert answer.status_code == 422
    assert answer.json()["title"] == "Idempotency key reused"
    pointers(answer)
    assert Fact.objects.filter(user=person).count() == 1


def test_a_key_is_of_one_person_only(api: Api, person: MemoryUser) -> None:
    other = new_person()
    api.post_facts(person, fact("one"), key="k1")
    assert api.post_facts(other, fact("one"), key="k1").status_code == 422
    assert not Fact.objects.filter(user=other).exists()


def test_a_key_is_of_one_resource_only(api: Api, person: MemoryUser) -> None:
    api.post_facts(person, fact("one"), key="k1")
    body = {"messages": [{"role": "user", "content": "one"}]}
    assert api.post(f"users/{person.pk}/messages", body, key="k1").status_code == 422
    assert not Message.objects.filter(user=person).exists()


def test_two_apps_may_choose_the_same_key(two_apps: tuple[Api, Api], person: MemoryUser) -> None:
    answers = [one.post_facts(person, fact("one"), key="k1") for one in two_apps]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert Fact.objects.filter(user=person).count() == 2


def test_a_refused_post_leaves_its_key_free(api: Api, person: MemoryUser) -> None:
    assert api.post_facts(person, fact(""), key="k1").status_code == 422
    assert api.post_facts(person, allergy("x", "update"), key="k1").status_code == 422
    assert api.post_facts(person, fact("one"), key="k1").status_code == 201


def test_of_two_equal_requests_at_once_one_waits_for_the_other(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"))
    answers = together(*[lambda: api.post_facts(person, medication("Amoxicillin"), key="k1")] * 4)
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({json.dumps(answer.json()["facts"]) for answer in answers}) == 1
    assert sum("Idempotent-Replay" not in answer for answer in answers) == 1
    assert Fact.objects.filter(user=person).count() == 2


def test_of_two_different_requests_with_one_key_at_once_one_is_refused(
    api: Api, person: MemoryUser
) -> None:
    answers = together(
        lambda: api.post_facts(person, fact("one"), key="k1"),
        lambda: api.post_facts(person, fact("two"), key="k1"),
    )
    assert sorted(answer.status_code for answer in answers) == [201, 422]


def test_of_one_key_for_two_people_at_once_one_is_refused(api: Api) -> None:
    people = [new_person() for _ in range(8)]
    answers = together(
        *(lambda who=who: api.post_facts(who, fact("one"), key="k1") for who in people)
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [422] * 7
    assert Fact.objects.count() == Submission.objects.count() == 1


@pytest.mark.parametrize("key", ["", "x" * 201, "a\tb"])
def test_a_key_that_is_no_key_is_refused(api: Api, person: MemoryUser, key: str) -> None:
    answer = api.post_facts(person, fact("one"), key=key)
    assert answer.status_code == 400
    pointers(answer)


def test_a_key_of_two_hundred_characters_is_kept_apart_from_its_like(
    api: Api, person: MemoryUser
) -> None:
    for last in "ab":
        assert api.post_facts(person, fact("one"), key="x" * 199 + last).status_code == 201
    assert len(api.all(facts_path(person.pk))) == 2
