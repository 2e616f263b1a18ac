"""Held readings as a page shows them: the record as it is, and as it would be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.code import projects_of
from memory.models import HeldReading, MemoryUser, Record
from memory.project.tree import Project
from memory.views.values import cut, describe

LONGEST_QUOTE = 400

Key = tuple[UUID, str, str]


@dataclass(frozen=True)
class HeldRow:
    """One reading to decide; `seen` is what a decision is bound to."""

    held: HeldReading
    quote: str
    now: str
    then: str
    seen: int
    template: str = "memory/queue_held.html"

    @property
    def person(self) -> MemoryUser:
        """Whose record it would change."""
        return self.held.user

    @property
    def is_held(self) -> bool:
        """Whether nobody has decided it."""
        return self.held.status == "held"

    @property
    def domain(self) -> str:
        """The domain of the record."""
        return self.held.kind.partition(".")[0]


def held_rows(held: Iterable[HeldReading]) -> list[HeldRow]:
    """The readings with their records, in the order given; one query for all the records."""
    found = list(held)
    records = _records(found)
    projects = projects_of(one.user for one in found) if found else {}
    return [_row(one, records.get(_key(one)), projects[one.user_id]) for one in found]


def _key(one: HeldReading | Record) -> Key:
    return one.user_id, one.kind, one.record_id


def _records(held: Sequence[HeldReading]) -> dict[Key, Record]:
    rows = Record.objects.filter(
        user__in={one.user_id for one in held},
        kind__in={one.kind for one in held},
        record_id__in={one.record_id for one in held},
    )
    return {_key(row): row for row in rows} if held else {}


def _row(held: HeldReading, record: Record | None, project: Project) -> HeldRow:
    before: Mapping[str, Any] | None = None if record is None else record.data
    return HeldRow(
        held=held,
        quote=cut(held.quote, LONGEST_QUOTE),
        now=_words(held, before, project),
        then=_words(held, _after(held, before), project),
        seen=0 if record is None else record.reading_seq,
    )


def _after(held: HeldReading, before: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if held.op == "retract":
        return None
    return {**(before or {}), **held.data} if held.op == "update" else held.data


def _words(held: HeldReading, data: Mapping[str, Any] | None, project: Project) -> str:
    """A record in a line; empty where there is none."""
    kind = project.kinds.get(held.kind)
    if data is None:
        return ""
    return describe(kind, data) if kind else cut(f"{held.kind}: {data}")
