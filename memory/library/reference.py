"""The reference tables, read once, validated, and cut to what a user project needs."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from memory.library.built_rows import parse_built
from memory.library.table_faults import faults_between, listed
from memory.library.table_rows import BadTable, Rows, Table, parse_table
from memory.library.uac.names import _uac_fold as fold
from memory.library.uac.names import normalise

TABLES = Path(__file__).resolve().parent / "tables"
NEVER_NAMED = frozenset({"group", "cross", "pair", "caution"})  # rows that no name leads to
_WORD = re.compile(r"[^\W_]+")
_FOR_PAGES = frozenset({"source", "key", "date", "reviewer"})
_ABOVE = ("classes", "ingredients", "parent", "general", "stands_for")
_CROSS_SIDES = ("first", "second", "first_class", "second_class")

Names = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class ReferenceTables:
    """Every row of the tables by id, with what a page shows about where it comes from."""

    digest: str  # sha256 hex over the files' names and bytes
    files: Mapping[str, Table]  # by the file's name
    rows: Mapping[str, Mapping[str, Any]]
    _file_of: Mapping[str, str]  # id of a row -> its file's name
    _keys: Names  # id of a row that names lead to -> its names, normalised
    _words: Mapping[str, Sequence[tuple[str, frozenset[str]]]]
    """By one word of each name: the row's id and all the name's words."""
    _holders: Names  # id of a row -> the crosses, groups, cautions and pairs that name it

    def row(self, row_id: str) -> Mapping[str, Any] | None:
        """One row with where it comes from, or None.

        Beside the row's own fields: `citation`, `version` (of the source, or of the table where the
        source has none), `date`, `reviewer` and `file`.
        """
        row = self.rows.get(row_id)
        if row is None:
            return None
        file = self._file_of[row_id]
        table = self.files[file]
        source = table.sources[row["source"]]
        origin = {
            "citation": f"{source.title} ({source.reference})",
            "version": source.version or table.version,
            "date": table.date,
            "reviewer": table.reviewer,
            "file": file,
        }
        return MappingProxyType({**origin, **row})

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
        """These rows and everything that they refer to or that compares them, sorted by id.

        Of the pairs only those of which both sides are among them, and of a group's or caution's
        members only those that are: what is not named cannot interact.
        """
        reached = self._closure(set(row_ids))
        return [self._plain(row_id, reached) for row_id in sorted(reached)]

    def select_all(self) -> list[dict[str, Any]]:
        """Every row as plain data, for tests and exports that name drugs of their own."""
        return self.rows_about(self.rows)

    def _plain(self, row_id: str, reached: set[str]) -> dict[str, Any]:
        """A row as the sandbox gets it: without what only pages show, with its names normalised."""
        plain = {
            name: list(value) if isinstance(value, list) else value
            for name, value in self.rows[row_id].items()
            if name not in _FOR_PAGES
        }
        if "names" in plain:
            # One name is enough to show; the others serve only to be found.
            plain["names"] = plain["names"][:1]
        if row_id in self._keys:
            plain["keys"] = list(self._keys[row_id])
        if "members" in plain:
            plain["members"] = [member for member in plain["members"] if member in reached]
        return plain

    def _closure(self, found: set[str]) -> set[str]:
        reached: set[str] = set()
        waiting = {row_id for row_id in found if row_id in self.rows}
        while waiting:
            row_id = waiting.pop()
            reached.add(row_id)
            waiting.update(set(_named_by(self.rows[row_id], _ABOVE)) - reached)
        # A group may be a caution's member or a side of a pair, so groups come first.
        reached |= self._holding(reached, "group")
        reached |= self._holding(reached, "caution")
        crosses = self._holding(reached, "cross")
        pairs = {
            row_id
            for row_id in self._holding(reached, "pair")
            if self.rows[row_id]["first"] in reached and self.rows[row_id]["second"] in reached
        }
        # A cross row shows the labels of its classes.
        labels = {self.rows[row_id][side] for row_id in crosses for side in _CROSS_SIDES[2:]}
        return reached | crosses | pairs | labels

    def _holding(self, reached: set[str], kind: str) -> set[str]:
        """The ids of the rows of one type that name one of these."""
        return {
            holder
            for row_id in reached
            for holder in self._holders.get(row_id, ())
            if self.rows[holder]["type"] == kind
        }


def _words_of(text: str) -> frozenset[str]:
    """Every word of a text as `normalise` would fold it, and without any it would drop."""
    return frozenset(_WORD.findall(text.casefold() if text.isascii() else fold(text)))


def _named_by(row: Mapping[str, Any], fields: Iterable[str]) -> list[str]:
    """The ids that these fields of a row hold."""
    return [row_id for field in fields for row_id in listed(row.get(field))]


def _keys_of(rows: Rows) -> dict[str, list[str]]:
    return {
        row["id"]: sorted({normalise(name) for name in row["names"]})
        for row in rows
        if row["type"] not in NEVER_NAMED
    }


def _by_a_word(names: Names) -> Mapping[str, Sequence[tuple[str, frozenset[str]]]]:
    found: dict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for row_id, keys in names.items():
        for name in keys:
            words = name.split()
            longest = max(words, key=len) if len(words) > 1 else name
            found[longest].append((row_id, frozenset(words)))
    return MappingProxyType(dict(found))


def _holders(rows: Rows) -> Names:
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["type"] in NEVER_NAMED:
            for row_id in {*_named_by(row, _CROSS_SIDES), *listed(row.get("members"))}:
                found[row_id].append(row["id"])
    return MappingProxyType(dict(found))


def _read(path: Path) -> tuple[bytes, Table, Rows]:
    try:
        content = path.read_bytes()
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadTable(f"{path.name}: cannot be read: {error}") from error
    table, rows = parse_built(text) or parse_table(text, path.name)
    unknown = [row for row in rows if row["source"] not in table.sources]
    if unknown:
        lines = [f"{row['id']}: source '{row['source']}' is not under [sources]" for row in unknown]
        raise BadTable("\n".join(f"{path.name}: {line}" for line in lines))
    return content, table, rows


def read_tables(folder: Path) -> ReferenceTables:
    """The tables of a folder, every `*.toml` in the order of the names, as one.

    Raises BadTable when there is none or one is wrong, with one line for every fault.
    """
    paths = sorted(folder.glob("*.toml"), key=lambda path: path.name)
    if not paths:
        raise BadTable(f"{folder.name}: holds no table")
    total = hashlib.sha256()
    files: dict[str, Table] = {}
    file_of: dict[str, str] = {}
    rows: Rows = []
    for path in paths:
        content, files[path.name], more = _read(path)
        total.update(path.name.encode() + b"\0" + hashlib.sha256(content).digest())
        rows += more
        file_of.update({row["id"]: path.name for row in more})
    keys = _keys_of(rows)
    faults = faults_between(rows, keys)
    if faults:
        raise BadTable("\n".join(_with_file(fault, file_of) for fault in faults))
    return ReferenceTables(
        digest=total.hexdigest(),
        files=MappingProxyType(files),
        rows=MappingProxyType({row["id"]: MappingProxyType(row) for row in rows}),
        _file_of=MappingProxyType(file_of),
        _keys=MappingProxyType(keys),
        _words=_by_a_word(keys),
        _holders=_holders(rows),
    )


def _with_file(fault: str, file_of: Mapping[str, str]) -> str:
    row_id = ":".join(fault.split(":")[:2])
    return f"{file_of.get(row_id, '?')}: {fault}"


@cache
def load() -> ReferenceTables:
    """The application's own reference tables, read once a process."""
    return read_tables(TABLES)
