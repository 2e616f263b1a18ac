"""The facts that a proposal's page speaks of, each with the conversation it comes from.

What is shown is bounded by the proposal: the facts that asked for it, those that it would place,
and those on whose records its rules speak. Whoever may decide it may see these, and no others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.found import found_in
from memory.log import FactEntry, MessageEntry, facts_by_seq, messages_by_seq
from memory.models import MemoryUser, Proposal
from memory.project.review.render import anchor_of
from memory.views.values import cut

MOST_FACTS = 60
AROUND = 2  # messages on either side
LOOKED_AT = 8  # as far as they are sought, since conversations may lie between each other
LONGEST = 600


@dataclass(frozen=True)
class Turn:
    """A message as it was said; `source` is the one that the fact comes from."""

    role: str
    text: str
    at: datetime
    source: bool


@dataclass(frozen=True)
class Line:
    """A new line of the diff that rests on a fact, and its id on the page."""

    path: str
    number: int
    anchor: str


@dataclass(frozen=True)
class FactShown:
    """A fact with the words that were said, the turns around them, and the lines it is behind."""

    fact: FactEntry
    text: str
    quotes: tuple[str, ...]
    turns: tuple[Turn, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Evidence:
    """The facts that stand on the page, and how many more there would be."""

    facts: tuple[FactShown, ...]
    seqs: frozenset[int]
    more: int


def evidence_of(
    proposal: Proposal, behind: Sequence[int], lines: Mapping[str, Mapping[int, Sequence[int]]]
) -> Evidence:
    """The facts `behind` a proposal and the `lines` of its diff; a bounded number of queries."""
    person = proposal.user
    seqs = list(dict.fromkeys(_seqs(proposal, behind, lines)))
    facts = facts_by_seq(person, seqs[:MOST_FACTS])
    found = found_in(person, facts.values())
    turns = _turns(person, facts.values())
    resting = _resting(lines)
    shown = tuple(
        FactShown(
            fact=facts[seq],
            text=cut(facts[seq].text, LONGEST),
            quotes=_quotes(facts[seq], found.get(seq, ())),
            turns=turns.get(seq, ()),
            lines=tuple(resting[seq]),
        )
        for seq in sorted(facts)
    )
    return Evidence(shown, frozenset(facts), max(len(seqs) - MOST_FACTS, 0))


def standing(
    lines: Mapping[str, Mapping[int, Sequence[int]]], evidence: Evidence
) -> dict[str, dict[int, tuple[int, ...]]]:
    """Of the facts behind lines those that stand on the page."""
    kept = {
        path: {
            number: tuple(seq for seq in facts if seq in evidence.seqs)
            for number, facts in by_line.items()
        }
        for path, by_line in lines.items()
    }
    return {
        path: {n: some for n, some in by_line.items() if some} for path, by_line in kept.items()
    }


def _seqs(
    proposal: Proposal, behind: Sequence[int], lines: Mapping[str, Mapping[int, Sequence[int]]]
) -> Iterator[int]:
    """The weightiest first: what is behind lines, what asked, then what its rules speak of."""
    for by_line in lines.values():
        for facts in by_line.values():
            yield from facts
    yield from behind
    would: Mapping[str, Any] = proposal.provisional or {}
    yield from _of_findings(would.get("found", []))
    for step in reversed(proposal.replay):
        yield from filter(None, [step["seq"]])
        for name in ("gone", "opened", "cleared"):
            yield from _of_findings(step.get(name, []))


def _of_findings(findings: Iterable[Mapping[str, Any]]) -> Iterator[int]:
    for finding in findings:
        for record in finding["evidence"]:
            yield from record["facts"]


def _quotes(fact: FactEntry, found: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    said = dict.fromkeys(str(one["quote"]) for one in found)
    return tuple(cut(quote, LONGEST) for quote in said if quote != fact.text)


def _resting(lines: Mapping[str, Mapping[int, Sequence[int]]]) -> dict[int, list[Line]]:
    found: dict[int, list[Line]] = defaultdict(list)
    for path, by_line in lines.items():
        for number, facts in sorted(by_line.items()):
            for seq in facts:
                found[seq].append(Line(path, number, f"{anchor_of(path)}-n{number}"))
    return found


def _turns(person: MemoryUser, facts: Iterable[FactEntry]) -> dict[int, tuple[Turn, ...]]:
    """The message of each fact with those around it in the same conversation, by the fact's seq."""
    sources = {fact.seq: fact.message_seq for fact in facts if fact.message_seq is not None}
    near = range(-LOOKED_AT, LOOKED_AT + 1)
    messages = messages_by_seq(person, {seq + n for seq in sources.values() for n in near})
    return {fact: tuple(_around(messages, seq)) for fact, seq in sources.items() if seq in messages}


def _around(messages: Mapping[int, MessageEntry], source: int) -> Iterator[Turn]:
    session = messages[source].session
    near = [
        messages[seq]
        for seq in range(source - LOOKED_AT, source + LOOKED_AT + 1)
        if seq in messages and messages[seq].session == session
    ]
    place = next(n for n, one in enumerate(near) if one.seq == source)
    for one in near[max(place - AROUND, 0) : place + AROUND + 1]:
        yield Turn(one.role, cut(one.content, LONGEST), one.said_at, one.seq == source)
