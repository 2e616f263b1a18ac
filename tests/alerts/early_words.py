"""What the model noticed, and what a proposed rule would say, as the memory tells of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from alerts.models import Alert, AlertEvent
from memory.evaluator import Concern, evaluator
from memory.models import MemoryUser, Proposal
from tests.alerts.foresight import EVERY_NOTE, RULE, would
from tests.proposals import proposed, with_files

PENICILLIN = ("health.Allergy", "penicillin")
AMOXICILLIN = ("health.Medication", "amoxicillin")


def concern(quote: str = "I started amoxicillin", /, **more: Any) -> Concern:
    """A concern about the allergy, unless told otherwise."""
    told = {
        "severity": "warning",
        "summary": "Amoxicillin may not be for somebody with this allergy",
        "detail": "It is a penicillin.",
        "message_seq": 1,
        "facts": (2,),
        "records": (PENICILLIN,),
    }
    return Concern(quote=quote, **{**told, **more})


def noticed(person: MemoryUser, *concerns: Concern) -> list[Alert]:
    """The person's concerns once these have been told of too, in order."""
    with transaction.atomic():
        evaluator().notice(user=person, concerns=concerns, now=timezone.now())
    return list(Alert.every.concerns().filter(user=person).order_by("pk"))


def proposed_notes(person: MemoryUser, source: str = EVERY_NOTE) -> Proposal:
    """A proposal of a rule that tells of every note, with what it would say now."""
    project = with_files(person, {RULE: source})
    return proposed(person, project, provisional=would(person, project, "every_note"))


def provisional(person: MemoryUser) -> list[tuple[str, str]]:
    """Summary and status of the person's provisional alerts, in order."""
    rows = Alert.every.provisional().filter(user=person).order_by("pk")
    return list(rows.values_list("summary", "status"))


def statuses(words: Sequence[Alert]) -> list[str]:
    """How these stand now, in order."""
    by_pk = dict(Alert.every.filter(pk__in=[one.pk for one in words]).values_list("pk", "status"))
    return [by_pk[one.pk] for one in words]


def events_of(word: Alert) -> list[str]:
    """What happened to it, in order."""
    return list(AlertEvent.objects.filter(alert=word).order_by("pk").values_list("kind", flat=True))
