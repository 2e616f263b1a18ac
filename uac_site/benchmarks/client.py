"""A client of the API: one keep-alive connection, each request timed."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any

from uac_site.benchmarks.instruments import COST_HEADER, EVALUATE_HEADER

HOST = "127.0.0.1"
FLOOR_PATH = "/benchmark/floor"
ECHO_PATH = "/benchmark/echo/"
ECHO_SOCKET = "/ws/benchmark/echo"
UNEVALUATED = {EVALUATE_HEADER: "no"}
TIMEOUT = 60.0


class Refused(RuntimeError):
    """The server answered with something else than was asked for."""


@dataclass(frozen=True)
class Answer:
    """An answer with the moment its request began and how long it took, in seconds."""

    status: int
    body: Any
    headers: Message
    began: float
    seconds: float

    @property
    def cost(self) -> dict[str, float]:
        """Where the evaluation's time went, as `alerts.evaluation.run.Cost` has it."""
        found: dict[str, float] = json.loads(self.headers.get(COST_HEADER, "{}"))
        return found

    @property
    def evaluated(self) -> bool:
        """Whether the rules ran before the answer."""
        return bool(self.body["evaluation"]["status"] == "done")


class Client:
    """Posts to one web process; made anew after the connection broke."""

    def __init__(self, port: int, secret: str, *, timeout: float = TIMEOUT) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=timeout)
        self._headers = {
            "Authorization": f"Bearer {secret}",
            "Content-Type": "application/json",
        }

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """Post JSON; raises OSError or http.client.HTTPException where no answer came."""
        raw = json.dumps(body).encode()
        every = {**self._headers, **(headers or {})}
        began = time.perf_counter()
        self._connection.request("POST", path, raw, every)
        response = self._connection.getresponse()
        text = response.read()
        seconds = time.perf_counter() - began
        return Answer(response.status, _decoded(text), response.headers, began, seconds)

    def fetched(self, path: str) -> tuple[bytes, float]:
        """GET what must be there: its bytes, and the seconds it took. Raises Refused."""
        began = time.perf_counter()
        self._connection.request("GET", path, headers=self._headers)
        response = self._connection.getresponse()
        raw = response.read()
        seconds = time.perf_counter() - began
        if response.status != http.client.OK:
            raise Refused(f"GET {path}: {response.status}: {raw[:500]!r}")
        return raw, seconds

    def created(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """Post JSON and insist on 201. Raises Refused."""
        answer = self.post(path, body, headers)
        if answer.status != 201:
            raise Refused(f"POST {path}: {answer.status}: {answer.body}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _decoded(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.decode(errors="replace")
