"""Project readings into records; the same fold serves an append and a rebuild."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import UUIDField

from memory.models import MemoryUser, ReadingBody, Record
from memory.project.chain import parse_moment
from memory.project.fold import Folded, Statement, fold
from memory.project.render import render_record
from memory.project.schema import Kind
from memory.rows import insert_rows

Key = tuple[str, str]  # kind, record id
MANY_KEYS = 100
MOST_IDS = 10_000  # in a statement; SQLite takes 32,766


def waits(key: Key) -> bool:
    """Whether this stands for no record, but for what waits until its kind is known."""
    return not key[1]


def statement_of(canonical: str) -> tuple[Key, Statement]:
    """The record a stored reading speaks of, and what it says."""
    return statement_in(json.loads(canonical))


def statement_in(body: Mapping[str, Any]) -> tuple[Key, Statement]:
    """The same, from the values of the canonical text."""
    return (body["kind"], body["record_id"]), Statement(
        seq=body["seq"],
        fact_seq=body["fact_seq"],
        effective_at=parse_moment(body["effective_at"]),
        op=body["op"],
        data=json.loads(body["data"]),
    )


def statements_about(user: MemoryUser, keys: Iterable[Key]) -> dict[Key, list[Statement]]:
    """Every reading about these records, in one query (for each 10,000 of them)."""
    wanted = set(keys)
    found: dict[Key, list[Statement]] = defaultdict(list)
    for canonical in _about(user, wanted):
        key, statement = statement_of(canonical)
        if key in wanted:
            found[key].append(statement)
    return found


def by_record(said: Iterable[tuple[Key, Statement]]) -> dict[Key, list[Statement]]:
    """Statements by the record that they speak of, in order."""
    found: dict[Key, list[Statement]] = defaultdict(list)
    for key, one in said:
        found[key].append(one)
    return found


def _about(user: MemoryUser, wanted: Collection[Key]) -> Iterator[str]:
    """The canonical text of the readings about these records, and perhaps about others."""
    if len(wanted) > MANY_KEYS:
        bodies = ReadingBody.objects.filter(user=user)
        ids = sorted({record_id for _, record_id in wanted})
        for start in range(0, len(ids), MOST_IDS):
            some = bodies.filter(record_id__in=ids[start : start + MOST_IDS])
            yield from some.values_list("canonical", flat=True)
    elif wanted:
        # Written out: every post has this statement, and building it would take longer
        about = " OR ".join(["kind = %s AND record_id = %s"] * len(wanted))
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT canonical FROM memory_readingbody WHERE user_id = %s AND ({about})",  # noqa: S608
                [UUIDField().get_db_prep_value(user.pk, connection), *chain(*wanted)],
            )
            yield from (row[0] for row in cursor.fetchall())


def record_of(
    user: MemoryUser, kind: Kind, record_id: str, folded: Folded, statements: Sequence[Statement]
) -> Record:
    """The record that its readings folded into, unsaved."""
    return Record(
        user=user,
        kind=kind.full_name,
        record_id=record_id,
        data=folded.data,
        facts=list(folded.facts),
        reading_seq=max(statement.seq for statement in statements),
        source=render_record(kind, record_id, folded.data),
    )


def project_readings(
    *,
    user: MemoryUser,
    kinds: Mapping[str, Kind],
    before: Mapping[Key, list[Statement]],
    new: Mapping[Key, list[Statement]],
) -> dict[Key, str]:
    """Bring the records that new readings speak of up to date.

    Returns each record's effect: created, changed, unchanged, removed or absent. `before` holds
    the earlier readings about the same records.
    """
    effects: dict[Key, str] = {}
    upserts: list[Record] = []
    removed: list[Key] = []
    for key, statements in new.items():
        kind_name, record_id = key
        earlier = before.get(key, [])
        old = fold(earlier)
        everything = [*earlier, *statements]
        folded = fold(everything)
        effects[key] = effect_of(old, folded)
        if folded is not None and kind_name in kinds:
            upserts.append(record_of(user, kinds[kind_name], record_id, folded, everything))
        elif old is not None:
            removed.append(key)
    for kind_name, record_id in removed:
        Record.objects.filter(user=user, kind=kind_name, record_id=record_id).delete()
    if upserts:
        _upsert(user, upserts)
    return effects


def _upsert(user: MemoryUser, records: Sequence[Record]) -> None:
    changing = ("data", "facts", "reading_seq", "source")
    columns = ("kind", "record_id", *changing)
    insert_rows(
        Record,
        shared={"user_id": user.pk},
        columns=columns,
        rows=[[getattr(record, name) for name in columns] for record in records],
        replace=changing,
    )


def effect_of(old: Folded | None, new: Folded | None) -> str:
    """What happened to a record, in a word."""
    if new is None:
        return "removed" if old is not None else "absent"
    if old is None:
        return "created"
    return "unchanged" if old.data == new.data else "changed"
