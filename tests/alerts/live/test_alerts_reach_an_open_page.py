"""The socket: who may open it, what it says, and that nothing is missed or said twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User as Staff
from django.db import OperationalError
from django.utils import timezone

from alerts.actions import acknowledge_alert
from alerts.live import hub as live
from alerts.models import Alert, AlertEvent
from memory import access
from memory.models import MemoryUser
from tests.alerts.page import Page
from tests.api_client import Api
from tests.facts import allergy, medication

FORBIDDEN = 4403
Scenario = Callable[[], Coroutine[Any, Any, None]]


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
        async with page:
            assert await page.refused() == FORBIDDEN
            assert await page.socket.receive_nothing()

    _play(scenario)


def test_a_page_of_another_site_is_turned_away(allergic: MemoryUser, caregiver: Staff) -> None:
    page = Page(caregiver, origin="https://evil.example")

    async def scenario() -> None:
        async with page:
            assert (await page.knock())["type"] == "websocket.close"

    _play(scenario)


def test_an_alert_reaches_an_open_page(api: Api, allergic: MemoryUser, caregiver: Staff) -> None:
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            assert await page.open() == {"type": "hello", "last_event_id": 0}
            await sync_to_async(_warn)(api, allergic)
            (event,) = await page.events(1)
            assert event["kind"] == "opened"

    _play(scenario)
    assert Alert.objects.count() == 1


def test_what_people_do_reaches_the_other_pages(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    _warn(api, allergic)
    pages = [Page(caregiver), Page(caregiver)]

    async def scenario() -> None:
        async with AsyncExitStack() as stack:
            for page in pages:
                await stack.enter_async_context(page)
            for page in pages:
                await page.open()
            alert = await sync_to_async(Alert.objects.get)()
            act = partial(acknowledge_alert, alert=alert, actor=caregiver, now=timezone.now())
            await sync_to_async(act)()
            for page in pages:
                (event,) = await page.events(1)
                assert (event["kind"], event["alert"]) == ("acknowledged", alert.pk)

    _play(scenario)


def test_a_message_holds_no_word_about_the_person(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    page = Page(caregiver, "?after=0")
    _warn(api, allergic)

    async def scenario() -> None:
        async with page:
            await page.open()
            (event,) = await page.events(1)
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
        async with page:
            assert (await page.open())["last_event_id"] == ids[0]
            assert [event["id"] for event in await page.events(2)] == ids[1:]
            await sync_to_async(api.append)(allergic, medication("Ampicillin", "retract"))
            (event,) = await page.events(1)
            assert event["kind"] == "cleared"
            assert event["id"] > ids[-1]

    _play(scenario)


@pytest.mark.parametrize("query", ["", "?after=", "?after=abc", "?after=-1", "?after=" + "9" * 30])
def test_a_page_that_names_no_event_gets_only_what_is_new(
    api: Api, allergic: MemoryUser, caregiver: Staff, query: str
) -> None:
    _warn(api, allergic)
    ids = _event_ids()
    page = Page(caregiver, query)

    async def scenario() -> None:
        async with page:
            assert (await page.open())["last_event_id"] == ids[-1]
            await sync_to_async(_warn)(api, allergic, "Ampicillin")
            (event,) = await page.events(1)
            assert event["id"] > ids[-1]

    _play(scenario)


def _history(person: MemoryUser, count: int) -> None:
    """So many events of the person's one alert, told to nobody."""
    alert = Alert.objects.get(user=person)
    AlertEvent.objects.append(
        [
            AlertEvent(
                alert=alert,
                user=person,
                kind="changed",
                at=timezone.now(),
                severity=alert.severity,
                after_seq=0,
                fact_seq=0,
            )
            for _ in range(count)
        ]
    )


def test_a_long_absence_is_caught_up_with_in_full(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    _warn(api, allergic)
    _history(allergic, 2_300)
    ids = _event_ids()
    page = Page(caregiver, "?after=0")

    async def scenario() -> None:
        async with page:
            await page.open()
            assert [event["id"] for event in await page.events(len(ids))] == ids

    _play(scenario)


def test_pages_that_catch_up_while_alerts_come_in_see_each_event_once_and_in_order(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    _warn(api, allergic)
    _history(allergic, 3_000)
    pages = [Page(caregiver, "?after=0") for _ in range(3)]

    async def scenario() -> None:
        async with AsyncExitStack() as stack:
            for page in pages:
                await stack.enter_async_context(page)
                await page.open()  # it has only begun to catch up
                await sync_to_async(_history)(allergic, 3)
            ids = await sync_to_async(_event_ids)()
            for page in pages:
                assert [event["id"] for event in await page.events(len(ids))] == ids

    _play(scenario)


def test_a_page_that_leaves_does_not_keep_the_others_waiting(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    first, second = Page(caregiver), Page(caregiver)

    async def scenario() -> None:
        async with second:
            async with first:
                await first.open()
                await second.open()
            await sync_to_async(_warn)(api, allergic)
            assert len(await second.events(1)) == 1

    _play(scenario)


def test_a_database_that_fails_once_silences_no_page(
    api: Api, allergic: MemoryUser, caregiver: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OperationalError("the connection is gone")]

    def fails_once(*arguments: Any) -> Any:
        if failures:
            raise failures.pop()
        return access.watchers(*arguments)

    monkeypatch.setattr(live, "watchers", fails_once)
    monkeypatch.setattr(live, "RETRY", 0.0)
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            await sync_to_async(_warn)(api, allergic)
            await page.events(1)

    _play(scenario)
    assert failures == []


def test_a_page_on_which_nothing_happens_stays_open(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            beats = [json.loads((await page.next())["text"])["type"] for _ in range(2)]
            assert beats == ["beat", "beat"]
            await sync_to_async(_warn)(api, allergic)
            assert len(await page.events(1)) == 1

    _play(scenario)


def test_events_committed_by_another_process_are_found_by_polling(
    api: Api, allergic: MemoryUser, caregiver: Staff
) -> None:
    """As the worker's are, where the channel layer carries nothing between processes."""
    _warn(api, allergic)
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            await sync_to_async(_history)(allergic, 1)
            (event,) = await page.events(1)
            assert event["kind"] == "changed"

    _play(scenario)
