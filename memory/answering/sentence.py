"""The value of a query in words, where its sentence has a place for it. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from memory.answering.shape import VALUE
from memory.querying.values import text_of
from memory.sandbox import Instance

MOST_NAMED, LONGEST_PART = 20, 200


def filled(sentence: str, value: Any) -> str:
    """The sentence with the value in its place, wherever that is."""
    return sentence.replace(VALUE, in_words(value))


def in_words(value: Any) -> str:
    """A value as a sentence has it: a day by its name, a number without needless places."""
    match value:
        case None:
            return "not known"
        case bool():
            return "yes" if value else "no"
        case float() if math.isfinite(value):
            return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else repr(value)
        case int() | Decimal():
            return text_of(value)
        case datetime():
            return f"{_day(value)}, {value:%H:%M}"
        case date():
            return _day(value)
        case time():
            return f"{value:%H:%M}"
        case Instance():
            return _named(value)
        case dict():
            return _several(f"{in_words(key)}: {in_words(part)}" for key, part in value.items())
        case set() | frozenset():
            return _several(in_words(one) for one in sorted(value, key=text_of))
        case list() | tuple():
            return _several(map(in_words, value))
    return text_of(value)[:LONGEST_PART]


def _day(value: date) -> str:
    return f"{value:%A}, {value:%B} {value.day}, {value.year}"


def _named(value: Instance) -> str:
    """A record by what it is called."""
    for name in ("name", "title", "text", "item", "destination", "id"):
        if isinstance(found := value.attributes.get(name), str) and found:
            return found[:LONGEST_PART]
    return value.name


def _several(parts: Iterable[str]) -> str:
    every = list(parts)
    more = len(every) - MOST_NAMED
    shown = ", ".join(every[:MOST_NAMED]) or "none"
    return f"{shown} and {more} more" if more > 0 else shown
