"""The records that a proposal would place, as tables with the facts they come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.log import FactEntry, facts_by_seq
from memory.models import MemoryUser, Proposal
from memory.project.kinds import Kind
from memory.project.tree import Project
from memory.views.values import cut, label, value_of, words_for
from memory.views.waiting import LONGEST_QUOTE, facts_of_readings

SHOWN_ROWS = 20


@dataclass(frozen=True)
class PlacedRow:
    """A record that would be there: its id, a text a column, and the fact it comes from.

    With an `op` of `update` it only gets these values, with `retract` it would be there no more.
    """

    record_id: str
    op: str
    cells: tuple[str, ...]
    fact: FactEntry | None
    text: str


@dataclass(frozen=True)
class PlacedTable:
    """The records of one kind that would be there, or the first of them."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[PlacedRow, ...]
    total: int


def placed_tables(proposal: Proposal, project: Project) -> tuple[PlacedTable, ...]:
    """A table for each kind of record that a proposal on this project would place."""
    by_kind: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in proposal.placements:
        by_kind[one["kind"]].append(one)
    shown = {name: found[:SHOWN_ROWS] for name, found in by_kind.items()}
    facts = _facts(proposal.user, [one for found in shown.values() for one in found])
    return tuple(
        _table(project.kinds[name], shown[name], len(found), facts)
        for name, found in sorted(by_kind.items())
        if name in project.kinds
    )


def _facts(
    person: MemoryUser, placed: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, int], FactEntry]:
    """The facts of what would be placed: of waiting readings, and of facts that are read anew."""
    by_reading = facts_of_readings(person, [one["reading"] for one in placed if "reading" in one])
    by_seq = facts_by_seq(person, [one["fact"] for one in placed if "fact" in one])
    return {
        **{("reading", seq): fact for seq, fact in by_reading.items()},
        **{("fact", seq): fact for seq, fact in by_seq.items()},
    }


def _source(placed: Mapping[str, Any]) -> tuple[str, int]:
    name = "fact" if "fact" in placed else "reading"
    return name, placed[name]


def _table(
    kind: Kind,
    placed: Sequence[Mapping[str, Any]],
    total: int,
    facts: Mapping[tuple[str, int], FactEntry],
) -> PlacedTable:
    fields = [
        field for field in kind.fields[1:] if any(field.name in one["data"] for one in placed)
    ]
    rows = []
    for one in placed:
        fact = facts.get(_source(one))
        rows.append(
            PlacedRow(
                record_id=one["id"],
                op=one.get("op", "assert"),
                cells=tuple(
                    words_for(field.type, value_of(field, one["data"])) for field in fields
                ),
                fact=fact,
                text=cut(fact.text, LONGEST_QUOTE) if fact else "",
            )
        )
    columns = tuple(label(field).capitalize() for field in fields)
    return PlacedTable(kind.full_name, columns, tuple(rows), total)
