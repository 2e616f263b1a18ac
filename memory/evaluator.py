"""Where the memory asks for rules to be run; the alerts app answers (`AlertsConfig.ready`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from memory.models import MemoryUser, Proposal
from memory.project.fold import Statement
from memory.project.tree import Project


@dataclass(frozen=True)
class Span:
    """The facts a post appended: `first..last`, both included.

    `through` is how far the person is evaluated where the append itself could tell (`advance`).
    """

    first: int
    last: int
    through: int | None = None


@dataclass(frozen=True)
class Concern:
    """A conflict that the model noticed between a message and records it was shown.

    `records` are `(kind, id)`, at least one; `facts` the seq of what the message was read as.
    """

    severity: Literal["warning", "info"]
    summary: str
    detail: str
    quote: str
    message_seq: int | None
    facts: tuple[int, ...]
    records: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Would:
    """What rules would raise: the findings as `Alert` stores them, and the rules that failed.

    Each finding is `{"rule", "key", "severity", "summary", "detail", "grade", "action", "due",
    "basis", "unknown", "evidence": [{"kind", "id", "data", "facts"}]}`, `due` a date as text or
    None; `failed` is rule to reason.
    """

    found: tuple[dict[str, Any], ...]
    failed: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """As a proposal stores it."""
        return {"found": list(self.found), "failed": dict(self.failed)}


class Evaluator(Protocol):
    """Knows which rules read what, and runs them."""

    def notice(self, *, user: MemoryUser, concerns: Sequence[Concern], now: datetime) -> None:
        """Show concerns at once, as what they are; inside the transaction that stores the facts."""

    def would_find(
        self,
        *,
        user: MemoryUser,
        project: Project,
        rules: Collection[str],
        placed: Mapping[tuple[str, str], Sequence[Statement]],
        now: datetime,
    ) -> Would:
        """What these rules of a project would say of the person's records, with what is placed.

        `placed` are the statements that waiting readings would become, by kind and id. Nothing is
        stored. Raises NoWorker where the sandbox has no room.
        """

    def replay(
        self,
        *,
        user: MemoryUser,
        before: Project,
        after: Project,
        placed: Mapping[tuple[str, str], Sequence[Statement]],
        now: datetime,
    ) -> list[dict[str, Any]]:
        """What the rules that differ between two projects would have opened and cleared, and when.

        Fact by fact over the log, each with all that was ever read of it:
        `[{"seq", "on", "opened": [finding], "cleared": [finding]}]` in order, `on` the person's
        date when the fact was recorded. A finding is `{"rule", "key", "severity", "summary",
        "evidence": [{"kind", "id", "facts"}]}`, the gravest first; that a rule failed is one.
        `placed` as in `would_find`. Steps at which nothing changes are not listed, but for the
        last: `seq` None, `on` today, with what only the days since have changed and with `"gone":
        [finding]`, what `before` says today and `after` says no more, or less gravely, and where
        `before` has rules that differ with `"before"`, the same list told of those. Where a list
        was cut, `"more"` counts what is not in it.

        Facts of one day are one step where there are many. Of too many steps, and where the time
        runs out, the latest are looked at: the first listed then has `"left_out"`, how many steps
        before it were not, and opens all that stood by then. Empty where no rule differs. Nothing
        is stored. Raises NoWorker where the sandbox has no room.
        """

    def show_provisional(
        self, *, user: MemoryUser, proposal: Proposal | None, found: Would | None, now: datetime
    ) -> None:
        """Let this be what stands as provisional for the person; None: nothing does any more.

        Inside the transaction that makes, decides or supersedes the proposal, or that ends a job
        which has run its rules again; as the last thing that it does.
        """

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
