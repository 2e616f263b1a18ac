"""What an evaluation needs of the database, read at one moment."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import TextField
from django.db.models.functions import Cast

from alerts.engine import EvidenceRef
from alerts.models import Watermark
from memory.models import MemoryUser, ReadingBody, Record
from memory.project.bundle import StateSlice
from memory.project.tree import Project, Rule
from memory.snapshot import snapshot


@dataclass(frozen=True)
class Mark:
    """How far a person has been (or is about to be) evaluated; the fields of `Watermark`."""

    fact_seq: int = 0
    reading_seq: int = 0
    version: str = ""
    tables: str = ""
    local_date: date | None = None


@dataclass(frozen=True)
class StoredRecord:
    """A record as read, its JSON still text: only evidence is ever decoded."""

    source: str
    data: str
    facts: str


@dataclass(frozen=True)
class Snapshot:
    """A person at one moment: where the rules got to, what is new, and the records they read."""

    user: MemoryUser
    before: Mark
    after: Mark
    rules: tuple[Rule, ...]
    records: dict[EvidenceRef, StoredRecord]
    state: StateSlice
    first: bool

    def evidence(self, refs: Iterable[EvidenceRef]) -> list[dict[str, Any]]:
        """The evidence as an alert stores it. Raises ValueError for a record that is not there."""
        return [self._evidence(ref) for ref in refs]

    def _evidence(self, ref: EvidenceRef) -> dict[str, Any]:
        record = self.records.get(ref)
        if record is None:
            raise ValueError("named a record as evidence that is not in the state")
        return {
            "kind": ref.kind,
            "id": ref.record_id,
            "data": json.loads(record.data),
            "facts": json.loads(record.facts),
        }


def take(user_id: UUID, *, project: Project, version: str, tables: str, now: datetime) -> Snapshot:
    """Read a person's watermark, what came after it, and the records the touched rules read."""
    with snapshot():
        user = MemoryUser.objects.select_related("watermark").get(pk=user_id)
        mark: Watermark | None = getattr(user, "watermark", None)
        before = _mark(mark)
        after = Mark(user.fact_seq, user.reading_seq, version, tables, user.local_date(now))
        rules = _touched(user, project, before, after)
        kinds = _kinds_read(project, rules)
        rows = list(
            Record.objects.filter(user=user, kind__in=kinds).values_list(
                "kind",
                "record_id",
                "source",
                Cast("data", TextField()),
                Cast("facts", TextField()),
            )
            if kinds
            else ()
        )
    rows.sort(key=lambda row: (row[0], row[1]))
    sources: dict[str, list[str]] = defaultdict(list)
    for kind, _, source, _, _ in rows:
        sources[kind].append(source)
    return Snapshot(
        user=user,
        before=before,
        after=after,
        rules=rules,
        records={EvidenceRef(row[0], row[1]): StoredRecord(*row[2:]) for row in rows},
        state=StateSlice({project.kinds[kind].collection: sources[kind] for kind in sorted(kinds)}),
        first=mark is None,
    )


def _mark(row: Watermark | None) -> Mark:
    if row is None:
        return Mark()
    return Mark(row.fact_seq, row.reading_seq, row.version, row.tables, row.local_date)


def _touched(user: MemoryUser, project: Project, before: Mark, after: Mark) -> tuple[Rule, ...]:
    """The rules that may say something else than at the watermark."""
    advanced = replace(before, fact_seq=after.fact_seq, reading_seq=after.reading_seq)
    if advanced != after:  # other code, tables or date
        return tuple(project.rules.values())
    if before.reading_seq == after.reading_seq:
        return ()
    new = ReadingBody.objects.filter(user=user, seq__gt=before.reading_seq)
    kinds = new.values_list("kind", flat=True).distinct()
    collections = frozenset(
        project.kinds[kind].collection for kind in kinds if kind in project.kinds
    )
    return tuple(rule for rule in project.rules.values() if rule.touched_by(collections))


def _kinds_read(project: Project, rules: Iterable[Rule]) -> set[str]:
    kinds: set[str] = set()
    for rule in rules:
        reads = project.collections if rule.reads is None else rule.reads
        kinds |= {project.collections[name].full_name for name in reads}
    return kinds
