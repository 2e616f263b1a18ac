"""Append what a proposal reads facts as, once its kinds are the person's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memory.actions.append_readings import NewStatement, append_readings
from memory.actions.project_state import Key, project_readings, statements_about
from memory.checkpointer.structuring.readings import FactReading, fit_readings, would_place
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
    _, placed = would_place(user, code.project)
    seqs = [one.fact for one in readings]
    facts = facts_by_seq(user, seqs)
    fitted = fit_readings(user=user, code=code, facts=facts, readings=readings, placed=placed)
    corrected = [f"fact {seq} was corrected meanwhile" for seq in _corrected(user, seqs)]
    return [*corrected, *fitted.problems]


def _corrected(user: MemoryUser, seqs: Iterable[int]) -> list[int]:
    """The facts that a later one corrects; the canonical text has its names in this order."""
    bodies = FactBody.objects.filter(user=user)
    return [
        seq
        for seq in sorted(set(seqs))
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
    said_of: dict[Key, list[Statement]] = defaultdict(list)
    for key, said in append_readings(user, new, now):
        said_of[key].append(said)
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
