"""When a delivery is tried again. Pure; the source of chance is handed in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

ATTEMPTS = 12
"""After so many a delivery has failed for good: about a day and a half after its event."""
FIRST = timedelta(seconds=20)
LONGEST = timedelta(hours=8)
LONGEST_ASKED = timedelta(hours=1)


def wait_after(
    attempt: int, *, random: Callable[[], float], asked: float | None = None
) -> timedelta | None:
    """How long to wait after this attempt (from 1) failed; None where it was the last.

    Each wait is three times the one before, up to a third less by chance, so that those who failed
    together do not come back together. What `Retry-After` asks for in seconds is the least, up to
    an hour.
    """
    if attempt >= ATTEMPTS:
        return None
    longest: timedelta = min(LONGEST, FIRST * 3 ** (attempt - 1))
    wait = longest * (1 - random() / 3)
    least = timedelta(seconds=min(asked or 0.0, LONGEST_ASKED.total_seconds()))
    return max(wait, least)
