"""What a schema took and a later one does not: kinds, fields, values, defaults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Narrowing:
    """One thing that is less than before, such as `Trip.title` that `is gone`.

    `line` is that of its class in the later schema, None where the class is gone; `lost` names the
    values that a type does not take any more, as far as they can be named.
    """

    line: int | None
    what: str
    fault: str
    remedy: str
    lost: str = ""


def narrowed(before: Domain, after: Domain) -> Iterator[Narrowing]:
    """What the later schema has no more, or has narrower."""
    later = {kind.name: kind for kind in after.kinds}
    for kind in before.kinds:
        other = later.get(kind.name)
        if other is None:
            yield Narrowing(None, f"the kind {kind.name}", "is gone", "keep it as it was")
            continue
        line = after.lines[kind.name]
        if _mark(kind) != _mark(other):
            yield Narrowing(line, f"@kind of {kind.name}", "is another", "keep it as it was")
        else:
            yield from _fields(line, kind.name, kind.fields, other.fields)


def _mark(kind: Kind) -> tuple[str, tuple[str, ...], bool]:
    return kind.collection, kind.key, kind.singleton


def _fields(
    line: int, name: str, before: Sequence[Field], after: Sequence[Field]
) -> Iterator[Narrowing]:
    later = {field.name: field for field in after}
    for field in before:
        other = later.pop(field.name, None)
        what = f"{name}.{field.name}"
        if other is None:
            yield Narrowing(line, what, "is gone", "keep it as it was")
        elif not _takes(field.type, other.type):
            lost = _lost(field.type, other.type)
            yield Narrowing(line, what, "takes less than before", "keep its type", lost)
        elif not field.required and (other.required or field.initial != other.initial):
            yield Narrowing(line, what, "has another default", "keep the one it had")
    for new, field in later.items():
        if field.required:
            fault = "is new and needs a default"
            yield Narrowing(line, f"{name}.{new}", fault, "write one, such as `| None = None`")


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
            return before.name == after.name and not any(
                _fields(0, "", before.fields, after.fields)
            )
    return before == after


def _lost(before: Type, after: Type) -> str:
    match before, after:
        case Optional(one), Optional(other):
            return _lost(one, other)
        case Optional(one), _:
            return ", ".join(filter(None, ("None", _lost(one, after))))
        case Choice(one), Choice(other):
            return ", ".join(repr(value) for value in one if value not in other)
        case (Listing(one), Listing(other)) | (Mapping(one), Mapping(other)):
            return _lost(one, other)
    return ""
