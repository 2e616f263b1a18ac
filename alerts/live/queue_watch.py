"""Tell open pages that what waits for their reader's decision is not what it was.

What is proposed, held, noticed or decided is mostly written by other processes, so the queue is
looked at: a query a second for each of its sources, whatever the number of pages, and none while no
page is open. Only when something has changed is it read which people it was about, and who may
decide for them: nobody hears of others. A hint says nothing of what; the page fetches what it may
see.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol
from uuid import UUID

from channels.db import database_sync_to_async
from django.db.models import Count, Max, Sum

from memory.access import watchers
from memory.queue.sources import Source, sources
from memory.rights import Right

logger = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks

Mark = tuple[object, ...]
Item = tuple[str, int, UUID]
"""Key, rank of danger, and person of something that waits."""


class Reader(Protocol):
    """An open page."""

    staff_id: int

    async def queue_moved(self) -> None: ...


class QueueWatch:
    """Looks at the queue for the pages that are open in one event loop."""

    def __init__(self) -> None:
        self._pages: set[Reader] = set()
        self._new: set[Reader] = set()
        self._task: asyncio.Task[None] | None = None
        self._look = Look()

    def follow(self, page: Reader) -> None:
        """Tell this page once from where on it hears all, then of what comes or goes for it."""
        self._pages.add(page)
        self._new.add(page)
        if self._task is None:
            self._look = Look()
            self._task = asyncio.create_task(self._watch())

    def leave(self, page: Reader) -> None:
        """Tell this page no more; the last to leave stops the looking."""
        self._forget(page)
        if not self._pages and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _watch(self) -> None:
        while True:
            try:
                new = set(self._new)  # what they show may be older than this look
                concerned = await self._look.again()
                self._new -= new
                for page in list(self._pages):
                    if page in new or page.staff_id in concerned:
                        await self._tell(page)
            except Exception:
                logger.exception("the review queue could not be looked at; trying again")
            await asyncio.sleep(LOOK)

    async def _tell(self, page: Reader) -> None:
        try:
            await page.queue_moved()
        except Exception:
            logger.exception("a page could not be told of the queue; it asks when it reconnects")
            self._forget(page)

    def _forget(self, page: Reader) -> None:
        self._pages.discard(page)
        self._new.discard(page)


class Look:
    """What was seen of the queue the last time."""

    def __init__(self) -> None:
        self._marks: dict[str, Mark] = {}
        self._items: dict[str, set[Item]] = {}

    @database_sync_to_async
    def again(self) -> set[int]:
        """The staff who may decide what has come, gone, or become graver or less since then.

        All of it is remembered or, where a query fails, nothing: the next look finds it again.
        """
        concerned: set[int] = set()
        marks, items = dict(self._marks), dict(self._items)
        for source in sources():
            mark = _mark(source)
            if mark == self._marks.get(source.name):
                continue
            found = {*source.waiting().values_list("key", "grave", "user")}
            if source.name in self._marks:
                moved = found ^ self._items[source.name]
                concerned |= _who_decides({person for _, _, person in moved}, source.right)
            marks[source.name], items[source.name] = mark, found
        self._marks, self._items = marks, items
        return concerned


def _mark(source: Source) -> Mark:
    """Another one whenever the source has other items or dangers, in one query."""
    seen = source.waiting().aggregate(
        count=Count("pk"), dangers=Sum("grave"), newest=Max("since"), greatest=Max("key")
    )
    return tuple(seen.values())


def _who_decides(people: set[UUID], right: Right) -> set[int]:
    return set().union(*watchers(people, right).values()) if people else set()
