"""When to ask again. Pure; the source of chance is handed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from memory.checkpointer.model.errors import ModelError

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 8.0


def wait_before_retry(
    error: ModelError, attempt: int, *, longest_asked: float, random: Callable[[], float]
) -> float | None:
    """Seconds to wait after this attempt (from 1) failed; None where it should not be repeated.

    Each wait is twice as long as the one before, less up to a half by chance, so that many who
    failed together do not come back together. What the endpoint asked for in `Retry-After` is the
    least, with a little on top; where that is longer than `longest_asked`, the call ends.
    """
    if not error.again:
        return None
    backoff = min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** (attempt - 1))
    if error.retry_after is None:
        return backoff * (0.5 + 0.5 * random())
    if error.retry_after > longest_asked:
        return None
    return error.retry_after + FIRST_SECONDS * random()


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds that `retry-after-ms` or `Retry-After` asks for, as a number or as a date."""
    for name, scale in (("retry-after-ms", 1_000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / scale
        except (KeyError, ValueError):
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        asked = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, TypeError):
        return None
    if asked.tzinfo is None:
        asked = asked.replace(tzinfo=UTC)
    return max(0.0, (asked - now).total_seconds())
