"""Where sessions are kept: a table that knows whose they are, and both limits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as TableStore
from django.utils import timezone

from uac_site.accounts.limits import AT_THE_DOOR, BEGAN, SEEN, ends_at
from uac_site.accounts.models import StaffSession

ADDRESS, BROWSER = "address", "browser"


class SessionStore(TableStore):
    """A save renews the idle limit; who is not logged in yet has ten minutes at the door."""

    @classmethod
    def get_model_class(cls) -> Any:
        return StaffSession

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        now = timezone.now()
        staff_id = data.get(SESSION_KEY)
        if staff_id is not None:
            data.setdefault(BEGAN, now.timestamp())
            data[SEEN] = now.timestamp()
        began = datetime.fromtimestamp(data.get(BEGAN, now.timestamp()), UTC)
        row = cast(StaffSession, super().create_model_instance(data))
        row.staff_id = staff_id
        row.began_at, row.seen_at = began, now
        row.expire_date = ends_at(began=began, seen=now) if staff_id else now + AT_THE_DOOR
        row.address, row.browser = data.get(ADDRESS, ""), data.get(BROWSER, "")
        return row

    async def acreate_model_instance(self, data: dict[str, Any]) -> Any:
        return self.create_model_instance(data)
