"""Whoever may decide something hears at once that it came or went; nobody hears of others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.contrib.auth.models import User as Staff
from django.db import OperationalError

from alerts.live import queue_watch
from memory.models import HeldReading, MemoryUser, Proposal
from memory.queue.sources import Source, sources
from memory.rights import Role
from tests.alerts.early_words import concern, noticed
from tests.alerts.page import Page
from tests.api_client import Api
from tests.facts import allergy, note
from tests.memory.queue.waiting import danger, held_reading
from tests.staff import new_staff

PATIENCE = 40  # beats


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several looks between two beats, so that beats without a word mean that there is none."""
    monkeypatch.setattr("alerts.live.queue_watch.LOOK", 0.05)
    monkeypatch.setattr("alerts.live.consumers.BEAT_SECONDS", 0.5)


async def _next(page: Page) -> str:
    """The next message that is a beat or of the queue."""
    while True:
        said = json.loads((await page.next())["text"])
        if said["type"] in ("queue", "beat"):
            kind: str = said["type"]
            return kind


async def _beats(page: Page, count: int) -> bool:
    """Whether nothing of the queue is said until so many beats have been."""
    return [await _next(page) for _ in range(count)] == ["beat"] * count


async def _hears(page: Page) -> bool:
    """Whether there is a word of the queue, within the time of so many beats."""
    for _ in range(PATIENCE):
        if await _next(page) == "queue":
            return True
    return False


def _told(staff: Staff, *acts: Callable[[], Any], query: str = "?queue=1") -> None:
    """A page of the queue is told of each of these."""
    page = Page(staff, query)

    async def run() -> None:
        async with page:
            await page.open()
            assert await _hears(page)  # what came while the page was made
            assert await _beats(page, 2)  # nothing else has happened
            for number, act in enumerate(acts):
                await database_sync_to_async(act)()
                assert await _hears(page), f"of act {number}"

    async_to_sync(run)()


def _not_told(staff: Staff, act: Callable[[], Any], query: str = "?queue=1") -> None:
    """A page is not told of this: beats that came meanwhile are followed by beats alone."""
    page = Page(staff, query)

    async def run() -> None:
        async with page:
            await page.open()
            if query:
                assert await _hears(page)
            await database_sync_to_async(act)()
            while await page.socket.receive_nothing(timeout=0.05) is False:
                assert await _next(page) == "beat"
            assert await _beats(page, 2)

    async_to_sync(run)()


def test_each_kind_of_item_is_told_when_it_comes_and_goes(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, allergy("penicillin"), note("tea"))
    acts: list[Callable[[], Any]] = [
        lambda: held_reading(person),
        lambda: HeldReading.objects.all().delete(),
        lambda: noticed(person, concern()),
        lambda: danger(person),
        lambda: Proposal.objects.update(danger=1),
        lambda: Proposal.objects.update(status="superseded"),
    ]
    _told(caregiver, *acts)


def test_a_decision_and_a_newcomer_at_once_are_told(person: MemoryUser, caregiver: Staff) -> None:
    first = held_reading(person)

    def exchange() -> None:
        first.delete()
        held_reading(person)

    _told(caregiver, exchange)


def test_a_look_that_fails_halfway_forgets_nothing(
    person: MemoryUser, caregiver: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OperationalError("the connection is gone")]

    def fails_once(source: Source) -> queue_watch.Mark:
        if failures and source is sources()[-1] and HeldReading.objects.exists():
            raise failures.pop()
        return mark(source)

    mark = queue_watch._mark
    monkeypatch.setattr(queue_watch, "_mark", fails_once)
    _told(caregiver, lambda: held_reading(person))
    assert failures == []


def test_a_reviewer_without_alerts_hears_of_what_they_may_decide(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, note("tea"))
    reviewer = new_staff("judge", Role.REVIEWER)
    _told(reviewer, lambda: danger(person), lambda: held_reading(person))


def test_a_caregiver_who_judges_no_code_hears_of_no_proposal(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"))
    only = new_staff("only a caregiver", Role.CAREGIVER)
    _not_told(only, lambda: danger(person))


def test_nobody_hears_of_people_whom_they_may_not_see(person: MemoryUser) -> None:
    far = new_staff("far", *Role, in_team=False)
    _not_told(far, lambda: held_reading(person))


def test_a_page_that_did_not_ask_hears_nothing(person: MemoryUser, caregiver: Staff) -> None:
    _not_told(caregiver, lambda: held_reading(person), query="")
