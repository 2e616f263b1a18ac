"""Where the memory asks for rules to be run; the alerts app answers (`AlertsConfig.ready`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from memory.models import MemoryUser


@dataclass(frozen=True)
class Span:
    """The facts a post appended: `first..last`, both included, and the kinds they speak of."""

    first: int
    last: int
    kinds: frozenset[str] = frozenset()


class Evaluator(Protocol):
    """Runs what the rules have not seen, within the time a request may take."""

    def __call__(
        self, *, user: MemoryUser, span: Span, queued: bool, now: datetime
    ) -> dict[str, Any]:
        """`{"evaluation": {...}, "alerts": {"opened": [...], ...}}`, for the answer to a post.

        With `queued` the queue has the evaluation already, and nothing runs here.
        """


_evaluators: list[Evaluator] = []


def register(evaluator: Evaluator) -> None:
    """Make this the evaluator."""
    _evaluators[:] = [evaluator]


def evaluate_after_append(
    *, user: MemoryUser, span: Span, queued: bool, now: datetime
) -> dict[str, Any]:
    """What the rules say after an append that has been committed."""
    return _evaluators[0](user=user, span=span, queued=queued, now=now)
