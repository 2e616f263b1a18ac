"""A question that only words answer: by quotes, never by a count that nobody made."""

from __future__ import annotations

import pytest

from memory.models import MemoryUser
from memory.rights import Right
from tests.api_client import Api
from tests.memory.answering.conftest import SAID, UNKNOWN, ask, prompt_of, quote, sent_back, text
from tests.model_server import Script, answers
from tests.staff import new_key

CATS = quote(1, "Ann has three cats")


def test_words_are_answered_with_the_words_they_rest_on(
    api: Api, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(text("Ann moved to Oslo.", quote(1, "moved to Oslo last week"))))
    found = ask(api, traveller, "Where did Ann move to?")
    assert (found["known"], found["how"], found["answer"]) == (True, "text", "Ann moved to Oslo.")
    assert (found["code"], found["value"], found["records"]) == (None, None, [])
    assert found["quotes"] == [
        {
            "quote": "moved to Oslo last week",
            "item": "",
            "fact": None,
            "message": 1,
            "speaker": "user",
            "at": "2026-02-10T20:14:00+00:00",
        }
    ]


def test_a_fact_is_quoted_by_its_seq(api: Api, traveller: MemoryUser, server: Script) -> None:
    server.plays(answers(text("Ann does.", quote(5, "Ann keeps cats"))))
    found = ask(api, traveller, "Who keeps cats?")
    assert (found["facts"], found["quotes"][0]["fact"]) == ([4], 4)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many cats does Ann have?", "Ann has three cats."),
        ("How many cats does Ann have?", "Ann has 3 cats."),
        ("When did Ann move?", "In the week before 10 February 2026."),
        ("Which number do you like, 12?", "Of 12 nothing was said, but of three."),
    ],
)
def test_numbers_that_were_said_may_be_told(
    api: Api, traveller: MemoryUser, server: Script, question: str, sentence: str
) -> None:
    server.plays(answers(text(sentence, CATS)))
    assert ask(api, traveller, question)["answer"] == sentence


@pytest.mark.parametrize(
    ("question", "wrong", "told"),
    [
        ("How many cats does Ann have?", text("Ann has 4 cats.", CATS), "4 stands neither"),
        ("How many cats does Ann have?", text("Ann has two cats.", CATS), "2 stands neither"),
        ("When did Ann move?", text("In 2025.", CATS), "2025 stands neither"),
        ("When did Ann move?", text("In January 2026.", CATS), "January 2026 stands neither"),
        ("When did Ann move?", text("On 3 February 2026.", CATS), "3 February 2026 stands neither"),
        ("How many animals?", text("Some.", CATS), "no quote has a number"),
        ("How many animals, in total?", text("3.", CATS, quote(6, "with the cats?")), "one piece"),
        ("How many trips did Ann do in 2026?", text("2026", quote(1, "moved")), "no quote"),
        ("Where does she go most often?", text("To Oslo.", CATS), 'to compare ("most often")'),
        ("What was the longest trip?", text("To Oslo.", CATS), 'to compare ("longest")'),
        ("Where is Ann?", text("In Oslo."), "at least one quote"),
        ("Where is Ann?", text("In Oslo.", quote(1, "Ann lives in Oslo")), "not in the message"),
        ("Where is Ann?", text("In Oslo.", quote(9, SAID)), "no excerpt 9"),
        ("Where is Ann?", text(" ", CATS), "sentence: it is empty"),
        ("Where is Ann?", text("In {value}.", CATS), 'only an answer with `how` "query"'),
        ("Where is Ann?", {**text("In Oslo.", CATS), "code": "1"}, "leave it empty"),
    ],
)
def test_what_was_not_said_is_refused(
    api: Api, traveller: MemoryUser, server: Script, question: str, wrong: object, told: str
) -> None:
    server.plays(answers(wrong), answers(UNKNOWN))
    found = ask(api, traveller, question)
    assert (found["known"], found["refused"]) == (False, 1)
    assert told in sent_back(server)


def test_what_nothing_tells_is_not_known(api: Api, traveller: MemoryUser, server: Script) -> None:
    server.plays(answers({**UNKNOWN, "sentence": "Certainly in Paris."}))
    found = ask(api, traveller, "Where does Ann work?")
    assert (found["known"], found["answer"], found["why"]) == (False, "Not known.", "")
    assert "Paris" not in str(found)


@pytest.mark.parametrize(
    ("scopes", "seen"),
    [
        ([Right.ASK], []),
        ([Right.ASK, Right.FACTS_READ], ["fact"]),
        ([Right.ASK, Right.MESSAGES_READ], ["message"]),
    ],
)
def test_a_key_is_answered_from_what_it_may_read(
    traveller: MemoryUser, server: Script, scopes: list[Right], seen: list[str]
) -> None:
    server.plays(answers(UNKNOWN))
    ask(Api(new_key("narrow", scopes=scopes)), traveller, "Who keeps cats?")
    prompt = prompt_of(server)
    assert ("Ann keeps cats." in prompt.partition("# Excerpts")[2]) == ("fact" in seen)
    assert (SAID in prompt) == ("message" in seen)
