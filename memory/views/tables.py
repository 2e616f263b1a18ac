"""The typed state as tables: a table a kind, a column for each field that occurs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from memory.code import project_of
from memory.log import texts_by_seq
from memory.models import MemoryUser, Record
from memory.places import record_at
from memory.project.schema import Kind
from memory.project.tree import Project
from memory.then import Then
from memory.views.values import cut, label, value_of, words_for

REFS = 8
LONGEST_SENTENCE = 200
FIRST = "health"  # what may harm is looked for first; then in the order of the domains


@dataclass(frozen=True)
class Row:
    """A record: a text a column (empty: unknown), and the facts it rests on, the last of them in
    its own words."""

    kind: str
    record_id: str
    cells: tuple[str, ...]
    facts: tuple[int, ...]
    more_facts: int
    reading_seq: int
    sentence: str

    @property
    def said_in(self) -> int | None:
        """The fact of the sentence."""
        return self.facts[-1] if self.facts else None


@dataclass(frozen=True)
class Table:
    """The records of a kind, or the first of them."""

    kind: Kind
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    total: int

    @property
    def title(self) -> str:
        """`Allergies`."""
        return self.kind.collection.replace("_", " ").capitalize()

    @property
    def last_reading(self) -> int:
        """The reading that last changed the record after which the next page starts."""
        return self.rows[-1].reading_seq


def kinds_by_domain(counts: Mapping[str, int]) -> list[tuple[str, list[str]]]:
    """Each domain with its kinds, of those that have records."""
    names = sorted(counts)
    grouped = groupby(names, key=lambda name: name.partition(".")[0])
    return [(domain, [*some]) for domain, some in grouped]


def newest_tables(person: MemoryUser, counts: Mapping[str, int], *, limit: int) -> list[Table]:
    """Of every kind the records that changed last, at most `limit`."""
    newest = Window(RowNumber(), partition_by=F("kind"), order_by=F("reading_seq").desc())
    rows = Record.objects.filter(user=person).annotate(place=newest).filter(place__lte=limit)
    return _tables(person, rows.order_by("place"), counts)


def page_of_kind(
    person: MemoryUser, counts: Mapping[str, int], *, kind: str, after: int | None, limit: int
) -> list[Table]:
    """The records of one kind, in order of their ids, after the one that a reading speaks of."""
    rows = Record.objects.filter(user=person, kind=kind).order_by("record_id")
    last = None if after is None else record_at(person, kind, after)
    if last is not None:
        rows = rows.filter(record_id__gt=last)
    return _tables(person, rows[:limit], counts)


def tables_then(known: Then, *, kind: str, limit: int) -> tuple[list[Table], dict[str, int]]:
    """The records there were at an earlier moment, of one kind or the newest of each, and how many
    of each kind."""
    records = known.records()
    counts = Counter(name for name, _ in records)
    rows = sorted(records.values(), key=lambda row: (-row.reading_seq, row.kind, row.record_id))
    shown: dict[str, list[Record]] = defaultdict(list)
    for row in rows:
        if (not kind or row.kind == kind) and len(shown[row.kind]) < limit:
            shown[row.kind].append(row)
    every = [row for some in shown.values() for row in some]
    return _tables(known.user, every, counts, known.code.project), dict(counts)


def _tables(
    person: MemoryUser,
    rows: Iterable[Record],
    counts: Mapping[str, int],
    project: Project | None = None,
) -> list[Table]:
    by_kind: dict[str, list[Record]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    said = _sentences(person, [row for some in by_kind.values() for row in some])
    found = (project or project_of(person)).kinds.items()
    kinds = sorted(found, key=lambda one: one[1].domain != FIRST)
    return [
        _table(kind, by_kind[name], counts.get(name, 0), said)
        for name, kind in kinds
        if name in by_kind
    ]


def _sentences(person: MemoryUser, records: Sequence[Record]) -> Mapping[int, str]:
    """The words of the last fact of each record, by its seq."""
    said = texts_by_seq(person, {seq for record in records for seq in record.facts[-1:]})
    return {seq: cut(text, LONGEST_SENTENCE) for seq, text in said.items()}


def _table(kind: Kind, records: list[Record], total: int, said: Mapping[int, str]) -> Table:
    fields = [field for field in kind.fields[1:] if any(_says(row.data, field) for row in records)]
    return Table(
        kind=kind,
        columns=tuple(label(field).capitalize() for field in fields),
        rows=tuple(
            Row(
                kind=kind.full_name,
                record_id=record.record_id,
                cells=tuple(words_for(one.type, value_of(one, record.data)) for one in fields),
                facts=tuple(record.facts[-REFS:]),
                more_facts=max(len(record.facts) - REFS, 0),
                reading_seq=record.reading_seq,
                sentence="".join(said[seq] for seq in record.facts[-1:]),
            )
            for record in records
        ),
        total=total,
    )


def _says(data: Mapping[str, Any], field: Any) -> bool:
    return value_of(field, data) not in (None, "", [], {})
