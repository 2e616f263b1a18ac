"""One request to a webhook: the only door by which alerts leave over HTTP.

The endpoint is a stranger: the name is looked up once and its addresses are judged
(`alerts.delivery.targets`), no redirect is followed, time and size are bounded as a whole, and of
what it answers nothing is kept but the status.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime

import httpcore2
import httpx2

from alerts.delivery.answered import Answered
from alerts.delivery.targets import Forbidden, LookUp, NoAddress
from memory.checkpointer.model.errors import ModelError, OutOfTime, TooLarge
from memory.checkpointer.model.guard import Guard
from memory.checkpointer.model.retries import retry_after
from memory.checkpointer.model.transport import GuardedTransport

SECONDS = 10.0
CONNECT_SECONDS = 5.0
MOST_BYTES = 64 * 1024


def post(url: str, body: bytes, headers: Mapping[str, str], *, look_up: LookUp) -> Answered:
    """Send a body once; never raises for what the endpoint does."""
    began = time.monotonic()
    guard = Guard(began + SECONDS, MOST_BYTES, time.monotonic, cancelled=lambda: False)
    status, error, wait = None, "", None
    try:
        status, wait = _exchange(url, body, headers, guard, look_up)
    except Exception as raised:
        error = _code(guard.broken or raised)
        if not error:
            raise
    if status is not None and 300 <= status < 400:
        error = "redirect"
    elif status is not None and not 200 <= status < 300:
        error = "refused" if status < 500 else "failed"
    return Answered(status, error, wait, time.monotonic() - began)


def _exchange(
    url: str, body: bytes, headers: Mapping[str, str], guard: Guard, look_up: LookUp
) -> tuple[int, float | None]:
    timeout = httpx2.Timeout(SECONDS, connect=CONNECT_SECONDS)
    transport = GuardedTransport(guard, look_up)
    with httpx2.Client(transport=transport, timeout=timeout, follow_redirects=False) as client:
        asked = {"Accept-Encoding": "identity", **headers}
        with client.stream("POST", url, content=body, headers=asked) as response:
            # The status says whether it was taken; what else is sent is not read
            return response.status_code, retry_after(response.headers, datetime.now(UTC))


def _code(error: BaseException) -> str:
    """What went wrong in a word or two; empty for a fault of our own."""
    match error:
        case Forbidden():
            return "forbidden_address"
        case NoAddress():
            return "no_address"
        case OutOfTime() | httpcore2.TimeoutException() | httpx2.TimeoutException():
            return "timed_out"
        case TooLarge():
            return "too_large"
        case httpcore2.ConnectError() | httpx2.ConnectError():
            return "no_connection"
        case httpcore2.NetworkError() | httpx2.NetworkError():
            return "broke_off"
        case (
            httpcore2.ProtocolError() | httpx2.ProtocolError() | httpx2.InvalidURL() | ModelError()
        ):
            return "garbled"
    return ""
