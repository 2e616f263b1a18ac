"""Tell the open page of a person that what a model does for them has moved on.

Most jobs run in another process, so their rows are looked at: one query a second for all pages of
this process, and none while no person's page is open. A hint says nothing of the work; the page
fetches what it may see.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from channels.db import database_sync_to_async

from memory.work import marks_of

logger = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks


class Follower(Protocol):
    """An open page of a person."""

    async def work_moved(self) -> None: ...


@dataclass
class Followed:
    """Whose page it is, and the mark of the work that it shows."""

    person: UUID
    mark: str


class WorkWatch:
    """Looks at the work for the people whose pages are open in one event loop."""

    def __init__(self) -> None:
        self._pages: dict[Follower, Followed] = {}
        self._task: asyncio.Task[None] | None = None

    def follow(self, page: Follower, person: UUID, mark: str) -> None:
        """Tell this page whenever the work for a person has another mark than it shows."""
        self._pages[page] = Followed(person, mark)
        if self._task is None:
            self._task = asyncio.create_task(self._watch())

    def leave(self, page: Follower) -> None:
        """Tell this page no more; the last to leave stops the looking."""
        self._pages.pop(page, None)
        if not self._pages and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _watch(self) -> None:
        while True:
            try:
                await self._look()
            except Exception:
                logger.exception("the work for people could not be looked at; trying again")
            await asyncio.sleep(LOOK)

    async def _look(self) -> None:
        marks = await _marks({one.person for one in self._pages.values()})
        for page, followed in list(self._pages.items()):
            mark = marks.get(followed.person, followed.mark)
            if mark != followed.mark and page in self._pages:
                followed.mark = mark
                await self._tell(page)

    async def _tell(self, page: Follower) -> None:
        try:
            await page.work_moved()
        except Exception:
            logger.exception("a page could not be told of work; it asks again when it reconnects")
            self._pages.pop(page, None)


@database_sync_to_async
def _marks(people: set[UUID]) -> dict[UUID, str]:
    return marks_of(people)
