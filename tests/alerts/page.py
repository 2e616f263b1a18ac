"""An open page, as far as its socket goes."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import User as Staff
from django.test import Client

from tests.api_client import HOST
from uac_site.asgi import application

PATIENCE = 20.0
TO_CLOSE = 3.0


class Page:
    """An open page: a socket with the session of whoever is logged in."""

    def __init__(
        self, staff: Staff | None, query: str = "", origin: str = f"http://{HOST}"
    ) -> None:
        headers = [(b"origin", origin.encode()), (b"host", HOST.encode())]
        self.session_key = ""
        if staff is not None:
            client = Client()
            client.force_login(staff)
            cookies = "; ".join(f"{name}={one.value}" for name, one in client.cookies.items())
            headers.append((b"cookie", cookies.encode()))
            self.session_key = client.cookies["sessionid"].value
        scope = {
            "type": "websocket",
            "path": "/ws/alerts",
            "query_string": query.removeprefix("?").encode(),
            "headers": headers,
            "subprotocols": [],
        }
        self.socket = ApplicationCommunicator(application, scope)

    async def next(self) -> Any:
        """The next thing the application says, as it says it."""
        return await self.socket.receive_output(timeout=PATIENCE)

    async def knock(self) -> Any:
        """Ask to be let in; the answer."""
        await self.socket.send_input({"type": "websocket.connect"})
        return await self.next()

    async def open(self) -> Any:
        """Connect; the greeting."""
        assert (await self.knock())["type"] == "websocket.accept"
        return json.loads((await self.next())["text"])

    async def refused(self) -> Any:
        """Connect; the code with which it is closed, at the door or behind it."""
        answer = await self.knock()
        if answer["type"] == "websocket.accept":
            answer = await self.next()
        assert answer["type"] == "websocket.close"
        return answer.get("code")

    async def events(self, count: int) -> list[Any]:
        """The next events; the beat between them is left out. Raises TimeoutError."""
        found: list[Any] = []
        async with asyncio.timeout(PATIENCE):
            while len(found) < count:
                said = json.loads((await self.next())["text"])
                if said["type"] == "event":
                    found.append(said)
        return found

    async def close(self) -> None:
        """Close it."""
        await self.socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.socket.wait(timeout=TO_CLOSE)

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close it whatever happened: a socket left open keeps the loop from ending."""
        with suppress(asyncio.CancelledError):
            await self.close()
