"""A receiver of webhooks on this machine, as kind or unkind as a test wants it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behave = Callable[["Handler"], None]


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """What came, in order, and how the next are answered: the last way stays."""

    server: ThreadingHTTPServer
    received: list[Received] = field(default_factory=list)
    ways: list[Behave] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server.server_port}/hook"

    def answer(self, *ways: Behave) -> None:
        """Answer the next requests so."""
        self.ways[:] = ways


class Handler(BaseHTTPRequestHandler):
    """Takes a request down, then behaves."""

    receiver: Receiver

    def do_POST(self) -> None:
        receiver = self.receiver
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        receiver.received.append(Received(self.path, dict(self.headers), body))
        behave = receiver.ways.pop(0) if len(receiver.ways) > 1 else receiver.ways[0]
        behave(self)

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *anything: Any) -> None:
        """Say nothing."""


def status(code: int, **headers: str) -> Behave:
    """Answer with a status; header names with `_` for `-`."""

    def behave(handler: Handler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return behave


def silent(handler: Handler) -> None:
    """Say nothing until the test is over."""
    handler.receiver.release.wait(30)


def trickle(handler: Handler) -> None:
    """Send headers for ever, a few bytes at a time, until the test is over or nobody listens."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.receiver.release.wait(0.2):
        try:
            handler.wfile.write(b"X-More: 1\r\n")
        except OSError:
            return


def flood(handler: Handler) -> None:
    """Send headers without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for _ in range(20_000):
        try:
            handler.wfile.write(b"X-More: 0123456789\r\n")
        except OSError:
            return


def hang_up(handler: Handler) -> None:
    """Close without a word."""
    handler.connection.close()


def garbage(handler: Handler) -> None:
    """Answer in no protocol that anybody knows."""
    handler.wfile.write(b"\x00\x01 nonsense\r\n\r\n")


@contextmanager
def receiver() -> Iterator[Receiver]:
    """One that takes everything unless told; gone afterwards."""
    handler = type("Bound", (Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    found = Receiver(server, ways=[status(200)])
    handler.receiver = found  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield found
    finally:
        found.release.set()
        server.shutdown()
        thread.join()
        server.server_close()
