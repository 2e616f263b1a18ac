"""Ask a question in Python over a person's state. Reads the database and changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import chain
from typing import Any

from memory.library.reference import load
from memory.looked_up import named_in_records, rows_about
from memory.models import MemoryUser
from memory.project.bundle import Situation, StateSlice, query_feeds, without_project_imports
from memory.project.kinds import Kind
from memory.project.shipped import library
from memory.querying.checking import Checked, checker_of
from memory.querying.failures import QUERY, as_failure
from memory.querying.lanes import lane_of
from memory.querying.remarks import NotNow, QueryFailed, Remark
from memory.querying.state import CodeMoved, Head, Seen, look, look_back, read, read_back
from memory.querying.values import as_json, type_of
from memory.sandbox import Encoded, Feed, Limits, Outcome, Prefix, Program, SandboxError, run
from memory.then import Then

LIMITS = Limits(
    total_seconds=10.0,
    feed_seconds=5.0,
    memory_bytes=512 * 2**20,
    returned_items=200_000,
    returned_text=4_000_000,
)
ATTEMPTS = 3
NO_STATE = Feed("state", "assert False\n")  # ends a program whose records are not to be had


@dataclass(frozen=True)
class Answer:
    """What a query gave, and what it holds for.

    `value` is plain data of the sandbox; `json` and `type` are its readable forms. `version` is the
    digest of the person's project.
    """

    value: Any
    kinds: Mapping[str, Kind]
    printed: str
    collections: tuple[str, ...]
    head: Head
    version: str
    today: date
    warnings: tuple[Remark, ...]
    seconds: float

    @property
    def json(self) -> Any:
        """The value as JSON (`memory.querying.values`)."""
        return as_json(self.value, self.kinds)

    @property
    def type(self) -> str:
        """The value's type in words."""
        return type_of(self.value, self.kinds)


def ask(
    user: MemoryUser,
    code: str,
    *,
    now: datetime,
    limits: Limits = LIMITS,
    known: Then | None = None,
) -> Answer:
    """Check a query and run it alone, outside any transaction; over what was `known`, if told.

    A worker that has answered the person since their last reading still has the state, and no
    record is read. Raises QueryFailed, and NotNow where the query is not at fault.
    """
    asking = _Asking(code.replace("\r\n", "\n"), now, limits)  # as forms send it
    for _ in range(ATTEMPTS):
        try:
            return asking.attempt(look(user.pk, now)) if known is None else asking.back(known)
        except CodeMoved:
            continue
        except SandboxError as error:
            raise as_failure(error, asking.code, limits) from error
    raise NotNow("The person's code is being changed; try again in a moment.")


class _Asking:
    """One query, and how long it has taken so far."""

    def __init__(self, code: str, now: datetime, limits: Limits) -> None:
        self.code, self.now, self.limits = code, now, limits
        self.started = time.perf_counter()

    def attempt(self, seen: Seen) -> Answer:
        """Raises CodeMoved, SandboxError, QueryFailed and NotNow."""
        checked = checker_of(seen.project, library()).check(self.code, lane_of(seen.user_id))
        lazily = _Lazily(seen, checked)
        try:
            head, outcome = seen.head, self.run(seen, checked, seen.head, lazily)
        except SandboxError:
            if not lazily.moved:
                raise
            # Readings came in between: read them and the log at once, worker or not
            head, state = read(seen, checked.reads.collections)
            outcome = self.run(seen, checked, head, lambda: state)
        return self.answer(seen, checked, head, outcome)

    def back(self, known: Then) -> Answer:
        """The same over what was known. Raises SandboxError, QueryFailed and NotNow."""
        seen = look_back(known)
        checked = checker_of(seen.project, library()).check(self.code, lane_of(seen.user_id))
        outcome = self.run(
            seen, checked, seen.head, lambda: read_back(known, checked.reads.collections)
        )
        return self.answer(seen, checked, seen.head, outcome)

    def answer(self, seen: Seen, checked: Checked, head: Head, outcome: Outcome) -> Answer:
        """What the run gave, with what it holds for."""
        return Answer(
            value=outcome.values[-1],
            kinds=seen.project.kinds_by_class,
            printed=outcome.printed,
            collections=checked.reads.collections,
            head=head,
            version=seen.project.digest,
            today=seen.today,
            warnings=checked.warnings,
            seconds=time.perf_counter() - self.started,
        )

    def run(
        self, seen: Seen, checked: Checked, head: Head, state: Callable[[], StateSlice | None]
    ) -> Outcome:
        """Run the query over the state at `head`. Raises SandboxError and NotNow."""
        left = self.limits.total_seconds - (time.perf_counter() - self.started)
        if left <= 0:
            raise NotNow("Checking the query took all its time; try again in a moment.")
        program = _program(seen, checked, head, state)
        limits = replace(self.limits, total_seconds=left)
        return run(program, limits=limits, workers=lane_of(seen.user_id))


class _Lazily:
    """Reads the records once a worker asks for them; None where they are of a later moment."""

    def __init__(self, seen: Seen, checked: Checked) -> None:
        self.seen, self.checked, self.moved = seen, checked, False

    def __call__(self) -> StateSlice | None:
        head, state = read(self.seen, self.checked.reads.collections)
        self.moved = not head.same_state(self.seen.head)
        return None if self.moved else state


def _program(
    seen: Seen, checked: Checked, head: Head, state: Callable[[], StateSlice | None]
) -> Program:
    uses_tables = any(one.reads_tables for one in library().that_provide(checked.reads.uses))
    named = named_in_records(checked.code) if uses_tables else frozenset()

    def feeds() -> tuple[Feed, ...]:
        records = state()
        if records is None:
            return (NO_STATE,)
        tables: dict[str, Any] = {"drug_rows": _rows(records, named) if uses_tables else []}
        return query_feeds(seen.project, library(), Situation(records, seen.today, tables))

    key = [
        "query",
        str(seen.user_id),
        str(head.reading_seq),
        *([f"fact-{head.fact_seq}"] if seen.past else []),
        seen.project.digest,
        library().digest,
        load().digest if uses_tables else "-",
        seen.today.isoformat(),
        *checked.reads.collections,
        *sorted(named),
    ]
    clock = Situation(StateSlice({}), seen.today, {}).clock
    feed = Feed(QUERY, without_project_imports(checked.code))
    return Program((feed,), now=clock, prefix=Prefix(" ".join(key), feeds))


def _rows(records: StateSlice, named: frozenset[str]) -> Encoded:
    """The table rows that the records and the query name."""
    text = "\n".join(chain.from_iterable(records.collections.values()))
    return rows_about(named | named_in_records(text))


__all__ = ["LIMITS", "Answer", "NotNow", "QueryFailed", "ask"]
