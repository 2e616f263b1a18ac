"""Readings that a model made and a person confirms or refuses, as items of the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, Value

from memory import access
from memory.access import Somebody
from memory.models import HeldReading, HeldStatus, ProposalOrigin
from memory.project.danger import DANGERS
from memory.queue.asked import Asked
from memory.queue.sources import entries
from memory.rights import Right
from memory.views.held_rows import HeldRow, held_rows

GRAVE = Value(DANGERS.index("warning"))
"""What it would change is protected: an allergy, a medication, a limit."""


class HeldReadings:
    """Held readings of the people whose readings somebody may confirm."""

    name = "held"
    right = Right.READINGS_CONFIRM

    def waiting(self) -> QuerySet[Any]:
        """Those that are held."""
        return self._entries(HeldReading.objects.held())

    def asked(self, somebody: Somebody, asked: Asked) -> QuerySet[Any] | None:
        """Those that somebody may decide and asks for; a model made them all."""
        if asked.status not in ("open", "decided") or asked.by not in ("", ProposalOrigin.MODEL):
            return None
        found = access.held_readings(somebody)
        found = found.held() if asked.is_open else found.exclude(status=HeldStatus.HELD)
        if asked.domain:
            found = found.filter(kind__startswith=f"{asked.domain}.")
        return self._entries(found, since="held_at" if asked.is_open else "decided_at")

    def rows(self, keys: Sequence[str], now: datetime) -> Mapping[str, HeldRow]:
        """Three queries, and those for code that is not at hand yet."""
        found = HeldReading.objects.filter(pk__in=keys).select_related("user", "decided_by")
        return {str(row.held.pk): row for row in held_rows(found)}

    def _entries(self, found: QuerySet[Any], since: str = "held_at") -> QuerySet[Any]:
        return entries(found, self.name, grave=GRAVE, since=since)
