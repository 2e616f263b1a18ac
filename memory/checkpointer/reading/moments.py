"""When a statement was true, as a model says it: a date of some precision, or a moment. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from memory.project.partial_dates import SHAPE, parse_partial

Precision = Literal["moment", "day", "month", "year"]
PRECISIONS: tuple[Precision, ...] = ("year", "month", "day")


class NoMoment(ValueError):
    """It is no date, or one that lies ahead."""


def when(text: str | None, said_at: datetime, zone: ZoneInfo) -> tuple[datetime, Precision]:
    """The aware moment that a text means, and how precise it is; without one, when it was said.

    Of a day, month or year it is the beginning in the person's zone, but never later than what was
    said in it. Raises NoMoment.
    """
    if text is None:
        return said_at, "moment"
    try:
        moment, precision = _parsed(text, zone)
        if moment.astimezone(zone).date() > said_at.astimezone(zone).date():
            raise NoMoment(
                "occurred_at lies after the message; it is when the statement became true. "
                "Put coming dates into the data of a reading"
            )
        same_day = moment.astimezone(zone).date() == said_at.astimezone(zone).date()
        moment = said_at if same_day and precision != "moment" else min(moment, said_at)
        return moment.astimezone(UTC), precision
    except OverflowError:
        raise NoMoment("there is no such date") from None


def _parsed(text: str, zone: ZoneInfo) -> tuple[datetime, Precision]:
    try:
        if SHAPE.fullmatch(text):
            parts = parse_partial(text)
            day = date(parts.year, parts.month or 1, parts.day or 1)
            begins = datetime.combine(day, time(), zone)
            return begins, PRECISIONS[text.count("-")]
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise NoMoment("write it like 2026, 2026-03, 2026-03-21 or 2026-03-21T20:14") from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    if abs(aware.utcoffset() or timedelta()) >= timedelta(days=1):
        raise NoMoment("there is no such offset")
    return aware, "moment"
