"""What stands between a socket and whoever opens it, as the middleware does between pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff

from uac_site.accounts.second_factor import DEVICE, next_step
from uac_site.operations.instruments import SOCKETS

Application = Callable[..., Awaitable[None]]


class Counted:
    """Counts the sockets that are open."""

    def __init__(self, inner: Application) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        with SOCKETS.track_inprogress():
            await self.inner(scope, receive, send)


class EveryStepTaken:
    """Whoever has not given their second factor, or must do something first, is nobody yet."""

    def __init__(self, inner: Application) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if not await self._taken(scope):
            scope = {**scope, "user": AnonymousUser()}
        await self.inner(scope, receive, send)

    @database_sync_to_async
    def _taken(self, scope: dict[str, Any]) -> bool:
        user = scope["user"]
        return isinstance(user, Staff) and not next_step(
            user, proved=scope["session"].get(DEVICE, "")
        )
