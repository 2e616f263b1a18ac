"""How much of what was said to and of a person a model has read: coverage, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from memory.models import HeldReading, MemoryUser, ReadStatus, ToRead


@dataclass(frozen=True)
class ReadingCounts:
    """Messages and untyped facts by where their reading stands; `last_at` is the last success."""

    waiting: int
    stuck: int
    read: int
    nothing: int
    held: int
    last_at: datetime | None

    @property
    def accounted(self) -> int:
        """Those of which it is known what they say, if only that it is nothing."""
        return self.read + self.nothing

    @property
    def all(self) -> int:
        """Everything there is to read."""
        return self.accounted + self.waiting + self.stuck

    @property
    def coverage(self) -> float | None:
        """The accounted among all, from 0 to 1; None where there is nothing to read."""
        return self.accounted / self.all if self.all else None

    @property
    def percent(self) -> int | None:
        """The coverage in whole per cent, rounded down: 100 means everything."""
        return self.accounted * 100 // self.all if self.all else None


def reading_of(person: MemoryUser) -> ReadingCounts:
    """The counts of a person; one query, two where there is something to read."""
    done = Q(status__in=(ReadStatus.READ, ReadStatus.NOTHING))
    counted = ToRead.objects.filter(user=person).aggregate(
        **{status.value: Count("seq", filter=Q(status=status)) for status in ReadStatus},
        last_at=Max("tried_at", filter=done),
    )
    begun = any(counted[status.value] for status in ReadStatus)
    held = HeldReading.objects.held().filter(user=person).count() if begun else 0
    return ReadingCounts(**counted, held=held)
