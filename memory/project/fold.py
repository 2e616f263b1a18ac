"""Fold the readings about one record into what it now is; docs/state.md tells the rules at length.

Order is by when a statement was true, then by when it was read: a late fact about the past does
not undo a newer truth. `assert` says all that is known and replaces what stood before, `update`
changes the fields it names, `retract` removes the record, `withdraw` takes an earlier reading back
as if it had never been. An update effective when no record stands changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Op = Literal["assert", "update", "retract", "withdraw"]


@dataclass(frozen=True)
class Statement:
    """One reading about one record; `data` holds the JSON form of the fields it names.

    The data of a withdrawal is `{"reading": seq}`: the reading that it takes back.
    """

    seq: int
    fact_seq: int
    effective_at: datetime
    op: Op
    data: dict[str, Any]


@dataclass(frozen=True)
class Folded:
    """What a record is, and the seq of the facts it rests on, in order."""

    data: dict[str, Any]
    facts: tuple[int, ...]


def fold(statements: Iterable[Statement]) -> Folded | None:
    """The record that the statements amount to, or None where it was retracted or never was."""
    data: dict[str, Any] | None = None
    facts: list[int] = []
    for said in sorted(standing(statements), key=lambda item: (item.effective_at, item.seq)):
        if said.op == "retract":
            data, facts = None, []
        elif said.op == "assert":
            if data != said.data:
                facts = []
            data = said.data
            facts.append(said.fact_seq)
        elif data is not None:
            data = {**data, **said.data}
            facts.append(said.fact_seq)
    if data is None:
        return None
    return Folded(data, tuple(sorted(set(facts))))


def standing(statements: Iterable[Statement]) -> list[Statement]:
    """The statements that count: without withdrawals, and without what they took back.

    A withdrawal reaches only what was read before it, whenever either is said to have been true;
    it may itself be withdrawn, and then what it took back counts again.
    """
    said = list(statements)
    if all(one.op != "withdraw" for one in said):
        return said
    gone: set[int] = set()
    for one in sorted(said, key=lambda item: item.seq, reverse=True):
        if one.op == "withdraw" and one.seq not in gone and one.data["reading"] < one.seq:
            gone.add(one.data["reading"])
    return [one for one in said if one.op != "withdraw" and one.seq not in gone]
