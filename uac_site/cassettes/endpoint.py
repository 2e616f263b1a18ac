"""An OpenAI-compatible endpoint on loopback whose answers a function gives, streamed or whole."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOST = "127.0.0.1"
PIECE = 2_000
"""Characters in one event of a stream."""
MODELS, COMPLETIONS = "/v1/models", "/v1/chat/completions"
Body = Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """The assistant's words, or with a status other than 200 what is wrong."""

    text: str
    model: str = "recorded"
    status: int = 200


Answerer = Callable[[Body], Reply]


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        if self.path == MODELS:
            model = {"id": "recorded", "object": "model"}
            self._whole(200, {"object": "list", "data": [model]})
        else:
            self._whole(404, _error(f"there is only {MODELS} and {COMPLETIONS}"))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != COMPLETIONS:
            self._whole(404, _error(f"there is only {MODELS} and {COMPLETIONS}"))
            return
        body = json.loads(raw)
        reply = self.server.answerer(body)
        with suppress(OSError):  # whoever asked may have hung up
            if reply.status != 200:
                self._whole(reply.status, _error(reply.text))
            elif body.get("stream"):
                self._streamed(reply)
            else:
                self._whole(200, _completion(reply))

    def _whole(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _streamed(self, reply: Reply) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for start in range(0, len(reply.text), PIECE):
            self._event(json.dumps(_chunk(reply, reply.text[start : start + PIECE], None)))
        self._event(json.dumps(_chunk(reply, None, "stop")))
        self._event("[DONE]")

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())

    def log_message(self, *_: object) -> None:
        """Say nothing: requests hold what people said."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    answerer: Answerer


@contextmanager
def endpoint(answerer: Answerer) -> Iterator[str]:
    """The endpoint in threads of this process, on a free port; its base address."""
    server = _Server((HOST, 0), _Connection)
    server.answerer = answerer
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _completion(reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {**_about(reply, "chat.completion"), "choices": [choice]}


def _chunk(reply: Reply, text: str | None, finish: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {**_about(reply, "chat.completion.chunk"), "choices": [choice]}


def _about(reply: Reply, what: str) -> dict[str, Any]:
    return {"id": "recorded", "object": what, "created": 0, "model": reply.model}


def _error(text: str) -> dict[str, Any]:
    return {"error": {"message": text, "type": "invalid_request_error", "code": None}}
