"""`users/{id}/messages`: the archive of raw turns."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memory.models import MemoryUser
from memory.verification import verify_user
from tests.api_client import Api, pointers
from tests.people import new_person


def _turns(count: int) -> list[dict[str, Any]]:
    return [{"role": "user", "content": f"turn {number}"} for number in range(count)]


def _path(person: MemoryUser) -> str:
    return f"users/{person.pk}/messages"


def test_turns_are_kept_verbatim_and_in_order(api: Api, person: MemoryUser) -> None:
    turns = [
        {"role": "user", "content": " Bonjour\r\n\u202e “ça va” \U0001f600 "},
        {"role": "assistant", "content": "```python\nprint('x')\n```"},
    ]
    answer = api.post(_path(person), {"messages": turns, "session": "s1"})
    assert answer.status_code == 201
    assert answer.json() == {"user_id": str(person.pk), "first_seq": 1, "last_seq": 2}
    stored = api.all(_path(person), order="asc")
    assert [{"role": one["role"], "content": one["content"]} for one in stored] == turns
    assert {one["session"] for one in stored} == {"s1"}


def test_when_a_turn_was_said_may_differ_from_when_it_came(api: Api, person: MemoryUser) -> None:
    turn = {"role": "user", "content": "x", "said_at": "2020-05-01T12:00:00+02:00"}
    api.post(_path(person), {"messages": [turn]})
    (stored,) = api.all(_path(person))
    assert stored["said_at"] == "2020-05-01T10:00:00Z"
    assert stored["recorded_at"] > stored["said_at"]


def test_any_offset_is_taken_and_kept_in_utc(api: Api, person: MemoryUser) -> None:
    turn = {"role": "user", "content": "x", "said_at": "2020-05-01T12:00:00+19:50"}
    assert api.post(_path(person), {"messages": [turn]}).status_code == 201
    (stored,) = api.all(_path(person))
    assert stored["said_at"] == "2020-04-30T16:10:00Z"


@pytest.mark.parametrize(
    "said_at",
    [
        "0001-01-02T00:00:00Z",
        "0476-09-04T12:00:00.5+14:00",
        "0999-12-31T23:59:59.999999-23:59",
        "1000-01-01T00:00:00+00:01",
    ],
)
def test_the_oldest_moments_are_read_wherever_messages_are(
    api: Api, person: MemoryUser, said_at: str
) -> None:
    turn = {"role": "user", "content": "the last emperor", "said_at": said_at}
    assert api.post(_path(person), {"messages": [turn]}).status_code == 201
    api.append(person, {"text": "the last emperor resigned", "occurred_at": said_at})
    told = datetime.fromisoformat(said_at)
    assert datetime.fromisoformat(api.all(_path(person))[0]["said_at"]) == told
    found = api.get(f"users/{person.pk}/search", q="emperor")
    assert found.status_code == 200
    items = found.json()["items"]
    assert {datetime.fromisoformat(one["occurred_at"]) for one in items} == {told}
    assert len(items) == 2
    assert verify_user(person.pk) == []


@pytest.mark.parametrize(
    "said_at",
    ["3494-08-17T23:54:12+19:50", "0001-01-01T00:00:00+14:00", "0001-01-01T12:00:00Z"],
)
def test_a_moment_that_cannot_be_is_refused(api: Api, person: MemoryUser, said_at: str) -> None:
    turns = [{"role": "user", "content": "x"}, {"role": "user", "content": "y", "said_at": said_at}]
    answer = api.post(_path(person), {"messages": turns})
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/messages/1/said_at"]
    assert api.all(_path(person)) == []


def test_messages_have_a_count_of_their_own(api: Api, person: MemoryUser) -> None:
    api.append(person, {"text": "a fact"})
    assert api.post(_path(person), {"messages": _turns(3)}).json()["first_seq"] == 1
    assert api.post(_path(person), {"messages": _turns(2)}).json()["last_seq"] == 5


def test_a_repeat_with_its_key_appends_nothing(api: Api, person: MemoryUser) -> None:
    answers = [api.post(_path(person), {"messages": _turns(2)}, key="k1") for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert answers[1]["Idempotent-Replay"] == "true"
    assert len(api.all(_path(person))) == 2


def test_sessions_are_listed_apart(api: Api, person: MemoryUser) -> None:
    for session in ("a", "b", ""):
        api.post(_path(person), {"messages": _turns(2), "session": session})
    assert [one["seq"] for one in api.all(_path(person), session="b")] == [4, 3]


def test_nobody_reads_the_turns_of_another(api: Api, person: MemoryUser) -> None:
    api.post(_path(person), {"messages": _turns(2)})
    assert api.all(_path(new_person())) == []


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 200])
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_hold_every_turn_once(api: Api, person: MemoryUser, limit: int, order: str) -> None:
    api.post(_path(person), {"messages": _turns(5)})
    seqs = [one["seq"] for one in api.all(_path(person), limit=limit, order=order)]
    assert seqs == ([1, 2, 3, 4, 5] if order == "asc" else [5, 4, 3, 2, 1])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/messages"),
        ({"messages": []}, "/messages"),
        ({"messages": _turns(1_001)}, "/messages"),
        ({"messages": [{"role": "user"}]}, "/messages/0/content"),
        ({"messages": [*_turns(1), {"role": "user", "content": ""}]}, "/messages/1/content"),
        ({"messages": [{"role": " ", "content": "x"}]}, "/messages/0/role"),
        ({"messages": [{"role": "r" * 41, "content": "x"}]}, "/messages/0/role"),
        ({"messages": [{"role": "u", "content": "x", "said_at": "2020"}]}, "/messages/0/said_at"),
        ({"messages": _turns(1), "session": "s" * 201}, "/session"),
        ({"messages": _turns(1), "sesion": "s"}, "/sesion"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_stored(
    api: Api, person: MemoryUser, body: Any, pointer: str
) -> None:
    answer = api.post(_path(person), body)
    assert answer.status_code == 422
    assert list(pointers(answer)) == [pointer]
    assert api.all(_path(person)) == []
