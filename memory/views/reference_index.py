"""The reference tables as something to browse: searched by name, class, ingredient and id."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from memory.library.reference import ReferenceTables, load
from memory.library.table_rows import Table
from memory.library.uac.names import _uac_fold as fold
from memory.library.uac.names import normalise
from memory.views.reference_words import label_of, title_of

Row = Mapping[str, Any]
EXACT, BEGINS, WORD, WITHIN, ID, AROUND = range(6)
# The fields in which a row names others
MENTIONS = (
    *("classes", "ingredients", "members", "first", "second", "parent", "general", "stands_for"),
    *("first_class", "second_class"),
)
UNREVIEWED = "none"


@dataclass(frozen=True)
class Entry:
    """A row as it is searched: its names folded, and the names of what it belongs to."""

    row: Row
    title: str
    names: tuple[str, ...]
    around: str

    def rank(self, sought: str) -> int | None:
        """How well the row answers what is sought, the lowest best; None where it does not."""
        if sought in self.names:
            return EXACT
        if any(name.startswith(sought) for name in self.names):
            return BEGINS
        if any(f" {sought}" in name for name in self.names):
            return WORD
        if any(sought in name for name in self.names):
            return WITHIN
        if sought in self.row["id"]:
            return ID
        return AROUND if sought in self.around else None


@dataclass(frozen=True)
class TableFile:
    """A file of the tables: how many rows it holds, and what it says of itself."""

    name: str
    table: Table
    rows: int

    @property
    def reviewed(self) -> bool:
        """Whether somebody has looked at it who may judge it."""
        return is_reviewed(self.table.reviewer)

    def days(self, today: date) -> int:
        """How old it is."""
        return (today - self.table.date).days


@dataclass(frozen=True)
class Index:
    """Every row in order of its title, the rows that mention each, and the files."""

    entries: tuple[Entry, ...]
    mentioned_by: Mapping[str, Sequence[str]]
    files: tuple[TableFile, ...]
    types: Mapping[str, int]
    digest: str

    def search(
        self, sought: str = "", *, type_: str = "", file: str = "", within: str = ""
    ) -> list[Row]:
        """The rows that answer, best first; `within` names a row that they must mention."""
        words = {plain for plain in (fold(sought), normalise(sought)) if plain}
        allowed = set(self.mentioned_by.get(within, ())) if within else None
        found = []
        for place, entry in enumerate(self.entries):
            row = entry.row
            if (type_ and row["type"] != type_) or (file and row["file"] != file):
                continue
            if allowed is not None and row["id"] not in allowed:
                continue
            rank = _best(entry, words) if words else EXACT
            if rank is not None:
                found.append((rank, place, row))
        return [row for _, _, row in sorted(found, key=lambda one: one[:2])]

    def through_groups(self, row_id: str) -> list[str]:
        """The pairs and cautions that name a row by its classes or a group that it belongs to."""
        rows = load().rows
        near = {row_id, *rows[row_id].get("classes", ())}
        named = {one for part in near for one in self.mentioned_by.get(part, ())}
        above = {one for one in named if rows[one]["type"] == "group"} | (near - {row_id})
        found = {one for part in above for one in self.mentioned_by.get(part, ())}
        direct = set(self.mentioned_by.get(row_id, ()))
        return sorted(one for one in found - direct if rows[one]["type"] in ("pair", "caution"))


def index() -> Index:
    """The index of the tables at hand."""
    tables = load()
    return _index(tables.digest)


@lru_cache(maxsize=2)
def _index(digest: str) -> Index:
    tables = load()
    rows = [one for one in map(tables.row, tables.rows) if one is not None]
    entries = sorted(map(_entry, rows), key=_in_order)
    mentioned: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        for row_id in mentions(entry.row):
            mentioned[row_id].append(entry.row["id"])
    types = Counter(str(row["type"]) for row in rows)
    return Index(tuple(entries), mentioned, _files(tables, rows), types, digest)


def _in_order(entry: Entry) -> tuple[bool, str, str]:
    """By the alphabet; names that begin with a number come last."""
    return (not entry.title[:1].isalpha(), entry.title.casefold(), entry.row["id"])


def mentions(row: Row) -> list[str]:
    """The ids of the rows that a row names, each once."""
    named: list[str] = []
    for field in MENTIONS:
        value = row.get(field) or []
        named.extend([value] if isinstance(value, str) else value)
    return list(dict.fromkeys(named))


def is_reviewed(reviewer: str) -> bool:
    """Whether this names somebody, and does not say that nobody has looked yet."""
    return not reviewer.casefold().startswith(UNREVIEWED)


def _best(entry: Entry, words: set[str]) -> int | None:
    ranks = [rank for rank in map(entry.rank, words) if rank is not None]
    return min(ranks) if ranks else None


def _entry(row: Row) -> Entry:
    title = title_of(row)
    names = tuple(fold(name) for name in [title, *row.get("names", ())])
    around = " | ".join(fold(label_of(one)) for one in mentions(row))
    return Entry(row, title, tuple(dict.fromkeys(names)), around)


def _files(tables: ReferenceTables, rows: Iterable[Row]) -> tuple[TableFile, ...]:
    counts = Counter(row["file"] for row in rows)
    return tuple(TableFile(name, one, counts[name]) for name, one in sorted(tables.files.items()))
