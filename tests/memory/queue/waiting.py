"""Things that wait for a reviewer, and the queue as somebody sees it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.test import Client
from django.utils import timezone

from memory.actions.held import standing_at
from memory.models import HeldReading, MemoryUser, Proposal
from tests.alerts.early_words import proposed_notes
from tests.alerts.foresight import EVERY_NOTE

CRITICAL_NOTE = EVERY_NOTE.replace('"info"', '"critical"')
ITEM = re.compile(r'id="item-([\w-]+)" data-item')


def items(client: Client, query: str = "", **form: str) -> list[str]:
    """The ids of the items that the queue lists, in order; a form is sent by POST."""
    address = f"/proposals{query}"
    answer = client.post(address, form) if form else client.get(address)
    assert answer.status_code == 200
    return ITEM.findall(answer.content.decode())


def held_reading(person: MemoryUser, **more: Any) -> HeldReading:
    """A reading of a model that would take away the person's allergy."""
    now = timezone.now()
    said = {
        "fact_seq": 1,
        "kind": "health.Allergy",
        "record_id": "penicillin",
        "op": "retract",
        "data": {},
        "effective_at": now,
        "quote": "I am not allergic to penicillin",
        "held_at": now,
    }
    return HeldReading.objects.create(user=person, **{**said, **more})


def seen(held: HeldReading) -> str:
    """What a form of a held reading is bound to."""
    return str(standing_at(held))


def danger(person: MemoryUser) -> Proposal:
    """An open proposal whose rule calls every note critical."""
    return proposed_notes(person, CRITICAL_NOTE)


def made_at(row: Any, moment: datetime, column: str) -> None:
    """Let something have waited since a moment."""
    type(row)._base_manager.filter(pk=row.pk).update(**{column: moment})
