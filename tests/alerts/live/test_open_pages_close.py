"""An open page closes within a second when its reader may no more do what they could."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts.live.guests import Door, session_model
from memory.actions.staff import disable_staff, withdraw_role
from memory.actions.teams import add_member, create_team, end_membership, end_placement
from memory.audit import CONSOLE
from memory.models import CarePlacement, MemoryUser, RoleGrant, TeamMembership
from memory.rights import Role
from tests.alerts.page import Page
from tests.api_client import HOST, Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.staff import new_staff

FORBIDDEN = 4403
WITHIN = 1.0


def play(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async_to_sync(scenario)()


async def said(page: Page, kind: str) -> Any:
    """The next message of a kind; beats in between are left out."""
    while True:
        message = await page.next()
        if message["type"] == "websocket.close":
            assert kind == "close", message
            return message
        text = json.loads(message["text"])
        if text["type"] == kind:
            return text
        assert text["type"] == "beat", text


async def closes(page: Page, act: Callable[[], Any]) -> None:
    """What `act` does closes the page within a second."""
    await sync_to_async(act)()
    begun = time.monotonic()
    assert (await said(page, "close"))["code"] == FORBIDDEN
    assert time.monotonic() - begun < WITHIN


def _ends_soon(rows: Any) -> None:
    """Nobody announces it, as when the end was set long ago."""
    rows.update(ends_at=timezone.now() + timedelta(milliseconds=100))


def _log_out(caregiver: Staff, page: Page) -> None:
    client = Client(SERVER_NAME=HOST)
    client.cookies["sessionid"] = page.session_key
    assert client.post("/logout").status_code == 302


WAYS: dict[str, Callable[[Staff, Page], Any]] = {
    "the role is withdrawn": lambda staff, page: withdraw_role(
        staff=staff, role=Role.CAREGIVER, actor=CONSOLE, now=timezone.now()
    ),
    "another role is withdrawn": lambda staff, page: withdraw_role(
        staff=staff, role=Role.REVIEWER, actor=CONSOLE, now=timezone.now()
    ),
    "the membership is withdrawn": lambda staff, page: end_membership(
        membership=TeamMembership.objects.get(staff=staff), actor=CONSOLE, now=timezone.now()
    ),
    "they are let in no more": lambda staff, page: disable_staff(
        staff=staff, actor=CONSOLE, now=timezone.now()
    ),
    "they log out": _log_out,
    "the session is deleted": lambda staff, page: session_model()._base_manager.all().delete(),
    "the role comes to its end": lambda staff, page: _ends_soon(RoleGrant.objects.all()),
    "the membership comes to its end": lambda staff, page: _ends_soon(TeamMembership.objects.all()),
    "the session comes to its end": lambda staff, page: session_model()._base_manager.update(
        expire_date=timezone.now() + timedelta(milliseconds=100)
    ),
    "another process disables them": lambda staff, page: Staff.objects.update(is_active=False),
    "another process sets a password": lambda staff, page: Staff.objects.update(password="!"),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_open_page_closes_within_a_second_when(
    person: MemoryUser, caregiver: Staff, way: str
) -> None:
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            await closes(page, lambda: WAYS[way](caregiver, page))

    play(scenario)


def test_the_page_of_a_colleague_stays_open(person: MemoryUser, caregiver: Staff) -> None:
    colleague = new_staff("colleague", Role.CAREGIVER)
    page, other = Page(caregiver), Page(colleague)

    async def scenario() -> None:
        async with other, page:
            await other.open()
            await page.open()
            await closes(page, lambda: WAYS["the role is withdrawn"](caregiver, page))
            assert (await said(other, "beat"))["last_event_id"] == 0

    play(scenario)


def test_who_is_given_or_loses_a_person_is_told_to_look_again(
    person: MemoryUser, caregiver: Staff
) -> None:
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            await sync_to_async(new_person)()
            await said(page, "look")
            placement = await CarePlacement.objects.aget(user=person)
            await sync_to_async(end_placement)(
                placement=placement, actor=CONSOLE, now=timezone.now()
            )
            await said(page, "look")

    play(scenario)


def test_who_joins_a_team_is_told_to_look_again(person: MemoryUser, caregiver: Staff) -> None:
    page = Page(caregiver)

    def join() -> None:
        now = timezone.now()
        team = create_team(name="Night", actor=CONSOLE, now=now)
        add_member(team=team, staff=caregiver, actor=CONSOLE, now=now)

    async def scenario() -> None:
        async with page:
            await page.open()
            await sync_to_async(join)()
            await said(page, "look")

    play(scenario)


def _alarm(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))


def test_of_people_elsewhere_an_open_page_hears_nothing(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    hidden = new_person(placed=False)
    _alarm(api, hidden)
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            assert await page.open() == {"type": "hello", "last_event_id": 0}
            await sync_to_async(_alarm)(api, hidden)
            await sync_to_async(api.append)(hidden, medication("Ampicillin"))
            assert (await said(page, "beat"))["last_event_id"] == 0
            await sync_to_async(_alarm)(api, person)
            event = await said(page, "event")
            assert event["kind"] == "opened"

    play(scenario)


def test_what_was_missed_leaves_out_people_elsewhere(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    for one in (new_person(placed=False), person, new_person(placed=False)):
        _alarm(api, one)
    page = Page(caregiver, "?after=0")

    async def scenario() -> None:
        async with page:
            await page.open()
            event = await said(page, "event")
            beat = await said(page, "beat")
            assert beat["last_event_id"] == event["id"]

    play(scenario)


def test_pages_of_many_readers_are_looked_after_by_few_queries(
    person: MemoryUser, django_assert_max_num_queries: Any
) -> None:
    class Reader:
        def __init__(self, number: int) -> None:
            self.staff_id = new_staff(f"reader {number}", Role.CAREGIVER).pk
            self.session_key = f"{number}"

        async def show_out(self) -> None:
            raise AssertionError

        async def look_again(self) -> None:
            raise AssertionError

    async def read(door: Door, readers: list[Reader]) -> None:
        await door._read(readers)

    readers = [Reader(number) for number in range(20)]
    with django_assert_max_num_queries(6):
        async_to_sync(read)(Door(), readers)
