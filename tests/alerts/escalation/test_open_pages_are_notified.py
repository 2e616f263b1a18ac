"""A step by browser reaches the open pages of who is told, as a notification, and no other's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User as Staff
from django.db import OperationalError

from alerts.delivery.tasks import tell
from alerts.live import consumers
from alerts.live.consumers import TRY_AGAIN
from alerts.models import Alert, Delivery
from memory.rights import Role
from tests.alerts.page import PATIENCE, Page
from tests.staff import new_staff


def test_a_page_is_told_whether_it_is_for_its_reader(
    nurse: Staff, step: Callable[..., Any], alert: Alert, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_staff("other", Role.CAREGIVER)
    step(5, staff=nurse, by_browser=True, by_email=False)
    pages = [Page(nurse), Page(other)]
    later = alert.status_at + timedelta(hours=1)

    async def scenario() -> list[Any]:
        async with pages[0], pages[1]:
            for page in pages:
                await page.open()
            await sync_to_async(tell)(now=later)
            return [(await page.events(1))[0] for page in pages]

    looked_up: list[int] = []
    look_up = consumers._told_by_browser

    async def counted(event_id: int) -> frozenset[int]:
        looked_up.append(event_id)
        return await look_up(event_id)

    monkeypatch.setattr(consumers, "_told_by_browser", counted)
    mine, theirs = async_to_sync(scenario)()
    assert (mine["kind"], mine["alert"], mine["notify"]) == ("escalated", alert.pk, True)
    assert theirs["kind"] == "escalated"
    assert "notify" not in theirs
    assert looked_up == [mine["id"]]  # once for all pages
    assert Delivery.objects.get().status == "delivered"


def test_a_page_that_cannot_be_told_is_closed_so_that_it_asks_again(
    nurse: Staff, step: Callable[..., Any], alert: Alert, monkeypatch: pytest.MonkeyPatch
) -> None:
    step(5, by_browser=True, by_email=False)
    page = Page(nurse)
    later = alert.status_at + timedelta(hours=1)

    async def fails(event_id: int) -> frozenset[int]:
        raise OperationalError("the connection is gone")

    monkeypatch.setattr(consumers, "notified", fails)

    async def scenario() -> int:
        async with page, asyncio.timeout(PATIENCE):
            await page.open()
            await sync_to_async(tell)(now=later)
            while (said := await page.next())["type"] != "websocket.close":
                pass
            code: int = said["code"]
            return code

    assert async_to_sync(scenario)() == TRY_AGAIN
