"""An open page of a person is told when what the model does for them moves on; no other is."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from memory.actions.teams import end_placement
from memory.audit import CONSOLE
from memory.models import CarePlacement, Job, JobStatus, MemoryUser
from memory.rights import Role
from memory.work import work_of
from tests.alerts.page import Page
from tests.people import new_person
from tests.staff import new_staff


@pytest.fixture
def job(person: MemoryUser) -> Job:
    """Something that is being read."""
    now = timezone.now()
    return Job.objects.create(
        name="read",
        user=person,
        queued_at=now,
        started_at=now,
        status=JobStatus.RUNNING,
        lease_until=now + timedelta(minutes=1),
        stage="asking the model",
        done=132,
        total=400,
    )


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several looks between two beats, so that a beat without a word means that there is none."""
    monkeypatch.setattr("alerts.live.work.LOOK", 0.05)
    monkeypatch.setattr("alerts.live.consumers.BEAT_SECONDS", 0.5)


def _page(staff: Staff, person: UUID | str, work: str) -> Page:
    return Page(staff, f"?person={person}&work={work}")


@database_sync_to_async
def _change(**columns: Any) -> None:
    Job.objects.update(**columns)


async def _next(page: Page, *kinds: str) -> str:
    """The next message of these kinds."""
    while True:
        said = json.loads((await page.next())["text"])
        if said["type"] in kinds:
            kind: str = said["type"]
            return kind


def _listening(page: Page, act: Callable[[Page], Awaitable[None]]) -> None:
    async def run() -> None:
        async with page:
            await page.open()
            await act(page)

    async_to_sync(run)()


def test_a_page_that_shows_something_else_is_told_at_once(
    caregiver: Staff, person: MemoryUser, job: Job
) -> None:
    async def act(page: Page) -> None:
        assert await _next(page, "work") == "work"

    _listening(_page(caregiver, person.pk, ""), act)


def test_a_page_is_told_of_each_step_and_of_the_end(
    caregiver: Staff, person: MemoryUser, job: Job
) -> None:
    async def act(page: Page) -> None:
        assert await _next(page, "work", "beat") == "beat"  # what it shows is what there is
        for step in ({"stage": "storing"}, {"done": 144}, {"status": JobStatus.DONE}):
            await _change(**step)
            assert await _next(page, "work") == "work"

    _listening(_page(caregiver, person.pk, work_of(person).mark), act)


@pytest.mark.parametrize("person_asked", ["", "x", "stranger"])
def test_nobody_is_told_of_people_they_may_not_see(
    person: MemoryUser, job: Job, person_asked: str
) -> None:
    async def act(page: Page) -> None:
        await _change(done=200)
        assert await _next(page, "work", "beat") == "beat"

    far = new_staff("far", Role.CAREGIVER, in_team=False)
    asked = person.pk if person_asked == "stranger" else person_asked
    _listening(_page(far, asked, ""), act)


def test_a_page_hears_nothing_more_of_somebody_who_has_left_the_care(
    caregiver: Staff, person: MemoryUser, job: Job
) -> None:
    @database_sync_to_async
    def leave() -> None:
        placement = CarePlacement.objects.get(user=person)
        end_placement(placement=placement, actor=CONSOLE, now=timezone.now())

    async def act(page: Page) -> None:
        assert await _next(page, "work") == "work"
        await leave()
        assert await _next(page, "look", "work") == "look"
        await _next(page, "beat")
        await _change(done=200)
        assert await _next(page, "work", "beat") == "beat"

    _listening(_page(caregiver, person.pk, ""), act)


def test_other_peoples_work_is_not_told(caregiver: Staff, person: MemoryUser, job: Job) -> None:
    async def act(page: Page) -> None:
        await _change(done=200)
        assert await _next(page, "work", "beat") == "beat"

    _listening(_page(caregiver, new_person(name="Zoe").pk, ""), act)
