"""A person of whom something is known, a model that says what a test wants, and the question."""

from __future__ import annotations

from typing import Any

import pytest

from memory.models import MemoryUser
from tests.api_client import Api
from tests.facts import note, trip
from tests.memory.checkpointer.conftest import server
from tests.model_server import Script

__all__ = ["server"]

SAID = "My sister Ann has three cats and moved to Oslo last week."


@pytest.fixture
def traveller(api: Api, person: MemoryUser) -> MemoryUser:
    """Somebody with three trips, a note, and some words in the archive."""
    api.append(
        person,
        trip("Rome", "2026-03-01", country="Italy", status="done", returns_on="2026-03-09"),
        trip("Oslo", "2026-05-01", country="Norway"),
        trip("Milan", "2026-05-20", country="Italy", status="booked"),
        note("Ann keeps cats."),
    )
    turns = [
        {"role": "user", "content": SAID, "said_at": "2026-02-10T20:14:00Z"},
        {"role": "assistant", "content": "Does she like it there, in Oslo with the cats?"},
    ]
    assert api.post(f"users/{person.pk}/messages", {"messages": turns}).status_code == 201
    person.refresh_from_db()
    return person


def ask(api: Api, person: MemoryUser, question: str) -> Any:
    """The answer's value."""
    found = api.post(f"users/{person.pk}/ask", {"question": question})
    assert found.status_code == 200, found.content
    return found.json()


def query(code: str, sentence: str = "It is {value}.", *quotes: dict[str, Any]) -> dict[str, Any]:
    """A model's answer by query."""
    return {"how": "query", "code": code, "sentence": sentence, "quotes": list(quotes)}


def text(sentence: str, *quotes: dict[str, Any]) -> dict[str, Any]:
    """A model's answer by text."""
    return {"how": "text", "code": "", "sentence": sentence, "quotes": list(quotes)}


def quote(excerpt: int, words: str, item: str = "") -> dict[str, Any]:
    """Words from an excerpt."""
    return {"excerpt": excerpt, "quote": words, "item": item}


UNKNOWN = {"how": "unknown", "code": "", "sentence": "", "quotes": []}


def prompt_of(server: Script, number: int = -1) -> str:
    """What the model was asked."""
    content: str = server.requests[number]["messages"][0]["content"]
    return content


def sent_back(server: Script) -> str:
    """What was said to be wrong with the last answer but one."""
    content: str = server.requests[-1]["messages"][-1]["content"]
    return content
