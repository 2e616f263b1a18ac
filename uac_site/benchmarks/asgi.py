"""The application with a bare echo beside it: what Channels alone does with a post.

`POST /benchmark/echo/<n>` sends `n` to a group of which every socket on `/ws/benchmark/echo` is a
member, in the same processes and over the same layer as the real thing; nothing is stored or asked.
"""

from __future__ import annotations

from typing import Any, cast

from channels.generic.websocket import AsyncJsonWebsocketConsumer
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from django.urls import path

from uac_site.asgi import application as site
from uac_site.benchmarks.client import ECHO_PATH, ECHO_SOCKET

GROUP = "benchmark-echo"


class Echo(AsyncJsonWebsocketConsumer):
    """A socket that is told every number."""

    groups = [GROUP]

    async def connect(self) -> None:
        await self.accept()
        await self.send_json({"type": "hello", "last_event_id": 0})

    async def told(self, message: dict[str, Any]) -> None:
        """A number that somebody posted."""
        await self.send_json({"type": "echo", "id": message["number"]})


_echo = URLRouter([path(ECHO_SOCKET[1:], cast(Any, Echo.as_asgi()))])


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The echo's two addresses here, everything else as the site has it."""
    where = scope.get("path", "")
    if scope["type"] == "websocket" and where == ECHO_SOCKET:
        await _echo(scope, receive, send)
    elif scope["type"] == "http" and where.startswith(ECHO_PATH):
        await _post(int(where.removeprefix(ECHO_PATH)), receive, send)
    else:
        await site(scope, receive, send)


async def _post(number: int, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    layer: Any = get_channel_layer()
    await layer.group_send(GROUP, {"type": "told", "number": number})
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 201, "headers": headers})
    await send({"type": "http.response.body", "body": b"{}"})
