"""An open page, as the dashboard's script would be: a socket that notes when each event came."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.test import Client as Browser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from memory.rights import Role
from uac_site.benchmarks.client import HOST
from uac_site.benchmarks.colleagues import colleague

PATIENCE = 30.0


class NoEvent(RuntimeError):
    """The socket did not tell of an alert."""


class Page:
    """The events that a socket tells of, with the moment each came."""

    def __init__(self, socket: ClientConnection) -> None:
        self._came: queue.SimpleQueue[tuple[float, int, str]] = queue.SimpleQueue()
        self._seen: dict[tuple[int, str], float] = {}
        self._socket = socket
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def came_at(self, alert_id: int, kind: str) -> float:
        """When the socket told of this event. Raises NoEvent."""
        end = time.monotonic() + PATIENCE
        while (alert_id, kind) not in self._seen:
            try:
                moment, alert, what = self._came.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                late = f"alert {alert_id} was not {kind} on the socket within {PATIENCE:.0f} s"
                raise NoEvent(late) from None
            self._seen[alert, what] = moment
        return self._seen[alert_id, kind]

    def _read(self) -> None:
        try:
            for text in self._socket:
                moment = time.perf_counter()
                message = json.loads(text)
                if message["type"] == "event":
                    self._came.put((moment, message["alert"], message["kind"]))
        except ConnectionClosed:
            pass


@contextmanager
def open_page(port: int) -> Iterator[Page]:
    """A page of a member of staff who has logged in, open and up to date."""
    staff = colleague("caregiver", Role.CAREGIVER)
    browser = Browser()
    browser.force_login(staff)
    cookie = browser.cookies["sessionid"].value
    with connect(
        f"ws://{HOST}:{port}/ws/alerts",
        origin=Origin(f"http://{HOST}:{port}"),
        additional_headers={"Cookie": f"sessionid={cookie}"},
    ) as socket:
        hello = json.loads(socket.recv(PATIENCE))
        if hello["type"] != "hello":
            raise NoEvent(f"the socket said {hello} first")
        yield Page(socket)
