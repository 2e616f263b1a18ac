"""A scripted model that writes code, over real HTTP, and what asks it to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.utils import timezone

from memory.actions.jobs import enqueue
from memory.models import MemoryUser, Need, NeedCause, Proposal
from tests.api_client import Api
from tests.facts import Json, fact, reading
from tests.memory.checkpointer.structuring.written import PATHS, RULE, SAID, SCHEMA, TEST
from tests.model_server import Script
from tests.proposals import approved, proposed, with_files
from tests.queue import deliver_all

Ask = Callable[..., Need]


@pytest.fixture
def day(person: MemoryUser) -> date:
    """A day next week, in the person's zone."""
    return person.local_date(timezone.now()) + timedelta(days=7)


@pytest.fixture
def said(api: Api, person: MemoryUser, day: date) -> Json:
    """Fact 1 says how long Rex may be alone, as a note; fact 2 is a long day at work."""
    long_day = reading(
        "schedule.Engagement",
        title="Fair in Lyon",
        on=day.isoformat(),
        starts_at="09:00",
        ends_at="18:30",
        status="agreed",
    )
    answer: Json = api.append(
        person,
        fact(SAID, reading("notes.Note", text=SAID)),
        fact("I am at the fair in Lyon all day", long_day),
    )
    return answer


@pytest.fixture
def asks(person: MemoryUser, now: datetime) -> Ask:
    """Note a need, and have it structured."""

    def note(
        cause: NeedCause = NeedCause.READING,
        seq: int = 1,
        needs: str = "rule",
        **about: Any,
    ) -> Need:
        need = Need.objects.create(
            user=person,
            fact_seq=seq,
            cause=cause,
            needs=needs,
            about=about,
            noted_at=now,
            changed_at=now,
        )
        with transaction.atomic():
            enqueue(name="structure", user=person, now=now)
        return need

    return note


@pytest.fixture
def asked(said: Json, server: Script, asks: Ask) -> Callable[..., Need]:
    """Play acts to one need about fact 1, and let the queue run; the need as it is then."""

    def play(*acts: Any, **need: Any) -> Need:
        server.plays(*acts)
        noted = asks(**need)
        deliver_all()
        noted.refresh_from_db()
        return noted

    return play


def prompt_of(script: Script, number: int = -1) -> str:
    """The instructions of a request."""
    text: str = script.requests[number]["messages"][0]["content"]
    return text


def told(script: Script, number: int = -1) -> str:
    """What the model was told of its last answer."""
    text: str = script.requests[number]["messages"][-1]["content"]
    return text


def only(person: MemoryUser) -> Proposal:
    """The person's one proposal."""
    return Proposal.objects.get(user=person)


@pytest.fixture
def own(person: MemoryUser, caregiver: Staff) -> None:
    """The dog's kind, rule and tests, which somebody has approved."""
    files = dict(zip(PATHS, (SCHEMA, RULE, TEST), strict=True))
    approved(proposed(person, with_files(person, files)), caregiver)
