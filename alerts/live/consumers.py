"""The socket of the dashboard: tells an open page which alerts to fetch again.

A message names an event and an alert, never a person or a word of a fact; the page fetches what it
may see over HTTP, where access is decided. Of people whom its reader may not see it hears nothing,
and it closes when its reader may no more do what they could when they came. A person's own page is
told as well when the background work for them moves on, and a page with a count of the review queue
when what waits for its reader does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.contrib.auth.models import User as Staff

from alerts import access
from alerts.live.hub import Happened, hub
from alerts.models import Channel, Delivery, EventKind
from memory.access import memory_users, rights_of
from memory.rights import DECIDING, Right

BEAT_SECONDS = 5.0
FORBIDDEN = 4403
TRY_AGAIN = 1013
CATCH_UP = 1_000
MOST_REMEMBERED = 1_000
"""Steps of escalation of which a process knows whom they tell; that is written with their event."""
LISTENING = {Right.ALERTS_READ, *DECIDING}


class AlertEventsConsumer(AsyncJsonWebsocketConsumer):
    """`/ws/alerts?after=<event id>`: the events after that one, then each as it is committed.

    With `person=<id>&work=<mark>`, it says also when the work for that person has another mark;
    with `queue=1`, when something has come or gone that its reader may decide.
    """

    channel_layer_alias = ""  # the hub alone listens on the layer; pages stay when it goes away

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.last = 0
        self.held: list[Happened] | None = []
        self.beat: asyncio.Task[None] | None = None
        self.staff_id = 0
        self.session_key = ""
        self.person: UUID | None = None

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
        await self._follow_work()
        if self._asked("queue"):
            hub().queue.follow(self)
        self.beat = asyncio.create_task(self._beat())

    async def disconnect(self, code: int) -> None:
        hub().leave(self)
        hub().work.leave(self)
        hub().queue.leave(self)
        if self.beat is not None:
            self.beat.cancel()

    async def deliver(self, events: Sequence[Happened]) -> None:
        """Events from the hub; those that come while the page still catches up wait.

        Where one cannot be told the socket closes: the page connects again and asks for what it
        missed. A socket that goes on beating would say that nothing is missing.
        """
        if self.held is not None:
            self.held.extend(events)
            return
        try:
            await self._send(events)
        except Exception:
            await self.close(TRY_AGAIN)
            raise

    async def show_out(self) -> None:
        """The session is over, or a role or team was withdrawn: the page asks anew what it may."""
        await self.close(FORBIDDEN)
        hub().leave(self)  # last: this may be the hub's own task, which ends with its last listener

    async def look_again(self) -> None:
        """Other people are in the reader's care than before."""
        await self.send_json({"type": "look"})
        if self.person is not None and not await self._may_see(self.person):
            hub().work.leave(self)

    async def work_moved(self) -> None:
        """What a model does for the person of this page has moved on or ended."""
        await self.send_json({"type": "work"})

    async def queue_moved(self) -> None:
        """What waits for its reader's decision is not what it was."""
        await self.send_json({"type": "queue"})

    async def _follow_work(self) -> None:
        try:
            person = UUID(self._asked("person"))
        except ValueError:
            return
        if await self._may_see(person):
            self.person = person
            hub().work.follow(self, person, self._asked("work"))

    async def _send(self, events: Sequence[Happened]) -> None:
        for event in events:
            if event.pk > self.last:
                self.last = event.pk
                told = {
                    "type": "event",
                    "id": event.pk,
                    "kind": event.kind,
                    "alert": event.alert_id,
                    "severity": event.severity,
                }
                if event.kind == EventKind.ESCALATED and self.staff_id in await notified(event.pk):
                    told["notify"] = True
                await self.send_json(told)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.send_json({"type": "beat", "last_event_id": self.last})

    async def _after(self) -> int:
        """The event the page saw last; a page that names none wants only what is new."""
        text = self._asked("after")
        return int(text) if text.isdigit() and len(text) < 19 else await self._newest()

    def _asked(self, name: str) -> str:
        query: str = self.scope["query_string"].decode("latin-1")
        return parse_qs(query).get(name, [""])[0]

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
    def _may_see(self, person: UUID) -> bool:
        return memory_users(self._reader(), Right.STATE_READ).filter(pk=person).exists()

    @database_sync_to_async
    def _may_enter(self) -> bool:
        return not rights_of(self.scope.get("user")).isdisjoint(LISTENING)


_notified: dict[int, frozenset[int]] = {}


async def notified(event_id: int) -> frozenset[int]:
    """Whom a step of escalation tells by their browser; looked up once for all pages that ask."""
    if event_id not in _notified:
        if len(_notified) >= MOST_REMEMBERED:
            _notified.clear()
        _notified[event_id] = await _told_by_browser(event_id)
    return _notified[event_id]


@database_sync_to_async
def _told_by_browser(event_id: int) -> frozenset[int]:
    told = Delivery.objects.filter(event=event_id, channel=Channel.BROWSER, staff__isnull=False)
    return frozenset(told.values_list("staff", flat=True))
