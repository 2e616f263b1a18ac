"""Append what a proposal reads facts as, once its kinds are the person's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memory.actions.append_readings import NewStatement, append_readings
from memory.actions.project_state import Key, by_record, project_readings, statements_about
from memory.checkpointer.structuring.readings import (
    FactReading,
    Fitted,
    fit_readings,
    would_place,
)
from memory.code import Code, code_of
from memory.log import facts_by_seq
from memory.models import FactBody, MemoryUser
from memory.project.fold import Statement

HEADS = ("reading_seq", "reading_head")
Placements = Sequence[Mapping[str, Any]]


def of_facts(placements: Placements) -> list[FactReading]:
    """The readings of facts among what a proposal places; the others wait in the log already."""
    return [FactReading.of(one) for one in placements if "fact" in one]


def misplaced(user: MemoryUser, code: Code, placements: Placements) -> list[str]:
    """Why readings of a proposal do not fit any more, with `code` and the records of a locked
    person; nothing where all do."""
    readings = of_facts(placements)
    if not readings:
        return []
    _, fitted = _fitted(user, code, readings)
    corrected = [f"fact {seq} was corrected meanwhile" for seq in _corrected(user, readings)]
    return [*corrected, *fitted.problems]


def would_say(user: MemoryUser, code: Code, placements: Placements) -> dict[Key, list[Statement]]:
    """What a proposal's `code` makes of all that waits now, and of the facts that it reads, by
    record; not of those that were corrected meanwhile."""
    readings = of_facts(placements)
    corrected = _corrected(user, readings)
    left = [one for one in readings if one.fact not in corrected]
    placed, fitted = _fitted(user, code, left)
    return by_record((*placed, *fitted.statements))


def _fitted(
    user: MemoryUser, code: Code, readings: Sequence[FactReading]
) -> tuple[list[tuple[Key, Statement]], Fitted]:
    """What the waiting readings would say, and what these would after them."""
    _, placed = would_place(user, code.project)
    facts = facts_by_seq(user, [one.fact for one in readings])
    return placed, fit_readings(user=user, code=code, facts=facts, readings=readings, placed=placed)


def _corrected(user: MemoryUser, readings: Iterable[FactReading]) -> list[int]:
    """The facts that a later one corrects; the canonical text has its names in this order."""
    bodies = FactBody.objects.filter(user=user)
    return [
        seq
        for seq in sorted({one.fact for one in readings})
        if bodies.filter(seq__gt=seq, canonical__contains=f',"corrects":{seq},"message":').exists()
    ]


def place_proposed(*, user: MemoryUser, placements: Placements, now: datetime) -> int:
    """Append the readings to their facts and project them, for a locked person with the new code.

    They have just been found to fit (`misplaced`). The rules run from the queue. How many.
    """
    readings = of_facts(placements)
    if not readings:
        return 0
    facts = facts_by_seq(user, [one.fact for one in readings])
    code = code_of(user)
    fitted = fit_readings(user=user, code=code, facts=facts, readings=readings)
    new = [_new(key, said) for key, said in fitted.statements]
    before = statements_about(user, {one.key for one in new})
    said_of = by_record(append_readings(user, new, now))
    project_readings(user=user, kinds=code.project.kinds, before=before, new=said_of)
    user.save(update_fields=HEADS)
    return len(new)


def _new(key: Key, said: Statement) -> NewStatement:
    return NewStatement(
        key=key,
        fact_seq=said.fact_seq,
        effective_at=said.effective_at,
        op=said.op,
        data=said.data,
        origin="model",
    )
