"""Days and months that a text names, and whether others name them too. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from typing import NamedTuple

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MONTH = rf"(?P<month>{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in MONTHS)}|Sept)\b\.?"
DAY, YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b", r"(?P<year>\d{4})\b"
WRITTEN = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?P<year>\d{4})-(?P<number>\d{2})(?:-(?P<day>\d{2}))?\b",
        rf"\b{DAY}\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR})?",
        rf"\b{MONTH}\s+{DAY}(?:,?\s+{YEAR})?",
        rf"\b{MONTH},?\s+{YEAR}",
    )
)


class Day(NamedTuple):
    """A day of a month, or a whole month, of a year or of none in particular."""

    month: int
    day: int | None
    year: int | None


def of_date(day: date) -> Day:
    """The day that a date is."""
    return Day(day.month, day.day, day.year)


def days_in(text: str) -> tuple[frozenset[Day], str]:
    """The days and months that a text names, and the text without them."""
    found: set[Day] = set()
    for pattern in WRITTEN:
        for one in pattern.finditer(text):
            found.add(_day(one.groupdict()))
        text = pattern.sub(" ", text)
    return frozenset(found), text


def _day(parts: dict[str, str | None]) -> Day:
    number = parts.get("number")
    month = int(number) if number else _month(parts["month"] or "")
    day, year = parts.get("day"), parts.get("year")
    return Day(month, int(day) if day else None, int(year) if year else None)


def _month(name: str) -> int:
    return 1 + [month[:3] for month in MONTHS].index(name[:3])


def foreign_days(text: str, known: Collection[Day], years: Collection[int]) -> list[str]:
    """The days of a text that none of the known ones is; a year may be one of `years`."""
    return sorted(
        _shown(day) for day in days_in(text)[0] if not any(_is(day, one, years) for one in known)
    )


def _is(day: Day, known: Day, years: Collection[int]) -> bool:
    if day.month != known.month or day.day not in (None, known.day):
        return False
    return day.year in (None, known.year) or (known.year is None and day.year in years)


def _shown(day: Day) -> str:
    name = MONTHS[day.month - 1] if 1 <= day.month <= 12 else str(day.month)
    return " ".join(str(part) for part in (day.day, name, day.year) if part is not None)
