"""Read the log: entries with their bodies and readings, page by page."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memory.models import Fact, FactBody, MemoryUser, Message, MessageBody, Reading, ReadingBody
from memory.project.chain import parse_moment


@dataclass(frozen=True)
class ReadingEntry:
    """A reading as it stands in the log; `places` is the seq of the reading it gave a record."""

    seq: int
    fact_seq: int
    kind: str
    record_id: str
    op: str
    data: dict[str, Any]
    origin: str
    places: int | None


@dataclass(frozen=True)
class FactEntry:
    """A fact with its text and its readings."""

    seq: int
    text: str
    occurred_at: datetime
    recorded_at: datetime
    source: str
    session: str
    message_seq: int | None
    metadata: Any
    corrects: int | None
    hash: str
    readings: tuple[ReadingEntry, ...]


@dataclass(frozen=True)
class MessageEntry:
    """A turn of conversation with its text."""

    seq: int
    role: str
    content: str
    said_at: datetime
    recorded_at: datetime
    session: str
    metadata: Any
    hash: str


@dataclass(frozen=True)
class FactFilter:
    """What a list of facts is narrowed to; empty means no narrowing."""

    source: str = ""
    session: str = ""
    kind: str = ""
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    recorded_from: datetime | None = None
    recorded_to: datetime | None = None

    def apply(self, user: MemoryUser) -> QuerySet[Fact]:
        """The person's facts that pass."""
        bounds = {
            "occurred_at__gte": self.occurred_from,
            "occurred_at__lt": self.occurred_to,
            "recorded_at__gte": self.recorded_from,
            "recorded_at__lt": self.recorded_to,
        }
        facts = Fact.objects.filter(
            user=user, **{name: bound for name, bound in bounds.items() if bound is not None}
        )
        places = {"source": self.source, "session": self.session}
        said = {name: value for name, value in places.items() if value}
        if said:
            facts = facts.filter(seq__in=FactBody.objects.filter(user=user, **said).values("seq"))
        if self.kind:
            bodies = ReadingBody.objects.filter(user=user, kind=self.kind).values("seq")
            readings = Reading.objects.filter(user=user, seq__in=bodies)
            facts = facts.filter(seq__in=readings.values("fact_seq"))
        return facts


def page_of_facts(
    user: MemoryUser, narrowed: FactFilter, *, after: int | None, limit: int, newest_first: bool
) -> list[FactEntry]:
    """Up to `limit` facts that follow the one with seq `after`, in the order asked for."""
    facts = narrowed.apply(user)
    if after is not None:
        facts = facts.filter(seq__lt=after) if newest_first else facts.filter(seq__gt=after)
    return with_bodies(user, facts.order_by("-seq" if newest_first else "seq")[:limit])


def facts_by_seq(user: MemoryUser, seqs: Iterable[int]) -> dict[int, FactEntry]:
    """These facts of a person, by seq."""
    facts = Fact.objects.filter(user=user, seq__in=set(seqs)).order_by("seq")
    return {fact.seq: fact for fact in with_bodies(user, facts)}


def texts_by_seq(user: MemoryUser, seqs: Iterable[int]) -> dict[int, str]:
    """The words of these facts of a person, by seq; one query."""
    bodies = FactBody.objects.filter(user=user, seq__in=set(seqs))
    return {
        seq: json.loads(canonical)["text"]
        for seq, canonical in bodies.values_list("seq", "canonical")
    }


def with_bodies(user: MemoryUser, facts: Iterable[Fact]) -> list[FactEntry]:
    """The facts with text and readings, in three queries whatever their number."""
    rows = list(facts)
    seqs = [fact.seq for fact in rows]
    bodies = dict(FactBody.objects.filter(user=user, seq__in=seqs).values_list("seq", "canonical"))
    readings = readings_of(user, seqs)
    return [_fact(row, json.loads(bodies[row.seq]), readings[row.seq]) for row in rows]


def _fact(row: Fact, body: dict[str, Any], readings: list[ReadingEntry]) -> FactEntry:
    return FactEntry(
        seq=row.seq,
        text=body["text"],
        occurred_at=row.occurred_at,
        recorded_at=row.recorded_at,
        source=body["source"],
        session=body["session"],
        message_seq=body["message"],
        metadata=json.loads(body["metadata"]),
        corrects=body.get("corrects"),
        hash=row.hash,
        readings=tuple(readings),
    )


def readings_of(user: MemoryUser, fact_seqs: Iterable[int]) -> dict[int, list[ReadingEntry]]:
    """The readings of some facts, by the fact's seq."""
    own = Reading.objects.filter(user=user, fact_seq__in=list(fact_seqs)).values("seq")
    bodies = ReadingBody.objects.filter(user=user, seq__in=own).order_by("seq")
    found: dict[int, list[ReadingEntry]] = defaultdict(list)
    for canonical in bodies.values_list("canonical", flat=True):
        body = json.loads(canonical)
        found[body["fact_seq"]].append(
            ReadingEntry(
                seq=body["seq"],
                fact_seq=body["fact_seq"],
                kind=body["kind"],
                record_id=body["record_id"],
                op=body["op"],
                data=json.loads(body["data"]),
                origin=body["origin"],
                places=body.get("places"),
            )
        )
    return found


def fact_seq_by_reading(user_id: UUID, seqs: Iterable[int]) -> dict[int, int]:
    """The seq of the fact of each of these readings, by the reading's; no query for none."""
    wanted = set(seqs)
    if not wanted:
        return {}
    rows = Reading.objects.filter(user=user_id, seq__in=wanted)
    return dict(rows.values_list("seq", "fact_seq"))


def page_of_messages(
    user: MemoryUser, *, session: str, after: int | None, limit: int, newest_first: bool
) -> list[MessageEntry]:
    """Up to `limit` messages that follow the one with seq `after`, in the order asked for."""
    bodies = MessageBody.objects.filter(user=user)
    if session:
        bodies = bodies.filter(session=session)
    if after is not None:
        bodies = bodies.filter(seq__lt=after) if newest_first else bodies.filter(seq__gt=after)
    return _with_hashes(user, bodies.order_by("-seq" if newest_first else "seq")[:limit])


def messages_by_seq(user: MemoryUser, seqs: Iterable[int]) -> dict[int, MessageEntry]:
    """These messages of a person, by seq; two queries."""
    bodies = MessageBody.objects.filter(user=user, seq__in=set(seqs)).order_by("seq")
    return {one.seq: one for one in _with_hashes(user, bodies)}


def _with_hashes(user: MemoryUser, bodies: Iterable[MessageBody]) -> list[MessageEntry]:
    rows = list(bodies)
    hashes = dict(
        Message.objects.filter(user=user, seq__in=[row.seq for row in rows]).values_list(
            "seq", "hash"
        )
    )
    return [_message(row, json.loads(row.canonical), hashes[row.seq]) for row in rows]


def _message(row: MessageBody, body: dict[str, Any], link: str) -> MessageEntry:
    return MessageEntry(
        seq=row.seq,
        role=body["role"],
        content=body["content"],
        said_at=parse_moment(body["said_at"]),
        recorded_at=parse_moment(body["recorded_at"]),
        session=body["session"],
        metadata=json.loads(body["metadata"]),
        hash=link,
    )
