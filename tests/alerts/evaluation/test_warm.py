"""The code of the rules is ready in a sandbox worker before the first fact asks for it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from alerts.evaluation.warm import warm
from alerts.models import Alert
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, MemoryUser
from memory.project import bundle
from tests.alerts.standing import evaluated

DAY = datetime(2031, 5, 6, 12, tzinfo=UTC)  # no other test leaves anything ready for it


def _forbidden(*_: object) -> object:
    raise AssertionError("the code was loaded again")


def test_the_first_evaluation_finds_its_code_ready(
    person: MemoryUser, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm("medications", DAY.date())
    monkeypatch.setattr(bundle, "_code_feeds", _forbidden)
    readings = (
        NewReading("health.Allergy", "assert", None, {"substance": "amoxicillin"}),
        NewReading("health.Medication", "assert", None, {"name": "Amoxil"}),
    )
    append_facts(user_id=person.pk, facts=[NewFact("x", readings=readings)], actor=app, now=DAY)
    before = evaluated(person, DAY)
    assert before.cost.rules > 0
    assert Alert.objects.active().get(user=person, rule="drug_allergy").severity == "critical"
