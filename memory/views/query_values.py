"""The value of a query as a page shows it: large where it is one thing, else a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any, Literal

from memory.project.kinds import Kind
from memory.querying.values import text_of, type_of
from memory.sandbox import Instance
from memory.views.values import cut

ROWS, COLUMNS = 200, 40
CELL, SCALAR, LARGE = 300, 20_000, 60
Look = Literal["number", "text", "time", "truth", "nothing", "more"]


@dataclass(frozen=True)
class Cell:
    """A value in a table, and the class by which it is coloured."""

    text: str
    look: Look


@dataclass(frozen=True)
class Shown:
    """A value ready for the page.

    A table has `columns` and `rows`, of `total` in all; anything else is `single`, `large` where
    it is short.
    """

    type: str
    single: Cell | None = None
    large: bool = False
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    total: int = 0
    words: str = ""
    numeric: frozenset[int] = field(default_factory=frozenset)
    """The columns of numbers alone, from 0; they stand to the right."""


def shown(value: Any, kinds: Mapping[str, Kind]) -> Shown:
    """The value as the page shows it."""
    type_ = type_of(value, kinds)
    match value:
        case dict() if value:
            return _of_dict(value, type_)
        case list() | tuple() | set() | frozenset() if value:
            items = value if isinstance(value, list | tuple) else sorted(value, key=text_of)
            return _of_items(list(items), type_)
        case Instance():
            pairs = [(Cell(name, "text"), cell_of(part)) for name, part in value.attributes.items()]
            return _table(type_, ("Field", "Value"), pairs, len(pairs), "")
    cell = cell_of(value, SCALAR)
    return Shown(type_, single=cell, large=len(cell.text) <= LARGE and "\n" not in cell.text)


def _of_dict(value: Mapping[Any, Any], type_: str) -> Shown:
    parts = list(value.items())
    names = _names([part for _, part in parts[:ROWS]])
    if names is None:
        rows = [(cell_of(key), cell_of(part)) for key, part in parts[:ROWS]]
        return _table(type_, ("Key", "Value"), rows, len(parts), "keys")
    rows_ = [(cell_of(key), *_cells(part, names)) for key, part in parts[:ROWS]]
    return _table(type_, ("Key", *names), rows_, len(parts), "keys")


def _of_items(items: Sequence[Any], type_: str) -> Shown:
    names = _names(items[:ROWS])
    if names is None:
        numbered = [(Cell(str(n), "number"), cell_of(one)) for n, one in enumerate(items[:ROWS])]
        return _table(type_, ("#", "Value"), numbered, len(items), "items")
    rows = [_cells(item, names) for item in items[:ROWS]]
    words = "records" if isinstance(items[0], Instance) else "items"
    return _table(type_, names, rows, len(items), words)


def _names(items: Sequence[Any]) -> tuple[str, ...] | None:
    """The columns where every item is an object of one class, a dict of text, or a tuple."""
    first = items[0]
    if isinstance(first, Instance) and all(
        isinstance(one, Instance) and one.name == first.name for one in items
    ):
        return tuple(first.attributes)[:COLUMNS]
    if all(isinstance(one, dict) and all(isinstance(key, str) for key in one) for one in items):
        names = dict.fromkeys(name for one in items for name in one)
        return tuple(names)[:COLUMNS] or None
    if all(isinstance(one, tuple | list) and len(one) == len(first) for one in items):
        return tuple(str(number) for number in range(len(first)))[:COLUMNS] or None
    return None


def _cells(item: Any, names: Iterable[str]) -> tuple[Cell, ...]:
    match item:
        case Instance():
            return tuple(cell_of(item.attributes.get(name)) for name in names)
        case dict():
            return tuple(
                cell_of(item[name]) if name in item else Cell("", "more") for name in names
            )
    return tuple(cell_of(item[int(name)]) for name in names)


def _table(
    type_: str, columns: Sequence[str], rows: Iterable[tuple[Cell, ...]], total: int, words: str
) -> Shown:
    every = tuple(rows)
    numeric = {
        place
        for place in range(len(columns))
        if {row[place].look for row in every} - {"nothing"} == {"number"}
    }
    return Shown(
        type_,
        columns=tuple(columns),
        rows=every,
        total=total,
        words=words,
        numeric=frozenset(numeric),
    )


def cell_of(value: Any, limit: int = CELL) -> Cell:
    """A value in a cell; what is nested stands there in short."""
    match value:
        case None:
            return Cell("None", "nothing")
        case bool():
            return Cell(str(value), "truth")
        case int() | float() | Decimal():
            return Cell(cut(text_of(value), limit), "number")
        case date() | time() | timedelta():
            return Cell(text_of(value), "time")
        case str():
            return Cell(cut(value, limit), "text") if value else Cell("empty text", "nothing")
        case list() | set() | frozenset() | tuple() | dict() if not value:
            return Cell("empty", "nothing")
        case list() | set() | frozenset() | tuple():
            return Cell(cut(_in_short(value), limit), "more")
        case dict():
            pairs = (f"{text_of(key)}: {cell_of(part, 80).text}" for key, part in value.items())
            return Cell(cut("; ".join(_some(pairs)), limit), "more")
        case Instance():
            fields = (f"{name} {cell_of(one, 80).text}" for name, one in value.attributes.items())
            return Cell(cut(f"{value.name}: {', '.join(_some(fields))}", limit), "more")
    return Cell(cut(text_of(value), limit), "text")


def _in_short(values: Iterable[Any]) -> str:
    return ", ".join(_some(_one(item) for item in values))


def _one(item: Any) -> str:
    return text_of(item) if isinstance(item, Instance) else cell_of(item, 80).text


def _some(texts: Iterable[str], most: int = 20) -> list[str]:
    found: list[str] = []
    for number, text in enumerate(texts):
        if number == most:
            return [*found, "…"]
        found.append(text)
    return found
