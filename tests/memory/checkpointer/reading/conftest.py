"""A scripted model that reads, over real HTTP, and what a chat app posts for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings as site
from pydantic import SecretStr
from pytest_django import Settings

from memory.checkpointer.model.prices import Price
from memory.models import MemoryUser
from tests.api_client import Api
from tests.facts import Json
from tests.model_server import Script, model_server

Post = Callable[..., None]


@pytest.fixture
def server(settings: Settings) -> Iterator[Script]:
    """The model, configured for the site."""
    with model_server() as script:
        settings.MODEL = {
            **site.MODEL,
            "base_url": script.url,
            "api_key": SecretStr("sk-test"),
            "models": {"": "small"},
            "prices": {"small": Price(Decimal(1), Decimal(4))},
            "attempts": 1,
        }
        yield script


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
