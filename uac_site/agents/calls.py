"""Requests to the API from within this process, as whoever called made them.

They pass the same middleware, keys, scopes, limits and audit as requests from outside: a tool can
do nothing that its caller could not do by HTTP.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from memory.api.throttling import COUNTED

Scope = Mapping[str, Any]
Message = Mapping[str, Any]
Asgi = Callable[[Any, Any, Any], Awaitable[None]]
OWN = (
    *("content-", "accept", "mcp-", "transfer-encoding", "connection", "idempotency-key"),
    *("cookie", "origin", "referer"),
)
"""Headers that are of the caller's message, not of what is asked on their behalf."""
PREFIX = "/api/v1/"


@dataclass(frozen=True)
class Reply:
    """What the API answered."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether it is what was asked for, not a problem."""
        return self.status < 300

    @property
    def json(self) -> Any:
        """The body's value; None where it is no JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass(frozen=True)
class Ask:
    """A request to a resource of the API; values of None are left out of query and body."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    idempotency_key: str | None = None


def path(*parts: str) -> str:
    """A resource's path, each part quoted."""
    return "/".join(quote(part, safe="") for part in parts)


class Caller:
    """Who sent a message, and the API asked in their name."""

    def __init__(self, app: Asgi, scope: Scope, *, counted: bool = False) -> None:
        self._app, self._scope, self._counted = app, scope, counted

    def within(self) -> Caller:
        """The same, for what is asked within a request that has been counted."""
        return Caller(self._app, self._scope, counted=True)

    async def send(self, ask: Ask) -> Reply:
        """Ask, and return the whole answer."""
        content = b"" if ask.body is None else json.dumps(ask.body).encode()
        status, headers, body = 500, (), bytearray()
        received = False

        async def receive() -> Message:
            nonlocal received
            if received:
                return {"type": "http.disconnect"}
            received = True
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], tuple(message.get("headers", ()))
            else:
                body.extend(message.get("body", b""))

        await self._app(self._scope_of(ask, len(content)), receive, send)
        return Reply(status, headers, bytes(body))

    def _scope_of(self, ask: Ask, length: int) -> dict[str, Any]:
        query = {name: value for name, value in ask.query.items() if value is not None}
        headers = [
            (name, value)
            for name, value in self._scope["headers"]
            if not name.decode("latin-1").startswith(OWN)
        ]
        headers.append((b"accept", b"application/json"))
        if ask.method == "POST":
            headers.append((b"content-type", b"application/json"))
            headers.append((b"content-length", str(length).encode()))
        if ask.idempotency_key:
            headers.append((b"idempotency-key", ask.idempotency_key.encode("latin-1", "replace")))
        where = f"{PREFIX}{ask.path}"
        return {
            **self._scope,
            "method": ask.method,
            "path": where,
            "raw_path": where.encode(),
            "query_string": urlencode(query).encode(),
            "headers": headers,
            COUNTED: self._counted,
        }
