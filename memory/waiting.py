"""Which of a person's readings wait for a place, told from the log."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from memory.actions.project_state import statement_in, statement_of, waits
from memory.models import MemoryUser, Reading, ReadingBody, Waiting
from memory.project.fold import Op, Statement, standing


@dataclass(frozen=True)
class WaitingReading:
    """A reading without a record, as it was sent.

    `number` counts the readings that came with its fact, from 1; `reason` says why it waits.
    """

    seq: int
    fact_seq: int
    number: int
    kind: str
    op: Op
    data: dict[str, Any]
    effective_at: datetime
    reason: str

    @property
    def fallback_id(self) -> str:
        """The id of its record where neither the data nor a key name one."""
        return f"f{self.fact_seq}-{self.number}"


def waiting_readings(user: MemoryUser) -> list[WaitingReading]:
    """What waits, in the order in which it was recorded; three queries."""
    listed = Waiting.objects.filter(user=user)
    reasons = dict(listed.values_list("reading_seq", "reason"))
    if not reasons:
        return []
    rows = ReadingBody.objects.filter(user=user, seq__in=listed.values("reading_seq"))
    texts = rows.order_by("seq").values_list("canonical", flat=True)
    numbers = _numbers(user, listed)
    return [
        WaitingReading(
            seq=said.seq,
            fact_seq=said.fact_seq,
            number=numbers[said.seq],
            kind=key[0],
            op=said.op,
            data=said.data,
            effective_at=said.effective_at,
            reason=reasons[said.seq],
        )
        for key, said in map(statement_of, texts)
    ]


def _numbers(user: MemoryUser, listed: QuerySet[Waiting]) -> dict[int, int]:
    """The place of each reading among those that came with its fact, for the facts that wait."""
    waiting = Reading.objects.filter(user=user, seq__in=listed.values("reading_seq"))
    same = Reading.objects.filter(user=user, fact_seq__in=waiting.values("fact_seq"))
    rows = ReadingBody.objects.filter(user=user, seq__in=same.values("seq")).order_by("seq")
    numbers: dict[int, int] = {}
    count: Counter[int] = Counter()
    for text in rows.values_list("canonical", flat=True):
        body = json.loads(text)
        if body["origin"] == "app":
            count[body["fact_seq"]] += 1
            numbers[body["seq"]] = count[body["fact_seq"]]
    return numbers


def waiting_among(bodies: Iterable[Mapping[str, Any]]) -> dict[int, str]:
    """The kind of each reading that waits, by seq, from the canonical values of all readings.

    A reading waits that has no record, unless another places it or takes it back.
    """
    unplaced: dict[str, list[Statement]] = defaultdict(list)
    placed: set[int] = set()
    for body in bodies:
        key, said = statement_in(body)
        if waits(key):
            unplaced[key[0]].append(said)
        if "places" in body:
            placed.add(body["places"])
    return {
        said.seq: kind
        for kind, statements in unplaced.items()
        for said in standing(statements)
        if said.seq not in placed
    }
