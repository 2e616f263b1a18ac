"""A fact that corrects an earlier one: what the earlier was read as is withdrawn."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memory.actions.append_readings import NewStatement
from memory.actions.check_facts import FactProblem, FactsRefused, NewFact
from memory.actions.project_state import statement_in
from memory.models import MemoryUser, Reading, ReadingBody


def check_corrections(user: MemoryUser, facts: Sequence[NewFact]) -> None:
    """Refuse facts that correct one the person does not have."""
    problems = [
        FactProblem(
            index,
            ("corrects",),
            f"there is no fact {fact.corrects} to correct; "
            + (f"the last is {user.fact_seq}" if user.fact_seq else "this is the first"),
        )
        for index, fact in enumerate(facts)
        if fact.corrects is not None and not 0 < fact.corrects <= user.fact_seq
    ]
    if problems:
        raise FactsRefused(problems)


def withdrawals(
    user: MemoryUser, facts: Sequence[NewFact], first: int, now: datetime
) -> dict[int, list[NewStatement]]:
    """What the correcting facts take back, by the index of each; no query where none corrects.

    All readings of the corrected fact go, its own withdrawals too, as if it had never been posted.
    A reading that was placed goes by its placement.
    """
    corrected = {fact.corrects for fact in facts if fact.corrects is not None}
    if not corrected:
        return {}
    read = _readings(user, corrected)
    return {
        index: [
            _withdrawal(body, first + index, fact.occurred_at or now)
            for body in read[fact.corrects]
        ]
        for index, fact in enumerate(facts)
        if fact.corrects is not None
    }


def _readings(user: MemoryUser, fact_seqs: set[int]) -> dict[int, list[Mapping[str, Any]]]:
    own = Reading.objects.filter(user=user, fact_seq__in=fact_seqs).values("seq")
    rows = ReadingBody.objects.filter(user=user, seq__in=own).order_by("seq")
    bodies = [json.loads(text) for text in rows.values_list("canonical", flat=True)]
    placed = {body["places"] for body in bodies if "places" in body}
    found: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for body in bodies:
        if body["seq"] not in placed:
            found[body["fact_seq"]].append(body)
    return found


def _withdrawal(body: Mapping[str, Any], fact_seq: int, effective_at: datetime) -> NewStatement:
    key, said = statement_in(body)
    return NewStatement(
        key=key,
        fact_seq=fact_seq,
        effective_at=effective_at,
        op="withdraw",
        data={"reading": said.seq},
        origin="correction",
    )
