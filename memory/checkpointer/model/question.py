"""What a model is asked, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Generic, TypeVar
from uuid import UUID

from memory.checkpointer.model.answers import Shape
from memory.checkpointer.model.errors import AnswerRefused
from memory.checkpointer.prompts import Filled, prompt
from memory.models import Stage

T = TypeVar("T")


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Question(Generic[T]):
    """What is asked: instructions, the turns after them, and the shape of the answer.

    `person` is whom the call is for, None where it is for nobody in particular. `cancelled` is
    asked about twice a second, in silences and between pieces, from the thread that asked.
    """

    stage: Stage
    instructions: Filled
    shape: Shape[T]
    turns: tuple[tuple[str, str], ...] = ()
    person: UUID | None = None
    cancelled: Callable[[], bool] = _never

    def again(self, refused: AnswerRefused) -> Question[T]:
        """The question after an answer that did not fit, with what was wrong."""
        repair = prompt("repair").fill(problem=refused.problem)
        return replace(
            self, turns=(*self.turns, ("assistant", refused.text), ("user", repair.text))
        )


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A checked value, the text that it was read from, and what it took."""

    value: T
    text: str
    model: str
    tokens_in: int
    tokens_out: int
    cost: Decimal
