"""How far the rules are behind the log, and what else waits for its turn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Min, OuterRef, Q, QuerySet, Subquery, Value

from alerts.evaluation.ground import ground
from alerts.models import Watermark
from memory.code import adopted_baseline
from memory.models import (
    Fact,
    HeldReading,
    MemoryUser,
    Message,
    Proposal,
    ProposalStatus,
    Reading,
    ToRead,
    Waiting,
)
from uac_site.operations.figures.queue import seconds_since

OF = "user_id"


@dataclass(frozen=True)
class LagFigures:
    """`seconds` since the oldest fact or reading was recorded that the rules have not seen.

    `people` are those behind for whatever reason, new code or tables among them.
    """

    people: int
    seconds: float


@dataclass(frozen=True)
class Waits:
    """What waits of one sort, and how long the oldest of it has."""

    what: str
    count: int
    seconds: float


def lag_figures(now: datetime) -> LagFigures:
    """The evaluator's lag at a moment; six queries."""
    marks = Watermark.objects.filter(user__erased_at=None)
    never = MemoryUser.objects.filter(watermark=None)
    unseen = never.filter(Q(fact_seq__gt=0) | Q(reading_seq__gt=0))
    behind = Watermark.objects.behind(adopted=adopted_baseline().digest, ground=ground())
    unmarked = marks.filter(fact_seq__lt=F("user__fact_seq"))
    unread = marks.filter(reading_seq__lt=F("user__reading_seq"))
    oldest = [
        _oldest(unmarked, Fact, F("fact_seq") + 1),
        _oldest(unread, Reading, F("reading_seq") + 1),
        _oldest(never.filter(fact_seq__gt=0), Fact, Value(1)),
        _oldest(never.filter(reading_seq__gt=0), Reading, Value(1)),
    ]
    seconds = max(seconds_since(moment, now) for moment in oldest)
    return LagFigures(behind.filter(user__erased_at=None).count() + unseen.count(), seconds)


def waiting_figures(now: datetime) -> list[Waits]:
    """What waits for a model or for a person; a query or two each."""
    facts = ToRead.objects.waiting().filter(stream="fact")
    messages = ToRead.objects.waiting().filter(stream="message")
    unplaced = Waiting.objects.all()
    held = HeldReading.objects.held()
    undecided = Proposal.objects.filter(status=ProposalStatus.OPEN)
    found: list[tuple[str, QuerySet[Any], datetime | None]] = [
        ("fact to be read", facts, _oldest(facts, Fact, F("seq"), OF)),
        ("message to be read", messages, _oldest(messages, Message, F("seq"), OF)),
        (
            "reading without a kind",
            unplaced,
            _oldest(unplaced, Reading, F("reading_seq"), OF),
        ),
        ("held reading", held, held.aggregate(at=Min("held_at"))["at"]),
        ("proposal", undecided, undecided.aggregate(at=Min("created_at"))["at"]),
    ]
    return [Waits(what, rows.count(), seconds_since(at, now)) for what, rows, at in found]


def _oldest(rows: QuerySet[Any], entry: Any, seq: Any, person: str = "pk") -> datetime | None:
    """When the entry of this seq was recorded for the person of each row, the oldest of all."""
    theirs = entry.objects.filter(user=OuterRef(person), seq=OuterRef("next"))
    recorded = Subquery(theirs.values("recorded_at")[:1])
    found = rows.annotate(next=seq).annotate(recorded=recorded).aggregate(at=Min("recorded"))
    at: datetime | None = found["at"]
    return at
