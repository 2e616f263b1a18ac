"""Days as a form names them: the person's own, from midnight to midnight in their zone."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from memory.models import MemoryUser

YEARS = (1000, 9000)
MOMENT = timedelta(microseconds=1)


def day_of(text: str) -> date | None:
    """The day that a form names; what is none counts as not given."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if YEARS[0] <= day.year <= YEARS[1] else None


def begin_of(day: date | None, person: MemoryUser) -> datetime | None:
    """When the day begins."""
    return None if day is None else datetime.combine(day, time(), person.zone)


def end_of(day: date | None, person: MemoryUser) -> datetime | None:
    """When the day after begins."""
    return None if day is None else begin_of(day + timedelta(days=1), person)


def last_moment_of(day: date, person: MemoryUser) -> datetime:
    """The last moment that belongs to the day."""
    after = end_of(day, person)
    assert after is not None
    return after - MOMENT
