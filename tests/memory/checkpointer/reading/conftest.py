"""A scripted model that reads, over real HTTP, and what a chat app posts for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory.models import MemoryUser
from tests.api_client import Api
from tests.facts import Json
from tests.model_server import Script

Post = Callable[..., None]


@pytest.fixture
def says(api: Api, person: MemoryUser) -> Post:
    """Post turns of the conversation."""

    def post(*texts: str, role: str = "user", said_at: str = "2026-03-06T09:00:00Z") -> None:
        turns = [{"role": role, "content": text, "said_at": said_at} for text in texts]
        answer = api.post(f"users/{person.pk}/messages", {"messages": turns, "session": "one"})
        assert answer.status_code == 201, answer.content

    return post


def entry(number: int, *facts: Json, nothing: str | None = None) -> Json:
    """What a model says of one message."""
    return {"number": number, "facts": list(facts), "nothing_to_remember": nothing}


def found(quote: str, *readings: Json, **more: Any) -> Json:
    """A fact that a model has found; the quote serves as its text."""
    return {
        "text": quote,
        "quote": quote,
        "speaker": "user",
        "readings": list(readings),
        "fit": "exact" if readings else "none",
        "needs": "nothing" if readings else "kind",
        **more,
    }


def answer(*entries: Json) -> Json:
    """A whole answer."""
    return {"messages": list(entries)}


def prompt_of(script: Script, number: int = -1) -> str:
    """The instructions of a request."""
    text: str = script.requests[number]["messages"][0]["content"]
    return text
