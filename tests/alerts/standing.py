"""Evaluate a person by hand, and compare what stands with a fresh look at everything."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from alerts.evaluation.run import Evaluated, evaluate, queue_limits
from alerts.models import Alert, AlertEvent, Watermark
from memory.models import MemoryUser
from tests.database import triggers_lifted

SHOWN = (
    *("rule", "severity", "summary", "detail", "grade", "action", "due"),
    *("basis", "unknown", "evidence"),
)


def evaluated(person: MemoryUser, now: datetime | None = None) -> Evaluated:
    """Evaluate as the queue does."""
    return evaluate(user_id=person.pk, now=now or timezone.now(), limits=queue_limits())


def standing(person: MemoryUser) -> list[dict[str, Any]]:
    """What the alerts that have not been cleared show, in a fixed order."""
    rows = Alert.objects.active().filter(user=person).values("dedupe_key", *SHOWN)
    return sorted(rows, key=lambda row: row["dedupe_key"])


def from_scratch(person: MemoryUser, now: datetime | None = None) -> list[dict[str, Any]]:
    """What stands after an evaluation from an empty alert table."""
    with triggers_lifted():
        AlertEvent.objects.filter(user=person).delete()
    Alert.objects.filter(user=person).delete()
    Watermark.objects.filter(user=person).delete()
    evaluated(person, now)
    return standing(person)


def kinds_of_events(person: MemoryUser) -> list[str]:
    """What happened to the person's alerts, in order."""
    rows = AlertEvent.objects.filter(user=person).order_by("pk")
    return list(rows.values_list("kind", flat=True))
