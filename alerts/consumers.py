"""The socket of the dashboard: tells an open page which alerts to fetch again.

A message names an event and an alert, never a person or a word of a fact; the page fetches what it
may see over HTTP, where access is decided. Of people whom its reader may not see it hears nothing,
and it closes when its reader may no more do what they could when they came.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.contrib.auth.models import User as Staff

from alerts import access
from alerts.live import Happened, hub
from memory.access import may
from memory.rights import Right

BEAT_SECONDS = 5.0
FORBIDDEN = 4403
CATCH_UP = 1_000


class AlertEventsConsumer(AsyncJsonWebsocketConsumer):
    """`/ws/alerts?after=<event id>`: the events after that one, then each as it is committed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.last = 0
        self.held: list[Happened] | None = []
        self.beat: asyncio.Task[None] | None = None
        self.staff_id = 0
        self.session_key = ""

    async def connect(self) -> None:
        await self.accept()
        if not await self._may_enter():
            await self.close(FORBIDDEN)
            return
        self.staff_id = self._reader().pk
        self.session_key = self.scope["session"].session_key or ""
        await hub().join(self)
        self.last = await self._after()
        await self.send_json({"type": "hello", "last_event_id": self.last})
        while events := await self._missed():
            await self._send(events)
        held, self.held = self.held or [], None
        await self._send(held)
        self.beat = asyncio.create_task(self._beat())

    async def disconnect(self, code: int) -> None:
        hub().leave(self)
        if self.beat is not None:
            self.beat.cancel()

    async def deliver(self, events: Sequence[Happened]) -> None:
        """Events from the hub; those that come while the page still catches up wait."""
        if self.held is not None:
            self.held.extend(events)
        else:
            await self._send(events)

    async def show_out(self) -> None:
        """The session is over, or a role or team was withdrawn: the page asks anew what it may."""
        await self.close(FORBIDDEN)
        hub().leave(self)  # last: this may be the hub's own task, which ends with its last listener

    async def look_again(self) -> None:
        """Other people are in the reader's care than before."""
        await self.send_json({"type": "look"})

    async def _send(self, events: Sequence[Happened]) -> None:
        for event in events:
            if event.pk > self.last:
                self.last = event.pk
                await self.send_json(
                    {
                        "type": "event",
                        "id": event.pk,
                        "kind": event.kind,
                        "alert": event.alert_id,
                        "severity": event.severity,
                    }
                )

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.send_json({"type": "beat", "last_event_id": self.last})

    async def _after(self) -> int:
        """The event the page saw last; a page that names none wants only what is new."""
        text = parse_qs(self.scope["query_string"].decode("latin-1")).get("after", [""])[0]
        return int(text) if text.isdigit() and len(text) < 19 else await self._newest()

    def _reader(self) -> Staff:
        user: Any = self.scope.get("user")
        assert isinstance(user, Staff)  # nobody else may enter
        return user

    @database_sync_to_async
    def _missed(self) -> list[Happened]:
        events = access.events(self._reader()).after(self.last)
        return [Happened(*row) for row in events.values_list(*Happened._fields)[:CATCH_UP]]

    @database_sync_to_async
    def _newest(self) -> int:
        return access.last_event_id(self._reader())

    @database_sync_to_async
    def _may_enter(self) -> bool:
        return may(self.scope.get("user"), Right.ALERTS_READ)
