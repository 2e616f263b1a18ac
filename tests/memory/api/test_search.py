"""`users/{id}/search`: what was said is found, from the moment it was said."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory.actions.append_messages import NewMessage, append_messages
from memory.actions.index_words import enqueue_index, enqueue_unindexed
from memory.models import (
    App,
    AuditEvent,
    IndexedBlock,
    Job,
    MemoryUser,
    Posting,
    Stream,
    WordIndex,
)
from memory.retrieval import words
from memory.rights import Right
from tests.api_client import Api, pointers
from tests.facts import allergy, fact, medication, note, reading
from tests.people import new_person
from tests.proposals import current
from tests.queue import deliver_all
from tests.staff import new_key

Json = dict[str, Any]


def _found(api: Api, person: MemoryUser, q: str, **query: Any) -> Json:
    answer = api.get(f"users/{person.pk}/search", q=q, **query)
    assert answer.status_code == 200, answer.content
    body: Json = answer.json()
    return body


def _seqs(found: Json, stream: str = "fact") -> list[int]:
    return [one["seq"] for one in found["items"] if one["stream"] == stream]


def _say(api: Api, person: MemoryUser, *texts: str, session: str = "s", role: str = "user") -> None:
    turns = [{"role": role, "content": text} for text in texts]
    body = {"messages": turns, "session": session}
    assert api.post(f"users/{person.pk}/messages", body).status_code == 201


def _marked(hit: Json) -> list[str]:
    text = hit["snippet"]["text"]
    return [text[start:end] for start, end in hit["snippet"]["highlights"]]


def _index(person: MemoryUser) -> None:
    """Have everything of a person indexed, as the queue does."""
    enqueue_index(user=person, now=timezone.now())
    deliver_all()
    index, user = WordIndex.objects.get(user=person), current(person)
    assert (index.fact_seq, index.message_seq) == (user.fact_seq, user.message_seq)


def _many(app: App, person: MemoryUser, count: int, *, first: int = 0) -> None:
    texts = [f"word{number} tea {'milk' if number % 3 else 'sugar'}" for number in range(count)]
    append_messages(
        user_id=person.pk,
        messages=[NewMessage("user", f"{text} {first}") for text in texts],
        session="many",
        actor=app,
        now=timezone.now(),
    )


def test_facts_and_messages_are_found_at_once(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), note("I like walking"))
    _say(api, person, "The dentist gave me Penicillin once", "And then?")
    found = _found(api, person, "What about penicillin?")
    assert [(one["stream"], one["seq"]) for one in found["items"]][:2] == [
        ("fact", 1),
        ("message", 1),
    ]
    assert [_marked(one) for one in found["items"][:2]] == [["penicillin"], ["Penicillin"]]
    assert (found["terms"], found["ignored"]) == (["penicillin"], ["What", "about"])
    assert found["items"][0]["kinds"] == ["health.Allergy"]
    assert found["items"][1]["role"] == "user"
    assert found["next"] is None


def test_the_score_is_explained(api: Api, person: MemoryUser) -> None:
    _say(api, person, "My sister visited Lisbon", "Nice!", "Lisbon was sunny")
    hit = _found(api, person, "sister Lisbon")["items"][0]
    explanation = hit["explanation"]
    assert {one["term"] for one in explanation["terms"]} == {"sister", "lisbon"}
    assert [(one["seq"], one["weight"]) for one in explanation["neighbours"]] == [(3, 0.4)]
    terms = sum(one["score"] for one in explanation["terms"])
    beside = sum(one["weight"] * one["score"] for one in explanation["neighbours"])
    assert hit["score"] == pytest.approx(terms + beside, abs=0.01)


def test_the_index_answers_as_the_log_did(api: Api, app: App, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    api.append(person, fact("No, to milk", corrects=1), note("tea with milk"))
    _many(app, person, 900)
    _say(api, person, "tea", "milk", "word7", session="other")
    _many(app, person, 300, first=1)
    questions = ("tea milk", "word7 sugar", "penicillin", "nothing of this")
    before = [_found(api, person, q, limit=200) for q in questions]
    _index(person)
    assert Posting.objects.filter(user=person, term="tea", stream=Stream.MESSAGE).count() == 2
    assert [_found(api, person, q, limit=200) for q in questions] == before
    _say(api, person, "one more tea", session="other")
    assert _seqs(_found(api, person, "one more tea"), "message")[0] == 1_204
    _many(app, person, 100, first=2)
    _index(person)
    assert IndexedBlock.objects.filter(user=person).count() == 3
    assert _seqs(_found(api, person, "word99", **{"in": "messages"}), "message")[0] in (100, 1_003)


def test_a_search_that_read_much_of_the_log_has_it_indexed(
    api: Api, app: App, person: MemoryUser
) -> None:
    _say(api, person, "tea")
    _found(api, person, "tea")
    assert not Job.objects.filter(name="index").exists()
    _many(app, person, 100)
    _found(api, person, "tea")
    _found(api, person, "tea")
    assert Job.objects.filter(name="index").count() == 1
    deliver_all()
    assert WordIndex.objects.get(user=person).message_seq == 101


def test_the_sweep_indexes_who_has_much_that_is_not(app: App, person: MemoryUser) -> None:
    _many(app, person, 100)
    new_person()
    assert enqueue_unindexed(now=timezone.now()) == 1
    assert enqueue_unindexed(now=timezone.now()) == 0
    deliver_all()
    assert enqueue_unindexed(now=timezone.now()) == 0
    _many(app, person, 65, first=1)
    assert enqueue_unindexed(now=timezone.now()) == 1


def test_an_index_made_by_other_rules_is_made_anew(
    api: Api, app: App, person: MemoryUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    _many(app, person, 100)
    _index(person)
    Posting.objects.filter(user=person).update(places=b"")
    WordIndex.objects.filter(user=person).update(analyzer=words.ANALYZER + 1)
    assert _seqs(_found(api, person, "word7"), "message")[0] == 8
    _index(person)
    assert _seqs(_found(api, person, "word7"), "message")[0] == 8


def test_what_was_known_then_is_answered_as_it_was_then(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    _say(api, person, "penicillin gave me hives", "Oh no")
    then = timezone.now()
    before = _found(api, person, "penicillin hives")
    api.append(person, fact("Not penicillin, it was milk", corrects=1), medication("penicillin"))
    _say(api, person, "hives again", "penicillin, hives, penicillin")
    for as_of in (then.isoformat(), "1"):
        expected = before if as_of != "1" else _found(api, person, "penicillin hives", as_of="1")
        again = _found(api, person, "penicillin hives", as_of=as_of)
        assert again["items"] == expected["items"]
    assert _found(api, person, "penicillin", as_of="1")["known"]["message_seq"] == 0
    _index(person)
    assert (
        _found(api, person, "penicillin hives", as_of=then.isoformat())["items"] == before["items"]
    )
    assert [one["corrected_by"] for one in before["items"] if one["stream"] == "fact"] == [None]


def test_a_corrected_fact_says_so(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    api.append(person, fact("It was milk", corrects=1))
    (hit,) = _found(api, person, "penicillin")["items"]
    assert (hit["seq"], hit["corrected_by"]) == (1, 2)


def test_pages_hold_every_hit_once_whatever_is_said_meanwhile(api: Api, person: MemoryUser) -> None:
    _say(api, person, *(f"tea number {number}" for number in range(30)))
    whole = _seqs(_found(api, person, "tea", limit=100), "message")
    page = _found(api, person, "tea", limit=7)
    seqs = _seqs(page, "message")
    while page["next"]:
        _say(api, person, "tea tea tea", session="later")
        page = api.client.get(page["next"]).json()
        seqs += _seqs(page, "message")
    assert seqs == whole
    assert len(seqs) == 30


MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "facts", "messages"),
    [
        ({}, {1, 2, 3}, {1}),
        ({"in": "facts"}, {1, 2, 3}, set()),
        ({"in": "messages"}, set(), {1}),
        ({"kind": "notes.Note"}, {2}, set()),
        ({"domain": "health"}, {1}, set()),
        ({"domain": "heal"}, set(), set()),
        ({"source": "diary"}, {3}, set()),
        ({"session": "s"}, {3}, {1}),
        ({"occurred_from": MOMENT.isoformat()}, {1, 2}, {1}),
        ({"occurred_to": MOMENT.isoformat()}, {3}, set()),
        ({"recorded_to": MOMENT.isoformat()}, set(), set()),
        ({"recorded_from": "2026-03-01T12:00:00Z", "kind": "notes.Note"}, {2}, set()),
    ],
)
def test_what_filters_let_through(
    api: Api, person: MemoryUser, query: Json, facts: set[int], messages: set[int]
) -> None:
    earlier = (MOMENT - timedelta(days=1)).isoformat()
    api.append(
        person,
        fact("tea rash", reading("health.Allergy", substance="tea")),
        note("tea is fine"),
        fact("tea again", source="diary", session="s", occurred_at=earlier),
    )
    _say(api, person, "tea")
    found = _found(api, person, "tea", **query)
    assert set(_seqs(found)) == facts
    assert set(_seqs(found, "message")) == messages


def test_a_key_without_messages_finds_and_learns_nothing_of_them(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, note("tea with milk"))
    facts_only = Api(new_key("chat", scopes=[Right.FACTS_READ]))
    before = _found(facts_only, person, "tea milk sugar")
    _say(api, person, "tea and sugar", "tea", "tea")
    after = _found(facts_only, person, "tea milk sugar")
    assert after == before
    assert after["known"] == {"fact_seq": 1, "message_seq": None}
    refused = facts_only.get(f"users/{person.pk}/search", q="tea", **{"in": "messages"})
    assert refused.status_code == 403
    assert "messages:read" in refused.json()["detail"]


def test_nobody_finds_the_words_of_another(api: Api, person: MemoryUser) -> None:
    api.append(person, note("quixotamol"))
    other = new_person()
    api.append(other, note("tea"))
    before = _found(api, other, "quixotamol tea")
    api.append(person, note("quixotamol tea"))
    assert _found(api, other, "quixotamol tea") == before
    assert _seqs(before) == [1]


HOSTILE = [
    '"tea" OR * NEAR(',
    "tea' ); DROP TABLE memory_posting; --",
    "<script>alert(1)</script>",
    "&nbsp;%_\\",
    "\u202etea",
    "🫖",
    "(" * 999,
]


@pytest.mark.parametrize("q", HOSTILE)
def test_a_query_is_words_and_nothing_else(api: Api, person: MemoryUser, q: str) -> None:
    api.append(person, note("<script>alert('tea')</script> & <b>tea</b>"))
    found = _found(api, person, q)
    for hit in found["items"]:
        assert hit["snippet"]["text"] == "<script>alert('tea')</script> & <b>tea</b>"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({}, "q is what"),
        ({"q": "  "}, "q is what"),
        ({"q": "x" * 1_001}, "q is what"),
        ({"q": "x", "in": "both"}, "in is facts or messages"),
        ({"q": "x", "as_of": "yesterday"}, "as_of is a moment"),
        ({"q": "x", "occurred_from": "2026"}, "occurred_from is a moment"),
        ({"q": "x", "limit": "0"}, "limit is a whole number"),
        ({"q": "x", "cursor": "7"}, "cursor is none"),
        ({"q": "x", "cursor": "1000-1-1"}, "cursor is none"),
        ({"q": "x", "cursor": "-1-1-1"}, "cursor is none"),
    ],
)
def test_what_does_not_fit_is_told(api: Api, person: MemoryUser, query: Json, said: str) -> None:
    answer = api.get(f"users/{person.pk}/search", **query)
    assert answer.status_code == 400
    assert pointers(answer) == {}
    assert said in answer.json()["detail"]


def test_somebody_without_a_word_said_has_no_hits(api: Api, person: MemoryUser) -> None:
    found = _found(api, person, "anything", as_of="0")
    assert (found["items"], found["known"]) == ([], {"fact_seq": 0, "message_seq": 0})


def test_a_search_is_recorded_without_its_words(api: Api, person: MemoryUser) -> None:
    _found(api, person, "quixotamol")
    event = AuditEvent.objects.filter(person_id=person.pk).latest("pk")
    assert event.action
    row = {name: str(value) for name, value in vars(event).items()}
    assert "quixotamol" not in json.dumps(row)
