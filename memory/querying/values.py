"""The value of a query as JSON that a reader understands, and its type in words.

What JSON has stands for itself. The type tells apart what looks the same there: `date` and text,
`Decimal` and text, a tuple and a list.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from memory.project.kinds import Kind
from memory.sandbox import Instance

SHOWN_TYPES = 4
DEEPEST = 4


def as_json(value: Any, kinds: Mapping[str, Kind]) -> Any:
    """The JSON form; `kinds` names the kind of each class.

    Dates, times and Decimals are text, sets are sorted lists, a record is `{"kind", "id", "data"}`,
    any other object `{"class", "data"}`. A dict whose keys would not differ as text is a list of
    `[key, value]`.
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else text_of(value)
        case list() | tuple():
            return [as_json(item, kinds) for item in value]
        case set() | frozenset():
            return [as_json(item, kinds) for item in sorted(value, key=_order)]
        case dict():
            return _object(value, kinds)
        case Instance():
            return _instance(value, kinds)
    return text_of(value)


def _order(value: Any) -> tuple[str, Any]:
    """Numbers by size, all else by its text; of NaN there is no size."""
    if isinstance(value, int | float | Decimal) and not _is_nan(value):
        return ("number", value)
    return (type(value).__name__, text_of(value))


def _is_nan(value: float | Decimal) -> bool:
    return value.is_nan() if isinstance(value, Decimal) else math.isnan(value)


def _object(value: Mapping[Any, Any], kinds: Mapping[str, Kind]) -> Any:
    keys = [text_of(key) for key in value]
    if len(set(keys)) < len(keys):
        return [[as_json(key, kinds), as_json(item, kinds)] for key, item in value.items()]
    return {key: as_json(item, kinds) for key, item in zip(keys, value.values(), strict=True)}


def _instance(value: Instance, kinds: Mapping[str, Kind]) -> dict[str, Any]:
    data = {name: as_json(item, kinds) for name, item in value.attributes.items()}
    kind = kinds.get(value.name)
    if kind is None:
        return {"class": value.name, "data": data}
    return {"kind": kind.full_name, "id": data.pop("id", None), "data": data}


def text_of(value: Any) -> str:
    """A value as text: dates and times in ISO 8601, durations as `P3DT4H`, a tuple by its parts."""
    match value:
        case str():
            return value
        case date() | time():
            return value.isoformat()
        case timedelta():
            return _duration(value)
        case bytes():
            return value.hex()
        case float() if math.isnan(value):
            return "NaN"
        case float() if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        case tuple() | frozenset() | list() | set():
            return ", ".join(text_of(item) for item in value)
        case Instance():
            return f"{value.name} {text_of(value.attributes.get('id', ''))}".rstrip()
    return str(value)


def _duration(value: timedelta) -> str:
    if value < timedelta(0):
        return f"-{_duration(-value)}"
    hours, rest = divmod(value.seconds, 3_600)
    minutes, seconds = divmod(rest, 60)
    fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
    clock = "".join(
        f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number
    ) + (f"{seconds}{fraction}S" if seconds or fraction else "")
    days = f"{value.days}D" if value.days else ""
    return f"P{days}{'T' + clock if clock else ''}" if days or clock else "PT0S"


def type_of(value: Any, kinds: Mapping[str, Kind], depth: int = DEEPEST) -> str:
    """The type in words: `int`, `list[travel.Trip]`, `dict[str, Decimal]`, `list[int | str]`."""
    match value:
        case None:
            return "None"
        case Instance():
            kind = kinds.get(value.name)
            return kind.full_name if kind else value.name
        case datetime():
            return "datetime"
        case tuple() if depth and 0 < len(value) <= SHOWN_TYPES:
            return f"tuple[{', '.join(type_of(item, kinds, depth - 1) for item in value)}]"
        case list() | set() | frozenset() | tuple() if depth and value:
            return f"{type(value).__name__}[{_types(value, kinds, depth - 1)}]"
        case dict() if depth and value:
            keys, values = _types(value, kinds, depth - 1), _types(value.values(), kinds, depth - 1)
            return f"dict[{keys}, {values}]"
    return type(value).__name__


def _types(values: Iterable[Any], kinds: Mapping[str, Kind], depth: int) -> str:
    found = list(dict.fromkeys(type_of(item, kinds, depth) for item in values))
    return " | ".join(found[:SHOWN_TYPES]) + (" | …" if len(found) > SHOWN_TYPES else "")
