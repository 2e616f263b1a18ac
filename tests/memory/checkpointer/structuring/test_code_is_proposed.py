"""What was said and has no place leads to code that passed every check, and to an early alert."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

from django.contrib.auth.models import User as Staff

from alerts.models import Alert
from memory.models import (
    Job,
    JobStatus,
    MemoryUser,
    Need,
    NeedStatus,
    ProposalOrigin,
    ProposalStatus,
)
from tests.api_client import Api
from tests.memory.checkpointer.structuring.conftest import only, prompt_of
from tests.memory.checkpointer.structuring.written import SAID, written
from tests.model_server import Script, answers
from tests.proposals import approved
from tests.queue import deliver_all

Asked = Callable[..., Need]
CHECKS = [
    "answer",
    "readings",
    "policy",
    "schemas",
    "types",
    "tests",
    "records",
    "proof",
    "rules tried",
    "replay",
]


def test_a_good_answer_is_proposed_and_takes_effect_once_approved(
    api: Api, person: MemoryUser, server: Script, asked: Asked, caregiver: Staff, day: date
) -> None:
    need = asked(answers(written()))
    found = only(person)
    assert [(one["name"], one["ok"]) for one in found.checks] == [(one, True) for one in CHECKS]
    assert (found.status, found.origin, found.model) == (
        ProposalStatus.OPEN,
        ProposalOrigin.MODEL,
        "small",
    )
    assert (found.facts, found.attempts) == ([1], [])
    assert found.cost == Decimal("0.00024")
    assert (need.status, need.proposal) == (NeedStatus.PROPOSED, found)
    (early,) = found.provisional["found"]
    assert early["rule"] == "pet_alone"
    assert "leaves Rex alone over 4 hours" in early["summary"]
    assert Alert.every.provisional().active().filter(user=person).count() == 1
    assert [len(step["opened"]) for step in found.replay if step["seq"]] == [1]
    approved(found, caregiver)
    deliver_all()
    need.refresh_from_db()
    assert need.status == NeedStatus.MET
    assert api.records(person, "pets.Pet") == {"rex": {"name": "Rex", "alone_hours": 4}}
    alert = Alert.objects.active().get(user=person, rule="pet_alone")
    assert alert.summary == early["summary"]
    assert not Alert.every.provisional().active().filter(user=person).exists()
    assert Job.objects.filter(name="structure", status=JobStatus.DONE).exists()


def test_the_prompt_has_what_the_model_needs(server: Script, asked: Asked) -> None:
    asked(answers("no JSON"))
    text = prompt_of(server, 0)
    for part in (
        SAID,
        '"because": "what was said has no place, or asks for a rule"',
        "schedule.Engagement in engagements (1)",
        '"kind": "notes.Note"',
        "# domains/lending/schema.py",
    ):
        assert part in text
    assert len(text.encode()) / 3 < 24_000
