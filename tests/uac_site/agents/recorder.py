"""An MCP client whose messages are recorded, with what changes from run to run left out."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

UNSTABLE = {"seconds", "version", "hash", "tables", "today", "request_id", "tokens", "_meta"}
LONG = {"inputSchema", "outputSchema", "instructions"}
MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?")
DAYS = re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b")
ALERT = re.compile(r"\[alert \d+")
LONGEST = 80
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass
class Recorder:
    """What went over the wire, in order: a line for each message and each answer."""

    lines: list[str] = field(default_factory=list)

    async def asked(self, request: httpx2.Request) -> None:
        """A request that is sent."""
        self.lines.append(f"> {request.method} /mcp {_text(json.loads(request.content or b'{}'))}")

    async def answered(self, response: httpx2.Response) -> None:
        """The answer to it."""
        body = await response.aread()
        said = _text(json.loads(body)) if body else ""
        self.lines.append(f"< {response.status_code} {said}".rstrip())

    @property
    def text(self) -> str:
        """The whole recording."""
        return "".join(f"{line}\n" for line in self.lines)


@asynccontextmanager
async def connected(
    url: str, secret: str | None, recorder: Recorder | None = None, mode: str = "legacy"
) -> AsyncIterator[Client]:
    """The official client, connected to a site over real HTTP."""
    headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
    hooks: dict[str, Any] = {}
    if recorder is not None:
        hooks = {"request": [recorder.asked], "response": [recorder.answered]}
    async with httpx2.AsyncClient(headers=headers, event_hooks=hooks, timeout=60) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


def _text(value: Any) -> str:
    return json.dumps(_stable(value), ensure_ascii=False, sort_keys=True)


def _stable(value: Any, name: str = "") -> Any:
    """A value without ids, moments, digests and long schemas."""
    if name in UNSTABLE | LONG:
        return "…"
    match value:
        case dict():
            numbers = {"id", "alert"} & value.keys() if "jsonrpc" not in value else set()
            own = dict.fromkeys(sorted(numbers), "N")
            return {key: _stable(one, key) for key, one in value.items()} | own
        case list():
            return [_stable(one) for one in value]
        case str() if name == "text" and value.startswith("{"):
            return "(the same as text)"
        case str():
            value = ALERT.sub("[alert N", value)
            plain = DAYS.sub("DAY", MOMENT.sub("DATE", UUID.sub("PERSON", value)))
            return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}…"
    return value
