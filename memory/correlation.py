"""The id of the request that work is done for: in log lines, in the audit, and handed on to jobs.

It is the one that came with the request where that is well-formed, else a new one. Only hexadecimal
ids are taken over: what is written down everywhere must not be able to spell a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

LONGEST = 32
WELL_FORMED = re.compile(r"[0-9a-f]{16,32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def current() -> str:
    """The id of the request that is served, or that the running job was queued for; else empty."""
    return _current.get()


def taken_over(asked: str) -> str:
    """The id a client asks for as 16 to 32 hexadecimal digits; a new one where it is no such."""
    plain = asked.strip().lower()
    return plain.replace("-", "") if WELL_FORMED.fullmatch(plain) else uuid4().hex


@contextmanager
def correlated(request_id: str) -> Iterator[None]:
    """What happens inside is done for this request; an empty id is for none."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)
