"""The reference tables, read once, validated, and cut to what a user project needs."""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory.library.uac.names import _uac_fold as fold
from memory.library.uac.names import normalise

TABLES = Path(__file__).resolve().parent / "tables"


class BadTable(ValueError):
    """A reference table cannot be used; the message names the file, the row and the fault."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Row(_Strict):
    id: Annotated[str, Field(pattern=r"^[a-z]+:[a-z0-9-]+$")]
    source: str


class _Named(_Row):
    names: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]


class _DrugRow(_Named):
    type: Literal["drug"]
    classes: list[str] = []
    general: str | None = None
    stands_for: str | None = None


class _ProductRow(_Named):
    type: Literal["product"]
    ingredients: Annotated[list[str], Field(min_length=2)]


class _ClassRow(_Named):
    type: Literal["class"]
    parent: str | None = None
    shared: bool = False


class _CrossRow(_Row):
    type: Literal["cross"]
    first: Annotated[list[str], Field(min_length=1)]
    first_class: str
    second: Annotated[list[str], Field(min_length=1)]
    second_class: str
    note: Annotated[str, Field(min_length=1)]


class _OtherRow(_Named):
    type: Literal["other"]


_AnyRow = Annotated[
    _DrugRow | _ProductRow | _ClassRow | _CrossRow | _OtherRow, Field(discriminator="type")
]


class _Source(_Strict):
    title: str
    reference: str


class _Table(_Strict):
    version: str
    date: date
    reviewer: str
    sources: dict[str, _Source]
    rows: list[_AnyRow]


@dataclass(frozen=True)
class ReferenceTables:
    """Every row of the tables by id, with what a page shows about where it comes from."""

    digest: str  # sha256 hex over the tables' names and bytes
    version: str
    date: date
    reviewer: str
    rows: Mapping[str, Mapping[str, Any]]
    _names: Mapping[str, frozenset[str]]  # id of a named row -> its names, normalised
    _words: Mapping[str, Sequence[tuple[str, frozenset[str]]]]
    """By one word of each name: the row's id and all the name's words."""

    def row(self, row_id: str) -> Mapping[str, Any] | None:
        """One row with its citation, or None."""
        return self.rows.get(row_id)

    def select(self, words: Iterable[str]) -> list[dict[str, Any]]:
        """The rows needed to resolve and compare these names, sorted by id, as plain data.

        Chosen generously: see `named_in` and `rows_about`.
        """
        return self.rows_about(self.named_in("\n".join(words)))

    def named_in(self, text: str) -> frozenset[str]:
        """The ids of the rows of which all the words of one name occur anywhere in a text."""
        present = _words_of(text)
        return frozenset(
            row_id
            for word in present
            for row_id, name in self._words.get(word, ())
            if name <= present
        )

    def rows_about(self, row_ids: Iterable[str]) -> list[dict[str, Any]]:
        """These rows and everything that they refer to or that compares them, sorted by id."""
        return [self._plain(row_id) for row_id in sorted(self._closure(set(row_ids)))]

    def select_all(self) -> list[dict[str, Any]]:
        """Every row as plain data, for tests and exports that name drugs of their own."""
        return [self._plain(row_id) for row_id in sorted(self.rows)]

    def _plain(self, row_id: str) -> dict[str, Any]:
        """A row as the sandbox gets it: without what only pages show, with its names normalised."""
        plain = {
            name: list(value) if isinstance(value, list) else value
            for name, value in self.rows[row_id].items()
            if name not in _FOR_PAGES
        }
        if row_id in self._names:
            # One name is enough to show; the others serve only to be found.
            plain |= {"names": plain["names"][:1], "keys": sorted(self._names[row_id])}
        return plain

    def _closure(self, found: set[str]) -> set[str]:
        reached: set[str] = set()
        waiting = set(found)
        while waiting:
            row_id = waiting.pop()
            reached.add(row_id)
            waiting.update(set(_references(self.rows[row_id])) - reached)
        crosses = {
            row_id
            for row_id, row in self.rows.items()
            if row["type"] == "cross" and not reached.isdisjoint(_references(row))
        }
        # A cross row shows the labels of its classes.
        labels = {self.rows[row_id][side] for row_id in crosses for side in _SIDES}
        return reached | crosses | labels


_WORD = re.compile(r"[^\W_]+")
_SIDES = ("first_class", "second_class")
_FOR_PAGES = frozenset({"source", "citation"})


def _words_of(text: str) -> frozenset[str]:
    """Every word of a text as `normalise` would fold it, and without any it would drop."""
    return frozenset(_WORD.findall(text.casefold() if text.isascii() else fold(text)))


def _references(row: Mapping[str, Any]) -> list[str]:
    """The ids of rows that a row mentions."""
    mentioned: list[str] = []
    for name in ("classes", "ingredients", "first", "second"):
        mentioned.extend(row.get(name, ()))
    for name in ("parent", "general", "stands_for", *_SIDES):
        if row.get(name):
            mentioned.append(row[name])
    return mentioned


def _faults(table: _Table) -> list[str]:
    """What pydantic cannot see: repeated ids and names, references to nothing."""
    faults: list[str] = []
    by_id: dict[str, str] = {}
    by_name: dict[str, str] = {}
    for row in table.rows:
        if row.id in by_id:
            faults.append(f"{row.id}: the id occurs twice")
        by_id[row.id] = row.type
        if not row.id.startswith(f"{row.type}:"):
            faults.append(f"{row.id}: the id of a {row.type} row begins with '{row.type}:'")
        if row.source not in table.sources:
            faults.append(f"{row.id}: source '{row.source}' is not under [sources]")
        for name in getattr(row, "names", []):
            owner = by_name.setdefault(normalise(name), row.id)
            if owner != row.id:
                faults.append(f"{row.id}: the name '{name}' already belongs to {owner}")
            if not normalise(name):
                faults.append(f"{row.id}: the name '{name}' has no letters")
    wanted = {
        "classes": "class", "parent": "class", "stands_for": "class", "first_class": "class",
        "second_class": "class", "ingredients": "drug", "first": "drug", "second": "drug",
        "general": "drug",
    }  # fmt: skip
    for row in table.rows:
        for field, kind in wanted.items():
            value = getattr(row, field, None) or []
            for target in [value] if isinstance(value, str) else value:
                if by_id.get(target) != kind:
                    faults.append(f"{row.id}: {field} names '{target}', which is no {kind} row")
    return faults


def _by_a_word(
    names: Mapping[str, Iterable[str]],
) -> Mapping[str, Sequence[tuple[str, frozenset[str]]]]:
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for row_id, keys in names.items():
        for name in keys:
            words = name.split()
            found.setdefault(max(words, key=len), []).append((row_id, frozenset(words)))
    return MappingProxyType(found)


def parse_table(text: str, file: str) -> _Table:
    """A validated table.

    Raises BadTable with one line for every fault.
    """
    try:
        table = _Table.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadTable(f"{file}: not TOML: {error}") from error
    except ValidationError as error:
        lines = [
            f"{file}: {'.'.join(str(step) for step in fault['loc'])}: {fault['msg']}"
            for fault in error.errors()
        ]
        raise BadTable("\n".join(lines)) from error
    faults = _faults(table)
    if faults:
        raise BadTable("\n".join(f"{file}: {fault}" for fault in faults))
    return table


def read_tables(folder: Path) -> ReferenceTables:
    """The tables of a folder, with the digest over their bytes.

    Raises BadTable when a file is missing or wrong.
    """
    path = folder / "drugs.toml"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadTable(f"{path.name}: cannot be read: {error.strerror}") from error
    table = parse_table(content.decode("utf-8"), path.name)
    rows: dict[str, Mapping[str, Any]] = {}
    names: dict[str, frozenset[str]] = {}
    for row in table.rows:
        source = table.sources[row.source]
        fields = row.model_dump(exclude_none=True, exclude_defaults=True) | {"type": row.type}
        fields["citation"] = f"{source.title} ({source.reference})"
        rows[row.id] = MappingProxyType(fields)
        plain = {normalise(name) for name in fields.get("names", ())}
        if plain:
            names[row.id] = frozenset(plain)
    return ReferenceTables(
        digest=hashlib.sha256(path.name.encode() + b"\0" + content).hexdigest(),
        version=table.version,
        date=table.date,
        reviewer=table.reviewer,
        rows=MappingProxyType(rows),
        _names=MappingProxyType(names),
        _words=_by_a_word(names),
    )


@cache
def load() -> ReferenceTables:
    """The application's own reference tables, read once a process."""
    return read_tables(TABLES)
