"""What a model reads, and what a person confirms of it, is looked at by proposed rules too."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from memory.actions.held import confirm_held, standing_at
from memory.models import HeldReading, MemoryUser
from tests.alerts.early_words import proposed_notes, provisional
from tests.api_client import Api
from tests.facts import fact, medication, note, reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Script, answers
from tests.queue import deliver_all

MILK = found("I drink milk", reading("notes.Note", text="milk"))
STOPPED = found(
    "I stopped the amoxicillin",
    reading("health.Medication", "update", "amoxicillin", status="stopped"),
)
EVERY_STOP = '''"""Tells of every drug that was stopped."""

from datetime import date

from domains.health.state import medications
from uac import Alert


def check(today: date) -> list[Alert]:
    stopped = [one for one in medications if one.status == "stopped"]
    return [Alert("info", f"Stopped: {one.name}", [one]) for one in stopped]
'''


@pytest.mark.parametrize("said", ["in a message", "in a fact"])
def test_what_a_model_reads_is_foreseen(
    api: Api, person: MemoryUser, server: Script, says: Post, said: str
) -> None:
    api.append(person, note("tea"))
    proposed_notes(person)
    deliver_all()
    server.plays(answers(answer(entry(1, MILK))))
    if said == "in a message":
        says("I drink milk.")
    else:
        api.append(person, fact("I drink milk."))
    deliver_all()
    assert provisional(person) == [("Note: tea", "open"), ("Note: milk", "open")]


def test_what_is_held_is_foreseen_once_it_is_confirmed(
    api: Api, person: MemoryUser, server: Script, says: Post, caregiver: Staff
) -> None:
    api.append(person, {**medication("amoxicillin"), "occurred_at": "2026-03-01T09:00:00Z"})
    proposed_notes(person, EVERY_STOP)
    server.plays(answers(answer(entry(1, STOPPED))))
    says("I stopped the amoxicillin on Monday.")
    deliver_all()
    assert provisional(person) == []
    held = HeldReading.objects.get()
    confirm_held(held_id=held.pk, seen=standing_at(held), actor=caregiver, now=timezone.now())
    deliver_all()
    assert provisional(person) == [("Stopped: amoxicillin", "open")]
