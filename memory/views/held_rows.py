"""Held readings as a page shows them: the record as it is, and as it would be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memory.code import project_of
from memory.models import HeldReading, Record
from memory.views.values import cut, describe

LONGEST_QUOTE = 400


@dataclass(frozen=True)
class HeldRow:
    """One reading to decide; `seen` is what a decision is bound to."""

    held: HeldReading
    quote: str
    now: str
    then: str
    seen: int


def held_rows(held: Iterable[HeldReading]) -> list[HeldRow]:
    """The readings with their records, in the order given."""
    return [_row(one) for one in held]


def _row(held: HeldReading) -> HeldRow:
    records = Record.objects.filter(user=held.user_id, kind=held.kind, record_id=held.record_id)
    record = records.first()
    before: Mapping[str, Any] | None = None if record is None else record.data
    return HeldRow(
        held=held,
        quote=cut(held.quote, LONGEST_QUOTE),
        now=_words(held, before),
        then=_words(held, _after(held, before)),
        seen=0 if record is None else record.reading_seq,
    )


def _after(held: HeldReading, before: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if held.op == "retract":
        return None
    return {**(before or {}), **held.data} if held.op == "update" else held.data


def _words(held: HeldReading, data: Mapping[str, Any] | None) -> str:
    """A record in a line; empty where there is none."""
    kind = project_of(held.user).kinds.get(held.kind)
    if data is None:
        return ""
    return describe(kind, data) if kind else cut(f"{held.kind}: {data}")
