"""Record the facts of a file, batch by batch, each as a post of its own that has effect once.

A batch's idempotency key is made of its lines: begun again, also with later lines mended, the
import passes over what is there and goes on with the first batch that is not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.actions.append_facts import append_facts
from memory.actions.check_facts import FactsRefused
from memory.actions.submissions import Idempotency
from memory.api.facts import facts_of
from memory.api.parsing import parse_json
from memory.api.problems import Problem
from memory.importing.lines import Line, batches, canonical
from memory.models import App, MemoryUser

SIZE = 500
"""Facts in a batch; another size is another key."""
MOST_TOLD = 20


class Refused(ValueError):
    """Lines that cannot be recorded: a sentence for each, with its number."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Recorded:
    """A batch that is in the log now: how many facts, and whether it was there before."""

    facts: int
    repeated: bool


def strictly(text: str) -> object:
    """A JSON text, read as the API reads one. Raises ValueError."""
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except Problem as problem:
        raise ValueError(problem.detail) from problem


def check(lines: Iterable[Line], *, now: datetime, size: int = SIZE) -> int:
    """How many facts there are, all of which have the shape of one. Raises Refused, BadLine.

    What depends on what is recorded (records, kinds, references) shows only as they are recorded.
    """
    count = 0
    faults: list[str] = []
    for batch in batches(lines, size):
        count += len(batch)
        try:
            facts_of(_body(batch), now)
        except Problem as problem:
            faults += _told(batch, problem)
        if len(faults) >= MOST_TOLD:
            break
    if faults:
        raise Refused(faults[:MOST_TOLD])
    return count


def record(
    lines: Iterable[Line],
    *,
    user: MemoryUser,
    app: App,
    now: Callable[[], datetime],
    size: int = SIZE,
) -> Iterator[Recorded]:
    """Record the facts, telling of each batch. Raises Refused where one does not fit.

    Each batch is recorded at the moment that `now` tells when its turn comes: others may post in
    between. Batches before one that does not fit stay; rules are run by the queue.
    """
    for batch in batches(lines, size):
        moment = now()
        try:
            appended = append_facts(
                user_id=user.pk,
                facts=facts_of(_body(batch), moment),
                actor=app,
                now=moment,
                idempotency=_idempotency(user, batch),
                evaluate_later=True,
            )
        except Problem as problem:
            raise Refused(_told(batch, problem)[:MOST_TOLD]) from problem
        except FactsRefused as error:
            faults = [
                f"line {batch[one.index].number}: /{'/'.join(map(str, one.path))}: {one.detail}"
                for one in error.problems[:MOST_TOLD]
            ]
            raise Refused(faults) from error
        yield Recorded(len(batch), appended.repeated)


def _body(batch: Sequence[Line]) -> dict[str, object]:
    return {"facts": [line.body for line in batch]}


def _idempotency(user: MemoryUser, batch: Sequence[Line]) -> Idempotency:
    digest = hashlib.sha256(canonical(batch)).hexdigest()
    return Idempotency(f"import {user.pk} {batch[0].number} {digest}", digest)


def _told(batch: Sequence[Line], problem: Problem) -> list[str]:
    """Each error of a problem document with the line it is in, instead of the fact's index."""
    faults = []
    for error in problem.errors or ():
        index = error.get("index", 0)
        pointer = str(error["pointer"]).removeprefix(f"/facts/{index}")
        faults.append(f"line {batch[index].number}: {pointer}: {error['detail']}")
    return faults or [f"line {batch[0].number}: {problem.detail}"]
