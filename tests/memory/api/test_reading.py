"""How much has been read, and what is doubtful, for the app that could ask."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import MemoryUser
from tests.api_client import HOST, Api
from tests.facts import Json, fact, reading
from tests.memory.checkpointer.conftest import server
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found, says
from tests.model_server import Script, answers, status
from tests.queue import deliver_all

__all__ = ["says", "server"]
DINNER = reading("schedule.Engagement", title="Dinner", on="2026-03-13", people=["bo"])
BO = reading("people.Person", name="Bo")
SAID = "Dinner with Bo on Friday"


def questions(api: Api, person: MemoryUser) -> list[Any]:
    """What the app may ask the person."""
    return api.all(f"users/{person.pk}/questions")


@pytest.fixture
def doubted(api: Api, person: MemoryUser, server: Script, says: Post) -> None:
    """A message that was read with two doubts, and one that is clear."""
    doubtful = found(SAID, BO, DINNER, doubts=["Which Friday?", "Which Bo?"])
    clear = found("I live in Rome", reading("schedule.Place", name="Rome", home=True))
    server.plays(answers(answer(entry(1, doubtful), entry(2, clear))))
    says(f"{SAID}!", "I live in Rome")
    deliver_all()


@pytest.mark.usefixtures("doubted")
def test_doubts_are_questions_with_their_words(api: Api, person: MemoryUser) -> None:
    one = questions(api, person)
    assert [{**item, "asked_at": None} for item in one] == [
        {
            "fact": 1,
            "message": 1,
            "quote": SAID,
            "questions": ["Which Friday?", "Which Bo?"],
            "asked_at": None,
        }
    ]


@pytest.mark.usefixtures("doubted")
@pytest.mark.parametrize(
    ("later", "goes"),
    [
        (fact("The 20th", reading("schedule.Engagement", "update", "dinner-2026-03-13")), True),
        (fact("No, on Saturday", corrects=1), True),
        (fact("Bo is my son", reading("people.Person", "update", "bo", relation="son")), False),
        (fact("No, in Milan", corrects=2), False),
        (fact("x", reading("notes.Note", text='"corrects":1'), metadata={"corrects": 1}), False),
    ],
)
def test_a_question_goes_when_something_answers_it(
    api: Api, person: MemoryUser, later: Json, goes: bool
) -> None:
    if later["readings"] and later["readings"][0]["op"] == "update":
        later["readings"][0]["data"] = later["readings"][0]["data"] or {"starts_at": "19:00"}
    api.append(person, later)
    assert bool(questions(api, person)) != goes


def test_a_fact_about_nobody_else_is_asked_about_until_its_person_is_spoken_of(
    api: Api, person: MemoryUser, server: Script
) -> None:
    twice = [found("Bo called", BO, doubts=["Who is Bo?"]), found("called", doubts=["When?"])]
    server.plays(answers(answer(entry(1, *twice))))
    api.append(person, fact("Bo called"))
    deliver_all()
    assert [(one["message"], one["questions"]) for one in questions(api, person)] == [
        (None, ["Who is Bo?", "When?"])
    ]
    api.append(person, fact("My son", reading("people.Person", "update", "bo", relation="son")))
    assert questions(api, person) == []


def test_questions_come_in_pages(api: Api, person: MemoryUser, server: Script, says: Post) -> None:
    entries = [
        entry(n, found(f"turn {n}", reading("notes.Note", text="x"), doubts=['"doubts": ["?']))
        for n in range(1, 8)
    ]
    server.plays(answers(answer(*entries)))
    says(*[f"turn {n}" for n in range(1, 8)])
    deliver_all()
    pages = api.pages(f"users/{person.pk}/questions", limit=3)
    assert [[one["fact"] for one in page] for page in pages] == [[7, 6, 5], [4, 3, 2], [1]]
    pages = api.pages(f"users/{person.pk}/questions", limit=4, order="asc")
    assert [[one["fact"] for one in page] for page in pages] == [[1, 2, 3, 4], [5, 6, 7]]


def test_a_text_that_looks_like_a_doubt_is_none(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    odd = 'He wrote "doubts": ["x"]'
    server.plays(answers(answer(entry(1, found(odd, reading("notes.Note", text="x"))))))
    says(odd)
    deliver_all()
    assert questions(api, person) == []


def test_how_much_has_been_read_is_a_number(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    where = f"users/{person.pk}/reading"
    none: dict[str, Any] = dict.fromkeys(("waiting", "read", "nothing", "stuck", "all", "held"), 0)
    assert api.get(where).json() == {**none, "coverage": None, "last_at": None}
    note = found("two", reading("notes.Note", text="x"))
    server.plays(
        answers(answer(entry(1, nothing="-"), entry(2, note), entry(3))),
        answers(answer(entry(1, nothing="-"), entry(2, note), entry(3))),
        answers(answer(entry(1, nothing="-"), entry(2, note), entry(3))),
        status(500),
    )
    says("one", "two", "three")
    deliver_all()
    says("four")
    deliver_all()
    counts = api.get(where).json()
    assert counts.pop("last_at") is not None
    parts = {"waiting": 1, "read": 1, "nothing": 1, "stuck": 1}
    assert counts == {**parts, "all": 4, "coverage": 0.5, "held": 0}


@pytest.mark.usefixtures("doubted")
def test_staff_find_the_questions_on_the_page(person: MemoryUser, caregiver: Staff) -> None:
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    page = client.get(f"/people/{person.pk}/reading").content.decode()
    for words in ("Which Friday?", "Which Bo?", SAID, "are read (100 %)"):
        assert words in page
