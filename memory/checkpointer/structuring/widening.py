"""Whether a schema takes all that an earlier one took, as everybody's schema must. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory.project.kinds import (
    Choice,
    Domain,
    Field,
    Kind,
    Listing,
    Mapping,
    Nested,
    Optional,
    Scalar,
    Type,
)


def narrowed(before: Domain, after: Domain) -> Iterator[str]:
    """What the later schema has no more, or has narrower: a line for each kind or field."""
    later = {kind.name: kind for kind in after.kinds}
    for kind in before.kinds:
        other = later.get(kind.name)
        if other is None:
            yield f"{after.path}: the kind {kind.name} is gone; keep it as it was"
        elif _mark(kind) != _mark(other):
            line = after.lines[kind.name]
            yield f"{after.path}:{line}: @kind of {kind.name} is another; keep it as it was"
        else:
            where = f"{after.path}:{after.lines[kind.name]}: {kind.name}"
            yield from _fields(where, kind.fields, other.fields)


def _mark(kind: Kind) -> tuple[str, tuple[str, ...], bool]:
    return kind.collection, kind.key, kind.singleton


def _fields(where: str, before: Sequence[Field], after: Sequence[Field]) -> Iterator[str]:
    later = {field.name: field for field in after}
    for field in before:
        other = later.pop(field.name, None)
        if other is None:
            yield f"{where}.{field.name} is gone; keep it as it was"
        elif not _takes(field.type, other.type):
            yield f"{where}.{field.name} takes less than before; keep its type"
        elif not field.required and (other.required or field.initial != other.initial):
            yield f"{where}.{field.name} has another default; keep the one it had"
    for name, field in later.items():
        if field.required:
            yield f"{where}.{name} is new and needs a default, such as `| None = None`"


def _takes(before: Type, after: Type) -> bool:
    """Whether every value of one type is one of the other, in the same JSON form."""
    match before, after:
        case Optional(one), Optional(other):
            return _takes(one, other)
        case _, Optional(other):
            return _takes(before, other)
        case Choice(one), Choice(other):
            return set(one) <= set(other)
        case Choice(one), Scalar("str"):
            return all(isinstance(value, str) for value in one)
        case (Listing(one), Listing(other)) | (Mapping(one), Mapping(other)):
            return _takes(one, other)
        case Nested(), Nested():
            return before.name == after.name and not any(_fields("", before.fields, after.fields))
    return before == after
