"""What a post of facts may hold, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory.actions.fit_reading import NewReading, fit_reading
from memory.actions.project_state import Key
from memory.code import Code
from memory.models import MemoryUser
from memory.project.fold import Op, Statement, fold
from memory.project.payload import PayloadError
from memory.project.references import Made
from memory.project.taken import kind_name
from memory.project.tree import Project

__all__ = [
    "ME",
    "CheckedReading",
    "FactProblem",
    "FactsRefused",
    "NewFact",
    "NewReading",
    "check_messages",
    "check_readings",
    "check_references",
    "check_targets",
    "targets",
]

ME: Key = ("people.Person", "me")


@dataclass(frozen=True)
class NewFact:
    """A statement to append; `occurred_at` is aware, and None means now.

    `corrects` is the seq of an earlier fact that was wrong: its readings are withdrawn.
    """

    text: str
    occurred_at: datetime | None = None
    source: str = ""
    session: str = ""
    message_seq: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    corrects: int | None = None
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
    """A reading that fits its kind: which fact and which of its readings, which record.

    One that waits for its kind says why in `waits`; its id in `key` is empty.
    """

    index: int
    position: int
    key: Key
    op: Op
    data: dict[str, Any]
    refs: tuple[Made, ...] = ()
    waits: str = ""


def check_readings(facts: Sequence[NewFact], code: Code, first: int) -> list[CheckedReading]:
    """Every reading of a post, checked; `first` is the seq the first fact will have.

    Raises FactsRefused with the problems of all of them.
    """
    checked: list[CheckedReading] = []
    problems: list[FactProblem] = []
    for index, fact in enumerate(facts):
        for position, sent in enumerate(fact.readings):
            reading = replace(sent, kind=kind_name(sent.kind, code.project))
            try:
                payload, reason = fit_reading(reading, code, f"f{first + index}-{position + 1}")
            except PayloadError as error:
                problems += [
                    FactProblem(index, ("readings", position, *problem.path), problem.detail)
                    for problem in error.problems
                ]
            else:
                key = (reading.kind, payload.record_id)
                checked.append(
                    CheckedReading(
                        index, position, key, reading.op, payload.data, payload.refs, reason
                    )
                )
    if problems:
        raise FactsRefused(problems)
    return checked


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
        if reading.waits:
            continue
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


def targets(refs: Iterable[Made], project: Project) -> Iterator[Key]:
    """The records that references mean, but for the person, who is always there."""
    for name, record_id, _ in refs:
        key = (project.kinds_by_class[name].full_name, record_id)
        if key != ME:
            yield key


def check_references(
    readings: Sequence[CheckedReading],
    code: Code,
    before: Mapping[Key, Sequence[Statement]],
    after: Callable[[Key], Sequence[Statement]],
) -> None:
    """Refuse references to records that are not there once the post has been taken.

    `after` gives what the post itself says of a record.
    """
    problems = [
        FactProblem(reading.index, ("readings", reading.position, *ref[2]), _no_target(key))
        for reading in readings
        for ref in reading.refs
        for key in targets([ref], code.project)
        if fold([*before.get(key, ()), *after(key)]) is None
    ]
    if problems:
        raise FactsRefused(problems)


def _no_target(key: Key) -> str:
    return f"there is no {key[0]} {key[1]!r} to refer to; assert it first, or in the same post"
