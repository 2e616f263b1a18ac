"""Where a model's reading would lose what was said or what stands, the little that keeps it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.actions.check_facts import CheckedReading
from memory.actions.fit_reading import fit_reading
from memory.actions.project_state import Key
from memory.checkpointer.reading.verdict import ReadFact, new_reading
from memory.code import Code
from memory.project.fold import Statement, fold
from memory.project.payload import PayloadError


def not_before_it_was(
    said: Iterable[tuple[ReadFact, CheckedReading]], before: Mapping[Key, Sequence[Statement]]
) -> None:
    """Let what changes a record hold from its message on, where the record stood not yet earlier.

    A change at a time before the record was would change nothing, and what was said be lost.
    """
    pairs = list(said)
    begun: dict[Key, list[datetime]] = defaultdict(list)
    for key, statements in before.items():
        begun[key] += [one.effective_at for one in statements if one.op == "assert"]
    for fact, one in pairs:
        if one.op == "assert":
            begun[one.key].append(fact.occurred_at)
    for fact, one in pairs:
        if one.op != "assert" and not any(at <= fact.occurred_at for at in begun[one.key]):
            fact.occurred_at, fact.precision = fact.item.said_at, "moment"


def beside_what_stands(
    fact: ReadFact, one: CheckedReading, before: Mapping[Key, Sequence[Statement]], code: Code
) -> CheckedReading:
    """What is asserted of a record that stands, as a change of the fields it names.

    The prompt may not have shown the record: what it holds beside them must not be lost.
    """
    reading = fact.found.readings[one.position]
    if one.op != "assert" or fold(before.get(one.key, ())) is None:
        return one
    record_id = one.key[1]
    named = reading.model_copy(update={"op": "update", "id": record_id})
    try:
        payload, _ = fit_reading(new_reading(named), code, record_id)
    except PayloadError:  # it names no field beside the key
        return one
    readings = [*fact.found.readings]
    readings[one.position] = named
    fact.found = fact.found.model_copy(update={"readings": readings})
    return replace(one, op="update", data=payload.data, refs=payload.refs)
