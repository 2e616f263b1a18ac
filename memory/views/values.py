"""The words in which pages show typed values; nothing is left blank."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from memory.project import schema
from memory.project.schema import Field, Kind

LONGEST = 300


def day_words(day: date) -> str:
    """`21 Nov 2026`."""
    return f"{day.day} {day:%b} {day.year:04d}"


def cut(text: str, limit: int = LONGEST) -> str:
    """The text with an ellipsis where it is longer than the limit."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def value_of(field: Field, data: Mapping[str, Any]) -> Any:
    """What a record's data says of a field; its default where it says nothing."""
    return data.get(field.name, None if field.required else field.initial)


def words_for(type_: schema.Type, value: Any) -> str:
    """A value of the JSON form in words; empty where nothing is known."""
    if value is None or value == "":
        return ""
    match type_:
        case schema.Optional(item=item):
            return words_for(item, value)
        case schema.Listing(item=item):
            return cut(", ".join(words_for(item, part) for part in value))
        case schema.Mapping(item=item):
            pairs = (f"{name}: {words_for(item, part)}" for name, part in value.items())
            return cut("; ".join(pairs))
        case schema.Nested(fields=fields):
            named = ((one, value_of(one, value)) for one in fields)
            return cut(
                ", ".join(f"{label(one)} {words_for(one.type, part)}" for one, part in named)
            )
        case schema.Scalar(name=name):
            return _scalar(name, value)
    return cut(str(value))


def _scalar(name: str, value: Any) -> str:
    if name == "bool":
        return "yes" if value else "no"
    if name == "date":
        return day_words(date.fromisoformat(value))
    if name == "datetime":
        moment = datetime.fromisoformat(value)
        return f"{day_words(moment.date())}, {moment:%H:%M}"
    return cut(str(value))


def label(field: Field) -> str:
    """`started_on` as `started`: the type already says that it is a day."""
    return field.name.removesuffix("_on").replace("_", " ")


def describe(kind: Kind, data: Mapping[str, Any]) -> str:
    """A record in a line: `Allergy: penicillin, reaction hives, severity moderate`."""
    known = [(field, words_for(field.type, value_of(field, data))) for field in kind.fields[1:]]
    parts = [
        words if field.name in kind.key[:1] or field.name == "text" else f"{label(field)} {words}"
        for field, words in known
        if words
    ]
    return f"{kind.name}: {', '.join(parts)}"
