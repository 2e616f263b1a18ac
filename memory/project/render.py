"""Render records as Python: same records, same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from memory.project import schema
from memory.project.schema import Kind


def render_record(kind: Kind, record_id: str, data: Mapping[str, Any]) -> str:
    """One record as the constructor call of `state.py`, from the JSON form of its fields.

    Fields come in the schema's order; those that equal their default are left out.
    """
    arguments = [f"id={record_id!r}"]
    arguments += _arguments(kind.fields[1:], data)
    return f"{kind.name}({', '.join(arguments)})"


def _arguments(fields: Iterable[schema.Field], data: Mapping[str, Any]) -> list[str]:
    return [
        f"{field.name}={_literal(field.type, data[field.name])}"
        for field in fields
        if field.name in data and (field.required or data[field.name] != field.initial)
    ]


def _literal(type_: schema.Type, value: Any) -> str:
    match type_:
        case schema.Optional(item=item):
            return "None" if value is None else _literal(item, value)
        case schema.Listing(item=item):
            return f"[{', '.join(_literal(item, part) for part in value)}]"
        case schema.Mapping(item=item):
            pairs = (f"{name!r}: {_literal(item, part)}" for name, part in sorted(value.items()))
            return f"{{{', '.join(pairs)}}}"
        case schema.Nested(name=name, fields=fields):
            return f"{name}({', '.join(_arguments(fields, value))})"
        case schema.Scalar(name=name):
            return _scalar(name, value)
        case _:
            return repr(value)


def _scalar(name: str, value: Any) -> str:
    match name:
        case "date":
            day = date.fromisoformat(value)
            return f"date({day.year}, {day.month}, {day.day})"
        case "datetime":
            return _datetime(datetime.fromisoformat(value))
        case "time":
            moment = time.fromisoformat(value)
            return f"time({', '.join(str(part) for part in _clock(moment))})"
        case "Decimal":
            return f"Decimal({str(Decimal(value))!r})"
        case "float":
            return repr(float(value))
        case "PartialDate":
            return _partial(value)
        case "DateSpan":
            return _span(value)
        case _:
            return repr(value)


def _partial(value: str) -> str:
    return f"PartialDate({', '.join(str(int(part)) for part in value.split('-'))})"


def _span(value: Mapping[str, Any]) -> str:
    bounds = ["None" if value[name] is None else _partial(value[name]) for name in ("start", "end")]
    soft = ", approximate=True" if value["approximate"] else ""
    return f"DateSpan({', '.join(bounds)}{soft})"


def _clock(value: datetime | time) -> tuple[int, ...]:
    parts: tuple[int, ...] = (value.hour, value.minute, value.second, value.microsecond)
    while len(parts) > 2 and parts[-1] == 0:
        parts = parts[:-1]
    return parts


def _datetime(value: datetime) -> str:
    parts = (value.year, value.month, value.day, *_clock(value))
    text = ", ".join(str(part) for part in parts)
    offset = value.utcoffset()
    if offset is None:
        return f"datetime({text})"
    return f"datetime({text}, tzinfo=timezone(timedelta(seconds={int(offset.total_seconds())})))"


def render_collection(collection: str, sources: Iterable[str]) -> str:
    """One assignment of `state.py` from the rendered records, already in order of their ids."""
    lines = "".join(f"    {source},\n" for source in sources)
    return f"{collection} = [\n{lines}]\n" if lines else f"{collection} = []\n"


def render_singleton(name: str, sources: Sequence[str]) -> str:
    """The assignment of `state.py` for a kind of which there is one record or none."""
    return f"{name} = {sources[0] if sources else None}\n"


def render_assignment(kind: Kind, sources: Sequence[str]) -> str:
    """The assignment of `state.py` for a kind's records, already in order of their ids."""
    if kind.singleton:
        return render_singleton(kind.collection, sources)
    return render_collection(kind.collection, sources)
