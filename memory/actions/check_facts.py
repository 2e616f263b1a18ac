"""What a post of facts may hold, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory.actions.project_state import Key
from memory.models import MemoryUser
from memory.project.fold import Op, Statement
from memory.project.payload import FieldProblem, Payload, PayloadError, check_payload
from memory.project.schema import Kind


@dataclass(frozen=True)
class NewReading:
    """A typed interpretation that came with a fact."""

    kind: str
    op: Op
    record_id: str | None
    data: dict[str, Any]


@dataclass(frozen=True)
class NewFact:
    """A statement to append; `occurred_at` is aware, and None means now."""

    text: str
    occurred_at: datetime | None = None
    source: str = ""
    session: str = ""
    message_seq: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    readings: tuple[NewReading, ...] = ()


@dataclass(frozen=True)
class FactProblem:
    """What is wrong with one fact of a post: its index, the path to the field, a remedy."""

    index: int
    path: tuple[str | int, ...]
    detail: str


class FactsRefused(ValueError):
    """A post of which nothing was stored, with every problem found."""

    def __init__(self, problems: list[FactProblem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


@dataclass(frozen=True)
class CheckedReading:
    """A reading that fits its kind: which fact and which of its readings, which record."""

    index: int
    position: int
    key: Key
    op: Op
    data: dict[str, Any]


def check_readings(
    facts: Sequence[NewFact], kinds: Mapping[str, Kind], first: int
) -> list[CheckedReading]:
    """Every reading of a post, checked; `first` is the seq the first fact will have.

    Raises FactsRefused with the problems of all of them.
    """
    checked: list[CheckedReading] = []
    problems: list[FactProblem] = []
    for index, fact in enumerate(facts):
        for position, reading in enumerate(fact.readings):
            try:
                payload = _check_reading(reading, kinds, f"f{first + index}-{position + 1}")
            except PayloadError as error:
                problems += [
                    FactProblem(index, ("readings", position, *problem.path), problem.detail)
                    for problem in error.problems
                ]
            else:
                key = (reading.kind, payload.record_id)
                checked.append(CheckedReading(index, position, key, reading.op, payload.data))
    if problems:
        raise FactsRefused(problems)
    return checked


def _check_reading(reading: NewReading, kinds: Mapping[str, Kind], fallback: str) -> Payload:
    kind = kinds.get(reading.kind)
    if kind is None:
        known = ", ".join(sorted(kinds))
        raise PayloadError(
            [FieldProblem(("kind",), f"there is no kind {reading.kind!r}; the kinds are: {known}")]
        )
    return check_payload(kind, reading.op, reading.record_id, reading.data, fallback_id=fallback)


def check_messages(user: MemoryUser, facts: Sequence[NewFact]) -> None:
    """Refuse facts that name a message the person does not have."""
    problems = [
        FactProblem(
            index,
            ("message",),
            f"there is no message {fact.message_seq}; the last is {user.message_seq}",
        )
        for index, fact in enumerate(facts)
        if fact.message_seq is not None and not 0 < fact.message_seq <= user.message_seq
    ]
    if problems:
        raise FactsRefused(problems)


def check_targets(
    readings: Sequence[CheckedReading], before: Mapping[Key, Sequence[Statement]]
) -> None:
    """Refuse what speaks of a record that no reading has ever asserted, or withdraws no reading."""
    asserted = {key for key, said in before.items() if any(one.op == "assert" for one in said)}
    problems = []
    for reading in readings:
        kind, record_id = reading.key
        place = ("readings", reading.position)
        if reading.op == "assert":
            asserted.add(reading.key)
        elif reading.key not in asserted:
            detail = f"there is no {kind} {record_id!r} to {reading.op}; assert it first"
            problems.append(FactProblem(reading.index, (*place, "id"), detail))
        elif reading.op == "withdraw":
            earlier = {one.seq for one in before.get(reading.key, ())}
            if reading.data["reading"] not in earlier:
                detail = f"that is no earlier reading about the {kind} {record_id!r}"
                path = (*place, "data", "reading")
                problems.append(FactProblem(reading.index, path, detail))
    if problems:
        raise FactsRefused(problems)
