"""How long a session lasts: an idle limit that acts renew, within a limit that nothing renews."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase

BEGAN, SEEN = "began", "seen"  # seconds since 1970
AT_THE_DOOR = timedelta(minutes=10)
RENEW_AFTER = timedelta(minutes=1)


class Left(NamedTuple):
    """Seconds until a session ends, and whether that can be put off."""

    seconds: int
    renewable: bool


def ends_at(*, began: datetime, seen: datetime) -> datetime:
    """When a session ends whose holder does nothing more."""
    idle: timedelta = settings.SESSION_IDLE
    longest: timedelta = settings.SESSION_LONGEST
    return min(seen + idle, began + longest)


def moment(session: SessionBase, name: str) -> datetime | None:
    """One of the two moments a session keeps."""
    seconds = session.get(name)
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def left(session: SessionBase, *, now: datetime) -> Left:
    """What is left of a session; no second where it is over, or where nobody is logged in."""
    began, seen = moment(session, BEGAN), moment(session, SEEN)
    if began is None or seen is None:
        return Left(0, False)
    end = ends_at(began=began, seen=seen)
    longest: timedelta = settings.SESSION_LONGEST
    return Left(max(int((end - now).total_seconds()), 0), end < began + longest)


def to_renew(session: SessionBase, *, now: datetime) -> bool:
    """Whether an act should be noted: not more than once a minute, each is a write."""
    seen = moment(session, SEEN)
    idle: timedelta = settings.SESSION_IDLE
    return seen is None or now - seen > min(RENEW_AFTER, idle / 10)
