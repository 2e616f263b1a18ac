"""The references that a payload makes to other records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memory.project import schema

Path = tuple[str | int, ...]
Made = tuple[str, str, Path]
"""Class of the kind referred to, id of the record, path to the field that says so."""


def references_in(fields: Iterable[schema.Field], data: Mapping[str, Any]) -> tuple[Made, ...]:
    """Every reference in checked data, in order of the schema's fields."""
    return tuple(_in_fields(fields, data, ("data",)))


def _in_fields(
    fields: Iterable[schema.Field], data: Mapping[str, Any], path: Path
) -> Iterator[Made]:
    for field in fields:
        if field.name in data:
            yield from _in_value(field.type, data[field.name], (*path, field.name))


def _in_value(type_: schema.Type, value: Any, path: Path) -> Iterator[Made]:
    match type_:
        case schema.Reference(kind=kind):
            yield kind, value, path
        case schema.Optional(item=item):
            if value is not None:
                yield from _in_value(item, value, path)
        case schema.Listing(item=item):
            for index, part in enumerate(value):
                yield from _in_value(item, part, (*path, index))
        case schema.Mapping(item=item):
            for name, part in value.items():
                yield from _in_value(item, part, (*path, name))
        case schema.Nested(fields=fields):
            yield from _in_fields(fields, value, path)
