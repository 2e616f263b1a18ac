"""Carry alert events to the open pages of this process.

A push is a hint; the database is the truth. One hub a process (not one a socket) reads the events
after the last it saw whenever it is woken: through the channel layer by a commit in another
process, and by the clock in any case, since the in-memory layer carries nothing between processes
and a hint may be lost. What is committed in this process is handed over as it is, and delivered
without a look where it follows on the last event that was seen.

A listener hears only of people whom they may see at that moment, and is shown out when their own
access ends (`alerts.live.guests`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple, Protocol
from uuid import UUID, uuid4

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction
from django.db.models import Max
from django.dispatch import Signal

from alerts.live.guests import Door, Guest
from alerts.live.queue_watch import QueueWatch
from alerts.live.work import WorkWatch
from alerts.models import AlertEvent
from memory.access import watchers
from memory.rights import Right

logger = logging.getLogger(__name__)

GROUP = "alert-events"
ACCESS_HINT = "access.changed"
POLL_ALONE = 0.25  # seconds between looks where no hint can come from another process
POLL_WITH_HINTS = 2.0
RETRY = 1.0
CHECK = 0.4  # seconds between looks at who may still keep a page open
MOST_KNOWN = 10_000  # people of whom a process remembers who may see them
OURSELVES = uuid4().hex  # which hints come from this process


committed = Signal()
"""Events have just been committed by this process; outside of any transaction of theirs."""
told = Signal()
"""The open pages of this process have been told of `events`."""


class Happened(NamedTuple):
    """What an open page is told of an event, but for the person: who may see them is told."""

    pk: int
    kind: str
    alert_id: int
    severity: str
    user_id: UUID
    at: datetime


class Listener(Guest, Protocol):
    """An open page."""

    async def deliver(self, events: Sequence[Happened]) -> None: ...


class Hub:
    """Reads new events once for every listener of one event loop."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.work = WorkWatch()
        self.queue = QueueWatch()
        self._listeners: set[Listener] = set()
        self._woken = asyncio.Event()
        self._fresh: list[Happened] = []  # committed here, not yet looked at
        self._look = False
        self._door = Door()
        self._recheck = asyncio.Event()
        self._watchers: dict[UUID, set[int]] = {}  # as long as nobody's access has changed
        self._changes = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._last = 0

    async def join(self, listener: Listener) -> None:
        """Deliver to this listener every event committed from now on that they may see."""
        await self._door.enter(listener)
        self._forget_watchers()
        if not self._tasks:
            last = await last_event_id()
            if not self._tasks:  # somebody else may have come meanwhile, and heard more since
                self._last = last
        self._listeners.add(listener)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._watch())]
            if not alone():
                self._tasks.append(asyncio.create_task(self._listen()))

    def leave(self, listener: Listener) -> None:
        """Stop delivering to a listener; the last to leave stops the reading."""
        self._listeners.discard(listener)
        self._door.leave(listener)
        if not self._listeners:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    def hand_over(self, events: Sequence[Happened]) -> None:
        """Take events that this process has just committed; from any thread."""
        if self.loop is not None and self._tasks:
            with suppress(RuntimeError):  # the loop has just been closed
                self.loop.call_soon_threadsafe(self._wake, events)

    def check_access(self) -> None:
        """Look now at who may still keep a page open; from any thread."""
        if self.loop is not None and self._tasks:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._recheck.set)

    def _wake(self, events: Sequence[Happened] = ()) -> None:
        self._fresh += events
        self._look |= not events
        self._woken.set()

    async def _new_events(self) -> Sequence[Happened]:
        """The events after the last: those handed over if nothing can lie between, else a look."""
        fresh, self._fresh = sorted(self._fresh), []
        follow_on = [event.pk for event in fresh] == list(
            range(self._last + 1, self._last + 1 + len(fresh))
        )
        look, self._look = self._look or not (fresh and follow_on), False
        return await events_after(self._last) if look else fresh

    async def _read(self) -> None:
        pause = POLL_ALONE if alone() else POLL_WITH_HINTS
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._woken.wait()
            self._woken.clear()
            try:
                events = await self._new_events()
                if events:
                    await self._tell(events)
                    told.send(sender=Hub, events=events)
                    self._last = events[-1].pk
            except Exception:
                logger.exception("alert events could not be read or told; trying again")
                await asyncio.sleep(RETRY)
                self._wake()

    async def _tell(self, events: Sequence[Happened]) -> None:
        """Tell each listener of the events about people they may see, and nobody of others."""
        seen_by = await self._seen_by({event.user_id for event in events})
        for listener in list(self._listeners):
            own = [event for event in events if listener.staff_id in seen_by[event.user_id]]
            if own:
                await self._deliver(listener, own)

    async def _seen_by(self, people: set[UUID]) -> Mapping[UUID, set[int]]:
        """Who may see these people: known already, or looked up."""
        unknown = people - self._watchers.keys()
        if not unknown:
            return self._watchers
        changes = self._changes
        found = await watchers_of(unknown)
        if changes == self._changes and len(self._watchers) < MOST_KNOWN:
            self._watchers |= found
        return {**self._watchers, **found}

    def _forget_watchers(self) -> None:
        self._watchers = {}
        self._changes += 1

    async def _watch(self) -> None:
        """Show out who may not stay: when a change is announced, and by the clock in any case."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK):
                    await self._recheck.wait()
                self._forget_watchers()  # somebody says that access has changed
            self._recheck.clear()
            try:
                if await self._door.check():
                    self._forget_watchers()
            except Exception:
                logger.exception("access could not be checked; trying again")
                await asyncio.sleep(CHECK)

    async def _deliver(self, listener: Listener, events: Sequence[Happened]) -> None:
        try:
            await listener.deliver(events)
        except Exception:
            logger.exception("a page could not be told of events; it asks again when it reconnects")
            self._listeners.discard(listener)

    async def _listen(self) -> None:
        layer: Any = get_channel_layer()
        while True:
            try:
                channel = await layer.new_channel("hub")
                await layer.group_add(GROUP, channel)
                while True:
                    hint = await layer.receive(channel)
                    if hint.get("from") == OURSELVES:
                        continue
                    if hint["type"] == ACCESS_HINT:
                        self._recheck.set()
                    else:
                        self._wake()
            except Exception:
                logger.exception("the channel layer does not answer; polling meanwhile")
                await asyncio.sleep(RETRY)


_hubs: dict[int, Hub] = {}
_current: list[Hub] = []


def hub() -> Hub:
    """The hub of the running event loop, which is from now on the one that commits wake."""
    loop = asyncio.get_running_loop()
    found = _hubs.get(id(loop))
    if found is None or found.loop is not loop:
        found = _hubs[id(loop)] = Hub()
        found.loop = loop
        _current[:] = [found]
    return found


def alone() -> bool:
    """Whether no hint can come from another process."""
    return isinstance(get_channel_layer(), InMemoryChannelLayer)


def announce_on_commit(events: Sequence[AlertEvent]) -> None:
    """Once the transaction has committed, tell the open pages of the new events."""
    if events:
        happened = [
            Happened(event.pk, event.kind, event.alert_id, event.severity, event.user_id, event.at)
            for event in events
        ]
        transaction.on_commit(lambda: announce(happened))


def announce(events: Sequence[Happened]) -> None:
    """Tell the hub of this process, and through the channel layer those of others."""
    if _current:
        _current[0].hand_over(events)
    _hint("alert.events")
    committed.send(sender=Hub, events=events)


def access_has_changed(**signal: Any) -> None:
    """Have this process and, through the channel layer, others look who may keep a page open."""
    if _current:
        _current[0].check_access()
    _hint(ACCESS_HINT)


def _hint(kind: str) -> None:
    if alone():
        return
    hint: dict[str, Any] = {"type": kind, "from": OURSELVES}
    loop = _current[0].loop if _current else None
    try:
        if loop is not None and loop.is_running():
            asyncio.run_coroutine_threadsafe(_send(hint), loop)
        else:
            async_to_sync(_send)(hint)
    except RuntimeError:
        logger.exception("a hint was not sent, its loop has just ended; pages poll")


async def _send(hint: Mapping[str, Any]) -> None:
    layer: Any = get_channel_layer()
    try:
        await layer.group_send(GROUP, hint)
    except Exception:
        logger.exception("a hint was not sent; pages find out by polling")


@database_sync_to_async
def events_after(event_id: int, limit: int = 1_000) -> list[Happened]:
    """The events after one, in order, at most `limit`."""
    events = AlertEvent.objects.after(event_id)
    return [Happened(*row) for row in events.values_list(*Happened._fields)[:limit]]


@database_sync_to_async
def watchers_of(people: set[UUID]) -> dict[UUID, set[int]]:
    """Who may see alerts about these people."""
    return watchers(people, Right.ALERTS_READ)


@database_sync_to_async
def last_event_id() -> int:
    """The id of the newest event, 0 where there is none."""
    return AlertEvent.objects.aggregate(last=Max("pk"))["last"] or 0
