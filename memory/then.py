"""A person as they were known at an earlier moment: the log up to there, and the code of then.

What was known is what had been recorded, whenever it was true: a fact of that day which came a
week later is not among it. As of a fact's seq, it is the moment at which that fact had just been
recorded, without those that came in the same post after it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Max

from memory.actions.project_state import Key
from memory.actions.rebuild_state import records_from
from memory.code import Code
from memory.code_history import code_then
from memory.models import GENESIS, Fact, MemoryUser, Reading, ReadingBody, Record, Stream
from memory.retrieval.narrowing import known_at
from memory.snapshot import snapshot

When = datetime | int
EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
"""A date in every time zone; before it nothing was recorded anyway."""


class NotYet(ValueError):
    """A moment that has not been yet, or a fact that has not been recorded; it says which."""


@dataclass(frozen=True)
class Then:
    """What of a person's log had been recorded by a moment, and their code of then.

    It holds the facts up to one seq, and of the readings up to another those of these facts.
    """

    user: MemoryUser
    moment: datetime
    fact_seq: int
    reading_seq: int
    code: Code

    @property
    def today(self) -> date:
        """The person's local date of then."""
        return self.user.local_date(self.moment)

    @property
    def fact_hash(self) -> str:
        """Where the chain of facts ended."""
        own = Fact.objects.filter(user=self.user, seq=self.fact_seq)
        return own.values_list("hash", flat=True).first() or GENESIS

    def knew(self, reading_seq: int, fact_seq: int) -> bool:
        """Whether a reading of a fact had been made."""
        return reading_seq <= self.reading_seq and fact_seq <= self.fact_seq

    def readings(self, kinds: Collection[str] | None = None) -> Iterator[Mapping[str, Any]]:
        """The canonical values of what had been read, in order; of some kinds, or of all."""
        rows = ReadingBody.objects.filter(user=self.user, seq__lte=self.reading_seq)
        if kinds is not None:
            rows = rows.filter(kind__in=kinds)
        for text in rows.order_by("seq").values_list("canonical", flat=True).iterator():
            body = json.loads(text)
            if self.knew(body["seq"], body["fact_seq"]):
                yield body

    def records(self, kinds: Collection[str] | None = None) -> dict[Key, Record]:
        """The records there were, unsaved, sorted by kind and id; of some kinds, or of all."""
        found = records_from(self.user, self.readings(kinds), self.code.project.kinds)
        return {key: found[key] for key in sorted(found)}


def then(user: MemoryUser, when: When, *, now: datetime) -> Then:
    """The person at a moment, or when the fact of a seq had just been recorded.

    Raises NotYet, and CodeTampered.
    """
    check_past(user, when, now=now)
    with snapshot():
        moment = moment_of(user, when)
        known = known_at(user, [Stream.FACT], when).heads[Stream.FACT]
        read = Reading.objects.filter(user=user, recorded_at__lte=moment, fact_seq__lte=known)
        last: int | None = read.aggregate(last=Max("seq"))["last"]
        return Then(user, moment, known, last or 0, code_then(user, moment))


def check_past(user: MemoryUser, when: When, *, now: datetime) -> None:
    """Raises NotYet for a moment still to come, and for a fact that is not there."""
    if isinstance(when, int):
        if when > user.fact_seq:
            raise NotYet(f"there is no fact {when} yet; the last one is {user.fact_seq}")
    elif when > now:
        raise NotYet("the moment lies in the future; nothing is known of it yet")


def moment_of(user: MemoryUser, when: When) -> datetime:
    """When the fact of a seq was recorded; a moment is itself. Before the first: the beginning."""
    if not isinstance(when, int):
        return max(when, EARLIEST)
    facts = Fact.objects.filter(user=user, seq=when)
    recorded: datetime | None = facts.values_list("recorded_at", flat=True).first()
    return recorded or user.created_at
