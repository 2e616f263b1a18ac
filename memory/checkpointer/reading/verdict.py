"""What came of checking a model's answer: its facts, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memory.actions.check_facts import CheckedReading, NewFact, NewReading
from memory.checkpointer.reading.answer import FoundConcern, FoundFact, FoundReading
from memory.checkpointer.reading.item import Item

MOST_TOLD, LONGEST_TOLD = 20, 300


@dataclass(frozen=True)
class Problem:
    """What is wrong: with which message (None: with none that was asked about), where, why."""

    number: int | None
    path: str
    detail: str

    def __str__(self) -> str:
        about = "" if self.number is None else f"number {self.number}: "
        return f"{about}{self.path}: {self.detail}"[:LONGEST_TOLD]


@dataclass
class ReadFact:
    """One statement of a message: when it was true, and its readings with what to do with each."""

    number: int
    path: str
    item: Item
    found: FoundFact
    occurred_at: datetime
    precision: str
    doubts: list[str]
    checked: list[CheckedReading] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    seq: int = 0
    """Of its fact, once that is stored."""

    def new_fact(self) -> NewFact:
        """The fact to append, with the readings that are not held."""
        pairs = zip(self.found.readings, self.held, strict=True)
        return NewFact(
            text=self.found.text,
            occurred_at=self.occurred_at,
            source="model",
            session=self.item.session,
            message_seq=self.item.seq if self.item.stream == "message" else None,
            metadata={"read": self.about()},
            readings=tuple(new_reading(reading) for reading, held in pairs if not held),
        )

    def about(self) -> dict[str, object]:
        """What was found beside the readings."""
        return {
            "quote": self.found.quote,
            "speaker": self.found.speaker,
            "status": self.found.status,
            "precision": self.precision,
            "fit": self.found.fit,
            "needs": self.found.needs,
            "doubts": self.doubts,
        }


@dataclass
class Verdict:
    """The facts of each message by its number, why others have none, and what is wrong.

    `concerns` are those that are right, `odd` what is wrong with others: no fact depends on them.
    """

    facts: list[ReadFact] = field(default_factory=list)
    nothing: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    concerns: list[FoundConcern] = field(default_factory=list)
    odd: list[Problem] = field(default_factory=list)

    @property
    def told(self) -> str:
        """The problems for the model, a line each; empty where all is right."""
        all_ = [*self.problems, *self.odd]
        more = len(all_) - MOST_TOLD
        lines = [str(one) for one in all_[:MOST_TOLD]]
        return "\n".join([*lines, *([f"and {more} more"] if more > 0 else [])])


def new_reading(reading: FoundReading) -> NewReading:
    """A reading as an app would post it."""
    return NewReading(reading.kind, reading.op, reading.id, reading.data)
