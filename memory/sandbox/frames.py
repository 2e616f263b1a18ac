"""Messages between this process and a keeper: JSON over a socket, each after its length."""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

HEADER = struct.Struct("!I")
LONGEST = 256 * 1024 * 1024
CHUNK = 1024 * 1024


class BrokenFrame(Exception):
    """What arrived is not a message."""


def pack(message: dict[str, Any]) -> bytes:
    """The bytes of a message; UnicodeEncodeError if its text has a lone surrogate."""
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return HEADER.pack(len(body)) + body


def send(channel: socket.socket, data: bytes, deadline: float | None = None) -> None:
    """Send packed bytes; TimeoutError past `deadline` (a monotonic time), OSError if closed."""
    _limit(channel, deadline)
    channel.sendall(data)


def receive(channel: socket.socket, deadline: float | None = None) -> dict[str, Any] | None:
    """The next message, or None when the other side has closed."""
    header = _exactly(channel, HEADER.size, deadline)
    if header is None:
        return None
    (length,) = HEADER.unpack(header)
    if length > LONGEST:
        raise BrokenFrame("The message is too long.")
    body = _exactly(channel, length, deadline)
    if body is None:
        return None
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame("The message is not JSON.") from error
    if not isinstance(message, dict):
        raise BrokenFrame("The message is not an object.")
    return message


def _exactly(channel: socket.socket, length: int, deadline: float | None) -> bytes | None:
    parts = []
    while length:
        _limit(channel, deadline)
        part = channel.recv(min(length, CHUNK))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _limit(channel: socket.socket, deadline: float | None) -> None:
    if deadline is None:
        return
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    channel.settimeout(left)
