"""What a post of facts appended, told to whoever posted it, now or again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.actions.project_state import (
    Key,
    effect_of,
    statement_in,
    statements_about,
    waits,
)
from memory.models import Fact, MemoryUser, Reading, ReadingBody, Submission
from memory.project.fold import Statement, fold


@dataclass(frozen=True)
class AppliedReading:
    """A reading as stored; `effect` says what it did to its record."""

    fact_seq: int
    seq: int
    kind: str
    op: str
    record_id: str
    effect: str


@dataclass(frozen=True)
class Appended:
    """What a post appended (or, when `repeated`, had appended before)."""

    user: MemoryUser
    first_seq: int
    last_seq: int
    hashes: tuple[str, ...]
    readings: tuple[AppliedReading, ...]
    queued: bool
    through: int | None = None
    """The fact through which the person is evaluated, where no rule reads what is new."""
    repeated: bool = False


def applied(
    pairs: Iterable[tuple[Key, Statement]], effects: Mapping[Key, str]
) -> tuple[AppliedReading, ...]:
    """The readings with what each did to its record; one without a record waits."""
    return tuple(
        AppliedReading(
            said.fact_seq, said.seq, key[0], said.op, key[1], effects.get(key) or _unplaced(said)
        )
        for key, said in pairs
    )


def _unplaced(said: Statement) -> str:
    """The effect of a reading that has no record."""
    return "waiting" if said.op == "assert" else "removed"


def repeat(user: MemoryUser, earlier: Submission) -> Appended:
    """What the first of two equal requests appended, worked out again from the log."""
    first, last = earlier.first_seq, earlier.last_seq
    hashes = Fact.objects.filter(user=user, seq__range=(first, last)).order_by("seq")
    own = Reading.objects.filter(user=user, fact_seq__range=(first, last))
    bodies = ReadingBody.objects.filter(user=user, seq__in=own.values("seq")).order_by("seq")
    said = [json.loads(text) for text in bodies.values_list("canonical", flat=True)]
    # What was placed later was not part of the answer.
    pairs = [statement_in(body) for body in said if "places" not in body]
    effects = _effects_again(user, pairs)
    return Appended(
        user,
        first,
        last,
        tuple(hashes.values_list("hash", flat=True)),
        applied(pairs, effects),
        queued=False,
        repeated=True,
    )


def _effects_again(user: MemoryUser, pairs: Sequence[tuple[Key, Statement]]) -> dict[Key, str]:
    if not pairs:
        return {}
    first, last = pairs[0][1].seq, pairs[-1][1].seq
    about = statements_about(user, {key for key, _ in pairs if not waits(key)})
    return {
        key: effect_of(
            fold(said for said in statements if said.seq < first),
            fold(said for said in statements if said.seq <= last),
        )
        for key, statements in about.items()
    }
