"""Facts that no rule reads move the watermark without a run; nothing waiting is passed over."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from alerts.evaluation import run as evaluation
from alerts.models import Watermark
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, MemoryUser
from tests.api_client import Api
from tests.facts import allergy, medication, note


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each time the rules were looked for."""
    seen: list[str] = []
    evaluate = evaluation.evaluate

    def counted(**arguments: Any) -> Any:
        seen.append("look")
        return evaluate(**arguments)

    monkeypatch.setattr(evaluation, "evaluate", counted)
    return seen


def test_a_note_moves_the_watermark_and_no_rule_is_looked_for(
    api: Api, person: MemoryUser, looks: list[str]
) -> None:
    api.append(person, allergy("penicillin"))
    looks.clear()
    answer = api.append(person, note("It rained."))
    mark = Watermark.objects.get(user=person)
    person.refresh_from_db()
    assert looks == []
    assert answer["evaluation"] == {"status": "done", "through_seq": 2}
    assert (mark.fact_seq, mark.reading_seq) == (person.fact_seq, person.reading_seq)


def test_what_a_crash_left_is_evaluated_with_the_note_that_comes_next(
    api: Api, app: App, person: MemoryUser
) -> None:
    api.append(person, medication("Amoxicillin"))
    reading = NewReading("health.Allergy", "assert", None, {"substance": "penicillin"})
    append_facts(
        user_id=person.pk,
        facts=[NewFact("said", readings=(reading,))],
        actor=app,
        now=timezone.now(),
    )
    api.append(person, note("It rained."))
    assert [alert["rule"] for alert in api.alerts(person)] == ["drug_allergy"]


@pytest.mark.parametrize("column", ["version", "ground"])
def test_other_code_or_tables_are_never_passed_over(
    api: Api, person: MemoryUser, looks: list[str], column: str
) -> None:
    api.append(person, allergy("penicillin"))
    Watermark.objects.filter(user=person).update(**{column: "of yesterday"})
    looks.clear()
    api.append(person, note("It rained."))
    assert looks == ["look"]


def test_another_date_is_never_passed_over(api: Api, person: MemoryUser, looks: list[str]) -> None:
    api.append(person, allergy("penicillin"))
    Watermark.objects.filter(user=person).update(local_date="2020-01-01")
    looks.clear()
    api.append(person, note("It rained."))
    assert looks == ["look"]


def test_a_failure_to_move_it_does_not_keep_the_fact_out(
    api: Api, person: MemoryUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.append(person, note("It rained."))

    def fail(**arguments: Any) -> Any:
        raise RuntimeError("the tables cannot be read")

    monkeypatch.setattr(evaluation, "advance_unaffected", fail)
    answer = api.append(person, note("It rained again."))
    assert answer["head"]["seq"] == 2
    assert answer["evaluation"] == {"status": "done", "through_seq": 2}
