"""What waits for a place in a person's records, with the words of its facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from memory.log import FactEntry, fact_seq_by_reading, facts_by_seq
from memory.models import MemoryUser, Waiting
from memory.views.values import cut

QUOTES = 3
LONGEST_QUOTE = 200


@dataclass(frozen=True)
class WaitingLine:
    """A reading that the proposal has no place for, with the words of its fact."""

    seq: int
    kind: str
    reason: str
    fact: FactEntry | None
    text: str


@dataclass(frozen=True)
class WaitingGroup:
    """Readings of one kind that wait for one reason, with the newest of them."""

    kind: str
    reason: str
    count: int
    lines: tuple[WaitingLine, ...]


def waiting_groups(person: MemoryUser, *, limit: int) -> tuple[list[WaitingGroup], int]:
    """What waits, by kind and reason, the largest groups first; and how many more there are."""
    by_sort: dict[tuple[str, str], list[Waiting]] = defaultdict(list)
    for row in Waiting.objects.filter(user=person).order_by("-reading_seq"):
        by_sort[row.kind, row.reason].append(row)
    found = sorted(by_sort.items(), key=lambda item: -len(item[1]))
    shown = {sort: rows[:QUOTES] for sort, rows in found[:limit]}
    every = waiting_lines(person, [row for rows in shown.values() for row in rows])
    lines = {line.seq: line for line in every}
    groups = [
        WaitingGroup(
            kind=kind,
            reason=reason,
            count=len(by_sort[kind, reason]),
            lines=tuple(lines[row.reading_seq] for row in rows),
        )
        for (kind, reason), rows in shown.items()
    ]
    return groups, max(len(found) - limit, 0)


def waiting_lines(person: MemoryUser, waiting: Iterable[Waiting]) -> tuple[WaitingLine, ...]:
    """Readings that wait, with the words of their facts."""
    rows = list(waiting)
    facts = facts_of_readings(person, [row.reading_seq for row in rows])
    return tuple(
        WaitingLine(
            seq=row.reading_seq,
            kind=row.kind,
            reason=row.reason,
            fact=facts.get(row.reading_seq),
            text=cut(facts[row.reading_seq].text, LONGEST_QUOTE)
            if row.reading_seq in facts
            else "",
        )
        for row in rows
    )


def facts_of_readings(person: MemoryUser, seqs: Iterable[int]) -> dict[int, FactEntry]:
    """The fact of each reading, by the reading's seq."""
    owners = fact_seq_by_reading(person.pk, seqs)
    facts = facts_by_seq(person, owners.values())
    return {seq: facts[fact] for seq, fact in owners.items() if fact in facts}
