"""Where the memory asks for rules to be run; the alerts app answers (`AlertsConfig.ready`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from memory.models import MemoryUser


@dataclass(frozen=True)
class Span:
    """The facts a post appended: `first..last`, both included.

    `through` is how far the person is evaluated where the append itself could tell (`advance`).
    """

    first: int
    last: int
    through: int | None = None


class Evaluator(Protocol):
    """Knows which rules read what, and runs them."""

    def advance(
        self, *, user: MemoryUser, first: int, kinds: frozenset[str], now: datetime
    ) -> int | None:
        """The fact through which the person is evaluated, if no rule reads what is new.

        Runs inside the transaction that appended the facts from `first` on, which speak of these
        kinds. None where a rule has to run, or something older waits.
        """

    def evaluate(
        self, *, user: MemoryUser, span: Span, queued: bool, now: datetime
    ) -> dict[str, Any]:
        """`{"evaluation": {...}, "alerts": {"opened": [...], ...}}`, for the answer to a post.

        Runs after the append has been committed, within the time a request may take. With `queued`
        the queue has the evaluation already, and nothing runs here.
        """


_evaluators: list[Evaluator] = []


def register(evaluator: Evaluator) -> None:
    """Make this the evaluator."""
    _evaluators[:] = [evaluator]


def evaluator() -> Evaluator:
    """The evaluator that was registered."""
    return _evaluators[0]
