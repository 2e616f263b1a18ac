"""The socket of the dashboard: tells an open page which alerts to fetch again.

A message names an event and an alert, never a person or a word of a fact; the page fetches what it
may see over HTTP, where access is decided.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from alerts.live import Happened, events_after, hub, last_event_id
from memory import access

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

    async def connect(self) -> None:
        await self.accept()
        if not await self._may_enter():
            await self.close(FORBIDDEN)
            return
        await hub().join(self)
        self.last = await self._after()
        await self.send_json({"type": "hello", "last_event_id": self.last})
        while events := await events_after(self.last, CATCH_UP):
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
        return int(text) if text.isdigit() and len(text) < 19 else await last_event_id()

    @database_sync_to_async
    def _may_enter(self) -> bool:
        return access.is_staff(self.scope.get("user"))
