"""A scripted OpenAI-compatible server on loopback: real HTTP, and whatever may go wrong in it.

Each request takes the next act of the script; when the script is over, the last act goes on. An act
is a function of the connection and the request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]
Act = Callable[["Connection", Request], None]
MEGABYTE = 1_000_000
USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


class Connection(BaseHTTPRequestHandler):
    """One connection to the server."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        """Play the next act."""
        script = self.server.script
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        script.requests.append(request)
        script.headers.append({name.lower(): value for name, value in self.headers.items()})
        script.paths.append(self.path)
        self.close_connection = True
        with suppress(OSError):  # whoever asked may have hung up, as they should
            if refusal := script.refusal(request):
                status(400, {"error": {"message": refusal}})(self, request)
            else:
                script.next()(self, request)

    def head(self, code: int, headers: dict[str, str]) -> None:
        """Send a status and headers."""
        self.send_response(code)
        for name, value in {"Connection": "close", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def whole(self, code: int, body: bytes, **headers: str) -> None:
        """Send a complete answer; `Content_Type` stands for Content-Type."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.head(
            code,
            {"Content-Type": "application/json", "Content-Length": str(len(body)), **named},
        )
        self.wfile.write(body)

    def event(self, data: str) -> None:
        """Send one event of a stream."""
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@dataclass
class Script:
    """What the server does, and what it has been asked."""

    acts: Sequence[Act] = ()
    unknown: tuple[str, ...] = ()
    """Options and formats that the server refuses, such as `json_schema`."""
    requests: list[Request] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    url: str = ""
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the test ends, so that acts that wait do not."""
    played: int = 0

    def plays(self, *acts: Act, unknown: tuple[str, ...] = ()) -> None:
        """Set the script."""
        self.acts, self.unknown, self.played = acts, unknown, 0

    def next(self) -> Act:
        """The next act, in the end always the last."""
        self.played += 1
        return self.acts[min(self.played, len(self.acts)) - 1]

    def refusal(self, request: Request) -> str:
        """What a server says that does not know everything; empty where it does."""
        kind = request.get("response_format", {}).get("type")
        odd = [name for name in self.unknown if name in request or name == kind]
        return f"Unsupported parameter: {odd[0]}" if odd else ""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    script: Script


@contextmanager
def model_server() -> Iterator[Script]:
    """The server, while the test runs."""
    server = _Server(("127.0.0.1", 0), Connection)
    server.script = script = Script()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        script.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def completion(text: Any, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """The body of an answer that is not streamed."""
    message = {"role": "assistant", "content": text, **more}
    return {
        "id": "one",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": USAGE,
    }


def chunk(text: Any, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """The body of a piece of a streamed answer."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "one", "object": "chat.completion.chunk", "choices": [choice], **more}


def answers(value: Any, *, finish: str = "stop", usage: bool = True, size: int = 7) -> Act:
    """A good answer: JSON of a value, or a text as it is; streamed where that is asked for."""
    text = value if isinstance(value, str) else json.dumps(value)

    def act(to: Connection, request: Request) -> None:
        if not request.get("stream"):
            full = completion(text, finish)
            if not usage:
                del full["usage"]
            to.whole(200, json.dumps(full).encode())
            return
        to.head(200, {"Content-Type": "text/event-stream"})
        for start in range(0, len(text), size):
            to.event(json.dumps(chunk(text[start : start + size])))
        to.event(json.dumps(chunk(None, finish)))
        if usage:
            to.event(json.dumps({"choices": [], "usage": USAGE}))
        to.event("[DONE]")

    return act


def whole(value: Any) -> Act:
    """An answer in one piece, though a stream was asked for."""
    return lambda to, _: to.whole(200, json.dumps(completion(json.dumps(value))).encode())


def status(code: int, body: Any = None, **headers: str) -> Act:
    """An HTTP status with a body."""
    return lambda to, _: to.whole(code, json.dumps(body or {}).encode(), **headers)


def body(content: bytes, kind: str = "application/json") -> Act:
    """Any bytes as a complete answer."""
    return lambda to, _: to.whole(200, content, Content_Type=kind)


def events(*data: Any) -> Act:
    """A stream of these events, and then nothing more."""

    def act(to: Connection, _: Request) -> None:
        to.head(200, {"Content-Type": "text/event-stream"})
        for one in data:
            to.event(one if isinstance(one, str) else json.dumps(one))

    return act


def truncated(value: Any) -> Act:
    """The first half of what was promised, and a connection that breaks off."""
    full = json.dumps(completion(json.dumps(value))).encode()

    def act(to: Connection, _: Request) -> None:
        to.head(200, {"Content-Type": "application/json", "Content-Length": str(len(full))})
        to.wfile.write(full[: len(full) // 2])

    return act


def huge(megabytes: int = 10) -> Act:
    """An answer that is much too large."""

    def act(to: Connection, request: Request) -> None:
        piece = "x" * (MEGABYTE // 10)
        if request.get("stream"):
            to.head(200, {"Content-Type": "text/event-stream"})
            for _ in range(megabytes * 10):
                to.event(json.dumps(chunk(piece)))
            return
        to.head(200, {"Content-Type": "application/json"})
        for _ in range(megabytes * 10):
            to.wfile.write(piece.encode())

    return act


def one_line(megabytes: int = 10) -> Act:
    """A stream whose first event never ends."""

    def act(to: Connection, request: Request) -> None:
        to.head(200, {"Content-Type": "text/event-stream"})
        to.wfile.write(b"data: ")
        for _ in range(megabytes * 10):
            to.wfile.write(b"x" * (MEGABYTE // 10))

    return act


def trickles(text: bytes, *, every: float = 1.0, after: bytes = b"") -> Act:
    """One byte of raw HTTP and a pause, again and again; `after` is sent at once before."""

    def act(to: Connection, _: Request) -> None:
        to.wfile.write(after)
        for at in range(len(text)):
            to.wfile.write(text[at : at + 1])
            to.wfile.flush()
            if to.server.script.over.wait(every):
                return

    return act


def silence(to: Connection, _: Request) -> None:
    """No answer at all."""
    to.server.script.over.wait(30)


def hangs_up(to: Connection, _: Request) -> None:
    """The connection ends before a word was said."""
    to.connection.close()
