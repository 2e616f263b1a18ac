"""Who may keep a page open: whose session, roles and teams are still what they were at the door.

Whoever has lost a role or a team, is let in no more, or whose session is over is shown out; who may
see more or other people than before is told to look again. Changes that are announced are looked at
at once, by the clock those that nobody announces: what ends at a time set before, and what another
process did where no hint can come from it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from importlib import import_module
from typing import Any, Protocol

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User as Staff
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from memory.standing import Standing, standings

logger = logging.getLogger(__name__)


class Guest(Protocol):
    """Somebody who keeps a page open."""

    staff_id: int
    session_key: str

    async def show_out(self) -> None: ...

    async def look_again(self) -> None: ...


class Door:
    """The standing of each guest when they were last looked at."""

    def __init__(self) -> None:
        self._standing: dict[Guest, Standing] = {}
        self._known: dict[str, tuple[str, str, int]] = {}

    async def enter(self, guest: Guest) -> None:
        """From now on they are looked after."""
        standing, _ = await self._read([guest])
        self._standing[guest] = standing.get(guest.staff_id, Standing())

    def leave(self, guest: Guest) -> None:
        """They have gone."""
        self._standing.pop(guest, None)
        self._known.pop(guest.session_key, None)

    async def check(self) -> bool:
        """Show out who may not stay, and have look again who may see others than before.

        Whether there was anybody of either kind.
        """
        guests, changed = list(self._standing), False
        if not guests:
            return False
        now, sessions = await self._read(guests)
        for guest in guests:
            before = self._standing.get(guest)
            if before is None:
                continue  # they left meanwhile
            standing = now.get(guest.staff_id)
            lost = standing is None or standing.has_lost(before)
            if lost or (guest.session_key, guest.staff_id) not in sessions:
                changed = True
                self.leave(guest)
                await _try(guest.show_out())
            elif standing is not None and standing != before:
                changed = True
                self._standing[guest] = standing
                await _try(guest.look_again())
        return changed

    @database_sync_to_async
    def _read(self, guests: Collection[Guest]) -> tuple[dict[int, Standing], set[tuple[str, int]]]:
        staff = {guest.staff_id for guest in guests}
        keys = {guest.session_key for guest in guests}
        return standings(staff), self._sessions(staff, keys)

    def _sessions(self, staff: Collection[int], keys: Collection[str]) -> set[tuple[str, int]]:
        """The sessions that are open, each with the member of staff whose password it knows.

        A session is decoded when it or the password has changed, not each time.
        """
        passwords = dict(Staff.objects.filter(pk__in=staff).values_list("pk", "password"))
        rows = session_model()._base_manager.filter(
            session_key__in=keys, expire_date__gt=timezone.now()
        )
        found: dict[str, tuple[str, str, int]] = {}
        for key, data in rows.values_list("session_key", "session_data"):
            known = self._known.get(key)
            if known is None or known[0] != data or passwords.get(known[2]) != known[1]:
                known = self._decoded(data)
            if known is not None:
                found[key] = known
        self._known |= found
        return {(key, known[2]) for key, known in found.items()}

    def _decoded(self, data: str) -> tuple[str, str, int] | None:
        said = session_model().get_session_store_class()().decode(data)
        member = Staff.objects.filter(pk=said.get(SESSION_KEY, 0)).first()
        if member is None:
            return None
        same = constant_time_compare(said.get(HASH_SESSION_KEY, ""), member.get_session_auth_hash())
        return (data, member.password, member.pk) if same else None


def session_model() -> Any:
    """The table of sessions."""
    return import_module(settings.SESSION_ENGINE).SessionStore.get_model_class()


async def _try(told: Any) -> None:
    try:
        await told
    except Exception:
        logger.exception("a page could not be told that its access has changed")
