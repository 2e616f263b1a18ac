"""Whether a quote is in a message, and whether a stated weekday is that of a date. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

SHORTEST = 4
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY = re.compile(rf"\b({'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def same_spaces(text: str) -> str:
    """A text with one space wherever it has any white space."""
    return " ".join(text.split())


def quote_problem(quote: str, text: str) -> str:
    """Why a quote is none of a text; empty where it is."""
    said, whole = same_spaces(quote), same_spaces(text)
    if said not in whole:
        return "these words are not in the message; copy them from it letter by letter"
    if len(said) < min(SHORTEST, len(whole)) or not any(map(str.isalnum, said)):
        return "it is too short to rest a fact on; copy the words that say it"
    return ""


def weekday_doubts(quote: str, data: Any) -> list[str]:
    """A doubt for each weekday that the quote names and none of the dates in the data falls on.

    A date that fits another of the named weekdays is left alone, and so is a quote without dates.
    """
    days = sorted(set(_days(data)))
    named = sorted({found.lower() for found in WEEKDAY.findall(quote)})
    falls = {WEEKDAYS[day.weekday()] for day in days}
    if not days or not named or falls & set(named):
        return []
    wrong = ", ".join(f"{day.isoformat()} is a {WEEKDAYS[day.weekday()].title()}" for day in days)
    return [f"{' and '.join(map(str.title, named))} was said, but {wrong}."]


def _days(value: Any) -> Iterator[date]:
    match value:
        case str() if DAY.fullmatch(value[:10]):
            try:
                yield date.fromisoformat(value[:10])
            except ValueError:
                return
        case dict():
            for one in value.values():
                yield from _days(one)
        case list():
            for one in value:
                yield from _days(one)
