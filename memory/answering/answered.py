"""What came of a question: an answer that holds, or that it is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from memory.answering.evidence import RestsOn
from memory.answering.material import Material
from memory.answering.prompt import Asked
from memory.answering.quoted import Quoted
from memory.models import MemoryUser
from memory.querying.ask import Answer

NOT_KNOWN = "Not known."


@dataclass(frozen=True)
class Answered:
    """An answer with all that it rests on.

    `code` is the whole query, quotes and all, as it can be run again; `answer` what came of it.
    `why` says what was wrong with the last answer where none of the model's could stand; `refused`
    how many could not. Of a text alone, `seq`, `version` and `today` are those it was asked at.
    """

    question: str
    how: Literal["query", "text", "unknown"]
    sentence: str
    seq: int
    reading_seq: int
    version: str
    today: date
    shown_excerpts: int
    prompt: str
    refused: int
    seconds: float
    why: str = ""
    code: str = ""
    answer: Answer | None = None
    quotes: tuple[Quoted, ...] = ()
    rests: RestsOn = field(default_factory=RestsOn)

    @property
    def known(self) -> bool:
        """Whether there is an answer."""
        return self.how != "unknown"

    @property
    def facts(self) -> tuple[int, ...]:
        """The seq of every fact that it rests on: quoted, or below a record."""
        quoted = {one.excerpt.seq for one in self.quotes if one.excerpt.stream == "fact"}
        return tuple(sorted({*self.rests.facts, *quoted}))

    @classmethod
    def unknown(
        cls,
        user: MemoryUser,
        material: Material,
        asked: Asked,
        refused: Sequence[str],
        seconds: float,
        why: str,
    ) -> Answered:
        """That it is not known, at the moment of the log that the question was asked at."""
        return cls(
            question=material.question,
            how="unknown",
            sentence=NOT_KNOWN,
            seq=user.fact_seq,
            reading_seq=user.reading_seq,
            version=material.project.digest,
            today=material.today,
            shown_excerpts=len(asked.excerpts),
            prompt=asked.instructions.digest,
            refused=len(refused),
            seconds=seconds,
            why=why,
        )
