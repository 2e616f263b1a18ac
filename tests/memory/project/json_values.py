"""Payloads of any kind, made up by hypothesis from its schema."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from memory.project import schema
from memory.project.schema import Field, Kind, Type
from tests.memory.project.things import TEXT

OFFSETS = st.sampled_from(["", "Z", "+05:30", "-09:30", "+00:00", "+14:00", "-00:01"])
DAYS = st.dates().map(str)
PARTIAL = st.one_of(DAYS, DAYS.map(lambda day: day[:7]), DAYS.map(lambda day: day[:4]))
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "str": TEXT,
    "int": st.integers(-(10**40), 10**40),
    "bool": st.booleans(),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "date": DAYS,
    "datetime": st.builds(lambda at, offset: at.isoformat() + offset, st.datetimes(), OFFSETS),
    "time": st.times().map(str),
    "Decimal": st.decimals(-(10**15), 10**15, places=4).map(str),
    "PartialDate": PARTIAL,
    "DateSpan": st.builds(
        lambda first, second, soft: {
            "start": first and min(first, second or first),
            "end": second and max(first or second, second),
            "approximate": soft,
        },
        st.none() | DAYS,
        st.none() | DAYS,
        st.booleans(),
    ),
}


def values(type_: Type) -> st.SearchStrategy[Any]:
    """JSON values that fit a type."""
    match type_:
        case schema.Scalar(name=name):
            return SCALARS[name]
        case schema.Choice(values=choices):
            return st.sampled_from(choices)
        case schema.Optional(item=item):
            return st.none() | values(item)
        case schema.Listing(item=item):
            return st.lists(values(item), max_size=3)
        case schema.Mapping(item=item):
            return st.dictionaries(TEXT, values(item), max_size=3)
        case schema.Nested(fields=fields):
            return objects(fields)
    return TEXT  # a reference


def objects(fields: tuple[Field, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects with the fields; those that have a default may be missing."""
    required = {field.name: values(field.type) for field in fields if field.required}
    optional = {field.name: values(field.type) for field in fields if not field.required}
    return st.fixed_dictionaries(required, optional=optional)


def payloads(kind: Kind) -> st.SearchStrategy[dict[str, Any]]:
    """The data of an assertion."""
    return objects(kind.fields[1:])
