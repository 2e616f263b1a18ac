"""Many clients, one person: the log stays one log."""

from __future__ import annotations

from functools import partial
from typing import Any

from memory.models import MemoryUser
from memory.verification import verify_user
from tests.api_client import Api, facts_path
from tests.facts import allergy, fact, medication
from tests.people import new_person
from tests.together import together


def test_seq_has_no_gaps_and_no_doubles(api: Api, person: MemoryUser) -> None:
    def post(client: int) -> list[Any]:
        return [
            api.append(person, *(fact(f"{client}.{number}") for number in range(size)))
            for size in (1, 3, 2, 1)
        ]

    answers = [one for many in together(*(partial(post, n) for n in range(5))) for one in many]
    seqs = sorted(one["seq"] for answer in answers for one in answer["facts"])
    assert seqs == list(range(1, 36))
    stored = api.all(facts_path(person.pk), order="asc")
    assert [one["seq"] for one in stored] == seqs
    assert verify_user(person.pk) == []


def test_the_facts_of_one_post_stand_side_by_side(api: Api, person: MemoryUser) -> None:
    def post(client: int) -> list[Any]:
        batch = [fact(f"{client}") for _ in range(4)]
        return [api.append(person, *batch) for _ in range(3)]

    together(*(partial(post, client) for client in range(4)))
    texts = [one["text"] for one in api.all(facts_path(person.pk), order="asc")]
    groups = [set(texts[start : start + 4]) for start in range(0, len(texts), 4)]
    assert all(len(group) == 1 for group in groups)


def test_people_do_not_get_into_each_others_log(api: Api) -> None:
    people = [new_person() for _ in range(4)]
    together(
        *(
            partial(lambda who: [api.append(who, fact(who.external_id)) for _ in range(5)], who)
            for who in people
        )
    )
    for who in people:
        stored = api.all(facts_path(who.pk))
        assert [one["seq"] for one in stored] == [5, 4, 3, 2, 1]
        assert {one["text"] for one in stored} == {who.external_id}
        assert verify_user(who.pk) == []


def test_messages_and_facts_of_one_person_may_come_at_once(api: Api, person: MemoryUser) -> None:
    turn = {"messages": [{"role": "user", "content": "x"}]}
    together(
        lambda: [api.append(person, fact("x")) for _ in range(5)],
        lambda: [api.post(f"users/{person.pk}/messages", turn) for _ in range(5)],
    )
    assert verify_user(person.pk) == []
    person.refresh_from_db()
    assert (person.fact_seq, person.message_seq) == (5, 5)


def test_what_contradicts_itself_at_once_ends_as_the_log_says(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    together(
        lambda: [api.append(person, medication("Amoxicillin", "retract")) for _ in range(4)],
        lambda: [api.append(person, medication("Amoxicillin")) for _ in range(4)],
    )
    last = api.get(facts_path(person.pk), limit=1).json()["items"][0]["readings"][0]["op"]
    standing = api.alerts(person, status="open")
    assert len(standing) == (last == "assert")
