"""The socket: who may open it, what it says, and that nothing is missed or said twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import User as Staff
from django.db import connection
from django.test import Client
from django.utils import timezone

from alerts.actions import acknowledge_alert
from alerts.models import Alert, AlertEvent
from memory.models import MemoryUser
from tests.api_client import HOST, Api
from tests.facts import allergy, medication
from tests.people import new_person
from uac_site.asgi import application

PATIENCE = 20.0
FORBIDDEN = 4403
Scenario = Callable[[], Coroutine[Any, Any, None]]


class Page:
    """An open page: a socket with the session of whoever is logged in."""

    def __init__(self, staff: Staff | None, query: str = "", origin: str = f"http://{HOST}") -> None:
        headers = [(b"origin", origin.encode()), (b"host", HOST.encode())]
        if staff is not None:
            client = Client()
            client.force_login(staff)
            cookies = "; ".join(f"{name}={one.value}" for name, one in client.cookies.items())
            headers.append((b"cookie", cookies.encode()))
        scope = {
            "type": "websocket",
            "path": "/ws/alerts",
            "query_string": query.encode(),
            "headers": headers,
            "subprotocols": [],
        }
        self.socket = ApplicationCommunicator(application, scope)

    async def _next(self) -> Any:
        return await self.socket.receive_output(timeout=PATIENCE)

    async def _knock(self) -> Any:
        await self.socket.send_input({"type": "websocket.connect"})
        return await self._next()

    async def open(self) -> Any:
        """Connect; the greeting."""
        assert (await self._knock())["type"] == "websocket.accept"
        return json.loads((await self._next())["text"])

    async def refused(self) -> Any:
        """Connect; the code with which it is closed, at the door or behind it."""
        answer = await self._knock()
        if answer["type"] == "websocket.accept":
            answer = await self._next()
        assert answer["type"] == "websocket.close"
        return answer.get("code")

    async def events(self, count: int) -> list[Any]:
        """The next events; the beat between them is left out."""
        found: list[Any] = []
        while len(found) < count:
            said = json.loads((await self._next())["text"])
            if said["type"] == "event":
                found.append(said)
        return found

    async def close(self) -> None:
        """Close it."""
        await self.socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.socket.wait(timeout=PATIENCE)


def _play(scenario: Scenario) -> None:
    async_to_sync(scenario)()


def _event_ids() -> list[int]:
    return list(AlertEvent.objects.order_by("pk").values_list("pk", flat=True))


def _warn(api: Api, person: MemoryUser, name: str = "Amoxicillin") -> None:
    api.append(person, medication(name))


@pytest.fixture
def allergic(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with an allergy to penicillin."""
    api.append(person, allergy("penicillin"))
    return person


@pytest.mark.parametrize("who", ["anonymous", "outsider", "former"])
def test_who_is_no_active_member_of_staff_is_turned_away(
    allergic: MemoryUser, caregiver: Staff, outsider: Staff, who: str
) -> None:
    page = Page({"anonymous": None, "outsider": outsider, "former": caregiver}[who])
    if who == "former":
        Staff.objects.filter(pk=caregiver.pk).update(is_active=False)

    async def scenario() -> None:
        assert await page.refused() == FORBIDDEN
        assert await page.socket.receive_nothing()
        await page.close()

    _play(scenario)


def test_a_page_of_another_site_is_turned_away(allergic: MemoryUser, caregiver: Staff) -> None:
    page = Page(caregiver, origin="https://evil.example")

    async def scenario() -> None:
        assert (await page._knock())["type"] == "websocket.close"

    _play(scenario)


def test_an_alert_reaches_an_open_page(api: Api, allergic: MemoryUser, caregiver: Staff) -> None:
    page = Page(caregiver)

    async def scenario() -> None:
        assert await page.open() == {"type": "hello", "last_event_id": 0}
        await sync_to_async(_warn)(api, allergic)
        (event,) = await page.events(1)
        await page.close()
        assert event["kind"] == "opened"

    _play(scenario)
    assert Alert.objects.count() == 1


def test_what_people_do_reaches_the_other_pages(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    _warn(api, allergic)
    pages = [Page(caregiver), Page(caregiver)]

    async def scenario() -> None:
        for page in pages:
            await page.open()
        alert = await sync_to_async(Alert.objects.get)()
        act = partial(acknowledge_alert, alert=alert, actor=caregiver, now=timezone.now())
        await sync_to_async(act)()
        for page in pages:
            (event,) = await page.events(1)
            assert (event["kind"], event["alert"]) == ("acknowledged", alert.pk)
            await page.close()

    _play(scenario)


def test_a_message_holds_no_word_about_the_person(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    page = Page(caregiver, "?after=0")
    _warn(api, allergic)

    async def scenario() -> None:
        await page.open()
        (event,) = await page.events(1)
        await page.close()
        assert set(event) == {"type", "id", "kind", "alert", "severity"}
        said = json.dumps(event).casefold()
        words = ("amoxicillin", "penicillin", "ada", str(allergic.pk), allergic.external_id)
        assert not [word for word in words if word in said]

    _play(scenario)


def test_a_page_that_comes_back_gets_what_it_missed_and_no_more(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    for name in ("Amoxicillin", "Ampicillin", "Dicloxacillin"):
        _warn(api, allergic, name)
    ids = _event_ids()
    page = Page(caregiver, f"?after={ids[0]}")

    async def scenario() -> None:
        assert (await page.open())["last_event_id"] == ids[0]
        assert [event["id"] for event in await page.events(2)] == ids[1:]
        await sync_to_async(api.append)(allergic, medication("Ampicillin", "retract"))
        (event,) = await page.events(1)
        assert event["kind"] == "cleared"
        assert event["id"] > ids[-1]
        await page.close()

    _play(scenario)


@pytest.mark.parametrize("query", ["", "?after=", "?after=abc", "?after=-1", "?after=" + "9" * 30])
def test_a_page_that_names_no_event_gets_only_what_is_new(
    api: Api, allergic: MemoryUser, caregiver: Staff, query: str
) -> None:
    _warn(api, allergic)
    ids = _event_ids()
    page = Page(caregiver, query)

    async def scenario() -> None:
        assert (await page.open())["last_event_id"] == ids[-1]
        await sync_to_async(_warn)(api, allergic, "Ampicillin")
        (event,) = await page.events(1)
        assert event["id"] > ids[-1]
        await page.close()

    _play(scenario)


def test_a_long_absence_is_caught_up_with_in_full(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    _warn(api, allergic)
    alert = Alert.objects.get()
    AlertEvent.objects.append(
        [
            AlertEvent(
                alert=alert,
                user=allergic,
                kind="changed",
                at=timezone.now(),
                severity=alert.severity,
                after_seq=0,
                fact_seq=0,
            )
            for _ in range(2_300)
        ]
    )
    ids = _event_ids()
    page = Page(caregiver, "?after=0")

    async def scenario() -> None:
        await page.open()
        assert [event["id"] for event in await page.events(len(ids))] == ids
        await page.close()

    _play(scenario)


def test_pages_that_open_while_alerts_come_in_see_each_event_once(
    api: Api, caregiver: Staff
) -> None:
    people = [new_person() for _ in range(12)]
    for one in people:
        api.append(one, allergy("penicillin"))
    pages = [Page(caregiver, "?after=0") for _ in range(6)]

    def post() -> None:
        try:
            for one in people:
                _warn(api, one)
        finally:
            connection.close()

    async def scenario() -> None:
        posting = asyncio.get_running_loop().run_in_executor(None, post)
        for page in pages:
            await page.open()
        seen = [[event["id"] for event in await page.events(len(people))] for page in pages]
        await posting
        ids = await sync_to_async(_event_ids)()
        assert seen == [ids] * len(pages)
        for page in pages:
            await page.close()

    _play(scenario)


def test_a_page_that_leaves_does_not_keep_the_others_waiting(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    first, second = Page(caregiver), Page(caregiver)

    async def scenario() -> None:
        await first.open()
        await second.open()
        await first.close()
        await sync_to_async(_warn)(api, allergic)
        assert len(await second.events(1)) == 1
        await second.close()

    _play(scenario)


def test_events_committed_by_another_process_are_found_by_polling(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    """As the worker's are, where the channel layer carries nothing between processes."""
    _warn(api, allergic)
    alert = Alert.objects.get()
    page = Page(caregiver)

    def unannounced() -> None:
        AlertEvent.objects.append(
            [
                AlertEvent(
                    alert=alert,
                    user=allergic,
                    kind="changed",
                    at=timezone.now(),
                    severity=alert.severity,
                    after_seq=0,
                    fact_seq=0,
                )
            ]
        )

    async def scenario() -> None:
        await page.open()
        await sync_to_async(unannounced)()
        (event,) = await page.events(1)
        assert event["kind"] == "changed"
        await page.close()

    _play(scenario)
