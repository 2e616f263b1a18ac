"""`/mcp`: the way in to the MCP server, for who has a key and comes from nowhere else.

Every message stands alone (no session is kept), so that any web process can answer it. Before the
server sees one, the API has been asked what the key may do: that looks at the host, the key and its
limit of requests, like any other request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from memory.correlation import correlated, taken_over
from uac_site.agents.calls import Asgi, Ask, Caller, Reply
from uac_site.agents.server import CALLER, SCOPES, server

PATH = "/mcp"
LARGEST = 4 * 1024 * 1024
"""Bytes of a message; the API takes larger ones."""
ALWAYS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
REQUEST_ID = b"x-request-id"
KEPT = (b"content-type", b"www-authenticate", b"retry-after")


class Door:
    """The ASGI application behind `/mcp`; `api` is the site's own."""

    def __init__(self, api: Asgi) -> None:
        self._api = api
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._manager = self._new()

    @staticmethod
    def _new() -> StreamableHTTPSessionManager:
        return StreamableHTTPSessionManager(
            server(), json_response=True, stateless=True, max_request_body_size=LARGEST
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one message, or refuse it."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        request_id = taken_over(headers.get(REQUEST_ID, ""))
        named = (REQUEST_ID, request_id.encode())
        others = [one for one in scope["headers"] if one[0].lower() != REQUEST_ID]
        scope, send = {**scope, "headers": [*others, named]}, _guarded(send, named)
        with correlated(request_id):
            await self._take(scope, headers.get(b"origin"), receive, send)

    async def _take(self, scope: Any, origin: str | None, receive: Any, send: Any) -> None:
        if not origin_allowed(origin, settings.ALLOWED_HOSTS):
            await _refuse(send, 403, "Forbidden", "Pages of other sites may not call this.")
            return
        if scope["method"] != "POST":
            detail = "Send messages by POST; there is no stream to listen to."
            await _refuse(send, 405, "Method not allowed", detail, allow=b"POST")
            return
        caller = Caller(self._api, scope)
        key = await caller.send(Ask("GET", "key"))
        if 300 <= key.status < 400:  # the API leads to its own address under https
            await _refuse(send, 403, "Forbidden", "Messages have a key in them: use https.")
            return
        if not key.ok:
            await _pass_on(send, key)
            return
        known = {CALLER: caller.within(), SCOPES: frozenset(key.json["scopes"])}
        await self._begin()
        await self._manager.handle_request({**scope, **known}, receive, send)

    async def _begin(self) -> None:
        """Start the server, once for each event loop."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop or self._serving is None or self._serving.done():
            self._loop, self._manager, self._ready = loop, self._new(), asyncio.Event()
            self._serving = loop.create_task(self._serve(self._manager, self._ready))
        await self._ready.wait()

    @staticmethod
    async def _serve(manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        """Keep the server's tasks in a task of their own until the loop ends."""
        async with manager.run():
            ready.set()
            await asyncio.Event().wait()


def origin_allowed(origin: str | None, hosts: list[str]) -> bool:
    """Whether a page of this origin may call: programs send none, and pages only from our hosts."""
    if origin is None:
        return True
    try:
        found = urlsplit(origin)
        name = found.hostname
    except ValueError:
        return False
    return found.scheme in ("http", "https") and bool(name) and validate_host(name or "", hosts)


def _guarded(send: Any, named: tuple[bytes, bytes]) -> Any:
    """Answers that nobody keeps or takes for something else, and that name the request, as those
    of the site itself are."""
    always = (*ALWAYS, named)

    async def guarded(message: Any) -> None:
        if message["type"] == "http.response.start":
            own = {name for name, _ in always}
            others = [one for one in message.get("headers", ()) if one[0].lower() not in own]
            message = {**message, "headers": [*others, *always]}
        await send(message)

    return guarded


async def _refuse(
    send: Any, status: int, title: str, detail: str, *, allow: bytes | None = None
) -> None:
    problem: Mapping[str, Any] = {
        "type": "about:blank", "title": title, "status": status, "detail": detail
    }  # fmt: skip
    headers = [(b"content-type", b"application/problem+json")]
    headers += [(b"allow", allow)] if allow else []
    await _answer(send, status, headers, json.dumps(problem).encode())


async def _pass_on(send: Any, reply: Reply) -> None:
    """What the API said of the key."""
    headers = [one for one in reply.headers if one[0].lower() in KEPT]
    await _answer(send, reply.status, headers, reply.body)


async def _answer(send: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
