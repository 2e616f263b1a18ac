"""Example queries over the collections that a person has, for whoever has never written one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from memory.project import schema
from memory.project.inferred import annotation
from memory.project.kinds import Field, Kind, Reference

MOST, OF_A_SORT = 8, 2
NUMBERS = ("int", "float", "Decimal")


@dataclass(frozen=True)
class Example:
    """A query and what it answers, in words; `sort` tells apart what it shows how to do."""

    sort: str
    code: str
    words: str


@dataclass(frozen=True)
class Collection:
    """A collection by its name, with its kind, its fields as written, and how much is in it."""

    name: str
    kind: Kind
    count: int
    fields: tuple[tuple[str, str], ...]


def collections_of(kinds: Iterable[Kind], counts: Mapping[str, int]) -> list[Collection]:
    """Every collection, those with most records first."""
    found = [
        Collection(
            kind.collection,
            kind,
            counts.get(kind.full_name, 0),
            tuple((field.name, written(field.type)) for field in kind.fields),
        )
        for kind in kinds
    ]
    return sorted(found, key=lambda one: (-one.count, one.name))


def written(type_: schema.Type) -> str:
    """A type as a schema has it."""
    match type_:
        case Reference(kind=kind):
            return f"Ref[{kind}]"
        case schema.Optional(item=item):
            return f"{written(item)} | None"
        case schema.Listing(item=item):
            return f"list[{written(item)}]"
        case schema.Mapping(item=item):
            return f"dict[str, {written(item)}]"
    return annotation(type_)


def examples_of(collections: Iterable[Collection]) -> list[Example]:
    """A few queries over what is there, at most two of a sort, from the fullest collections."""
    found: list[Example] = []
    sorts: Counter[str] = Counter()
    for collection in collections:
        for example in _of(collection) if collection.count else ():
            sorts[example.sort] += 1
            if sorts[example.sort] <= OF_A_SORT:
                found.append(example)
    return found[:MOST]


def _of(collection: Collection) -> Iterator[Example]:
    name, kind = collection.name, collection.kind
    item = kind.name[0].lower()
    words = name.replace("_", " ")
    if kind.singleton:
        yield Example("one", name, f"the {words}")
        return
    yield Example("count", f"len({name})", f"how many {words} there are")
    choice = _first(kind, lambda type_: isinstance(type_, schema.Choice))
    if choice:
        code = f"count_by({name}, lambda {item}: {item}.{choice.name})"
        yield Example("groups", code, f"{words} by {choice.name.replace('_', ' ')}")
    day = _first(kind, lambda type_: type_ == schema.Scalar("date"))
    number = _first(kind, lambda type_: isinstance(type_, schema.Scalar) and type_.name in NUMBERS)
    if day:
        some = f"[{item} for {item} in {name} if {item}.{day.name}]"
        dated = some if isinstance(day.type, schema.Optional) else name
        yield Example(
            "months",
            f"count_by({dated}, lambda {item}: month_key({item}.{day.name}))",
            f"{words} by month",
        )
        yield Example(
            "latest",
            f"sorted({dated}, key=lambda {item}: {item}.{day.name})[-5:]",
            f"the latest {words}",
        )
    if number and not isinstance(number.type, schema.Optional):
        yield Example(
            "mean",
            f"mean({item}.{number.name} for {item} in {name})",
            f"the mean {number.name.replace('_', ' ')}",
        )


def _first(kind: Kind, fits: Callable[[schema.Type], bool]) -> Field | None:
    for field in kind.fields[1:]:
        inner = field.type.item if isinstance(field.type, schema.Optional) else field.type
        if fits(inner):
            return field
    return None
