"""What a search is narrowed to, and what was known at an earlier moment."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max

from memory.log import FactFilter
from memory.models import Fact, MemoryUser, Message, MessageBody, Reading, ReadingBody, Stream
from memory.retrieval.documents import STREAMS, heads
from memory.retrieval.index import Heads


@dataclass(frozen=True)
class Known:
    """What is looked at: everything up to these heads; `moment` is set for an earlier one."""

    heads: Heads
    moment: datetime | None = None


@dataclass(frozen=True)
class Narrowing:
    """Filters; empty means no narrowing. Kind, domain and source are of facts alone."""

    kind: str = ""
    domain: str = ""
    session: str = ""
    source: str = ""
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    recorded_from: datetime | None = None
    recorded_to: datetime | None = None

    @property
    def narrows(self) -> bool:
        """Whether there is any."""
        return self != Narrowing()

    def seqs(self, user: MemoryUser, stream: Stream, known: Known) -> set[int]:
        """The entries of a stream that pass."""
        if stream == Stream.FACT:
            return self._facts(user, known.moment)
        return self._messages(user)

    def _facts(self, user: MemoryUser, moment: datetime | None) -> set[int]:
        plain = FactFilter(
            source=self.source,
            session=self.session,
            occurred_from=self.occurred_from,
            occurred_to=self.occurred_to,
            recorded_from=self.recorded_from,
            recorded_to=self.recorded_to,
        )
        facts = plain.apply(user)
        if self.kind or self.domain:
            bodies = ReadingBody.objects.filter(user=user)
            bodies = bodies.filter(kind=self.kind) if self.kind else bodies
            bodies = bodies.filter(kind__startswith=f"{self.domain}.") if self.domain else bodies
            readings = Reading.objects.filter(user=user, seq__in=bodies.values("seq"))
            readings = readings.filter(recorded_at__lte=moment) if moment else readings
            facts = facts.filter(seq__in=readings.values("fact_seq"))
        return set(facts.order_by().values_list("seq", flat=True))

    def _messages(self, user: MemoryUser) -> set[int]:
        if self.kind or self.domain or self.source:
            return set()
        bounds: dict[str, Any] = {
            "said_at__gte": self.occurred_from,
            "said_at__lt": self.occurred_to,
            "recorded_at__gte": self.recorded_from,
            "recorded_at__lt": self.recorded_to,
        }
        given = {name: bound for name, bound in bounds.items() if bound is not None}
        messages = Message.objects.filter(user=user, **given)
        if self.session:
            bodies = MessageBody.objects.filter(user=user, session=self.session)
            messages = messages.filter(seq__in=bodies.values("seq"))
        return set(messages.order_by().values_list("seq", flat=True))


def known_now(user: MemoryUser, streams: Collection[Stream]) -> Known:
    """All there is, of these streams."""
    current = heads(user)
    return Known({stream: current[stream] for stream in STREAMS if stream in streams})


def known_at(user: MemoryUser, streams: Collection[Stream], when: datetime | int) -> Known:
    """What had been recorded by a moment, or when the fact of a seq had just been."""
    if isinstance(when, int):
        fact = Fact.objects.filter(user=user, seq__lte=when).order_by("-seq").first()
        if fact is None:
            return Known({stream: 0 for stream in STREAMS if stream in streams})
        moment, most = fact.recorded_at, {Stream.FACT: fact.seq}
    else:
        moment, most = when, {}
    found = {
        Stream.FACT: most[Stream.FACT] if most else _last(Fact, user, moment),
        Stream.MESSAGE: _last(Message, user, moment),
    }
    return Known({one: found[one] for one in STREAMS if one in streams}, moment)


def _last(model: type[Fact] | type[Message], user: MemoryUser, moment: datetime) -> int:
    rows = model.objects.filter(user=user, recorded_at__lte=moment)
    last: int | None = rows.aggregate(last=Max("seq"))["last"]
    return last or 0
