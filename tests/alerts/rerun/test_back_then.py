"""What would have fired at an earlier moment is what stood then; newer rules say it otherwise."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from alerts.actions import acknowledge_alert
from alerts.models import Alert
from alerts.rerun.back_then import back_then
from memory.models import App, MemoryUser
from memory.then import then
from tests.alerts.staff_pages import critical_alert
from tests.alerts.standing import SHOWN, evaluated, standing
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.memory.library.lives import LIVES, Life, lives_of
from tests.memory.library.rule_cases import tell
from tests.people import new_person
from tests.proposals import approved, current, proposed, with_files

LATE = '''"""A rule that came later."""

from datetime import date

from uac import Alert
from domains.health.state import allergies


def check(today: date) -> list[Alert]:
    """Say of every allergy that it is there."""
    return [Alert("info", f"There is {a.substance}", [a]) for a in allergies]
'''


def _lives() -> list[ParameterSet]:
    return [
        pytest.param(life, id=f"{path.stem}: {life.name}")
        for path in sorted(LIVES.glob("*.toml"))
        for life in lives_of(path)
        if life.steps and all(step.told for step in life.steps)
    ]


def _then(person: MemoryUser, moment: datetime, now: datetime) -> list[dict[str, Any]]:
    """What would have fired, as `standing` shows what stood."""
    found = back_then(then(current(person), moment, now=now))
    rows = [
        {
            "dedupe_key": one.finding.dedupe_key,
            "rule": one.finding.rule,
            **{name: one.content[name] for name in SHOWN if name in one.content},
            "due": one.finding.due,
        }
        for one in found.fired
    ]
    return sorted(rows, key=lambda row: row["dedupe_key"])


@pytest.mark.parametrize("life", _lives())
def test_what_would_have_fired_in_a_life_is_what_stood(life: Life, app: App) -> None:
    person = new_person(life.zone)
    days = [(life.now, [*life.given, *life.records])]
    days += [(step.now, step.told) for step in life.steps]
    stood = []
    for now, told in days:
        for one in told:
            tell(person, one, app, now)
        evaluated(person, now)
        stood.append((now, standing(person)))
    end = days[-1][0]
    for moment, alerts in stood:
        assert _then(person, moment, end) == alerts


def test_the_api_tells_which_was_raised(api: Api, person: MemoryUser) -> None:
    alert = critical_alert(api, person)
    raised = timezone.now()
    api.append(person, medication("amoxicillin", "retract"))
    path = f"users/{person.pk}/alerts"
    answer = api.get(path, as_of=raised.isoformat())
    assert answer.status_code == 200, answer.content
    body = answer.json()
    critical = [one for one in body["items"] if one["severity"] == "critical"]
    assert [(one["alert"], one["rule"]) for one in critical] == [(alert.pk, alert.rule)]
    assert critical[0]["evidence"] == alert.evidence
    assert (body["rules"], body["next"]) == ("then", None)
    assert body["as_of"]["fact_seq"] == alert.fact_seq
    now = api.get(path, as_of=timezone.now().isoformat(), severity="critical").json()
    assert now["items"] == []
    assert api.get(path, as_of="0").json()["items"] == []


def test_an_alert_of_later_had_not_been_raised_by_then(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    first = critical_alert(api, person)
    raised = timezone.now()
    acknowledge_alert(alert=first, actor=caregiver, now=raised)
    api.append(person, medication("amoxicillin", "retract"))
    api.append(person, medication("amoxicillin"))
    second = Alert.objects.latest("pk")
    assert (second.recurrences, second.first_opened_at) == (1, first.first_opened_at)
    for moment, alert in ((raised, first), (timezone.now(), second)):
        body = api.get(f"users/{person.pk}/alerts", as_of=moment.isoformat()).json()
        fired = [one["alert"] for one in body["items"] if one["rule"] == alert.rule]
        assert fired == [alert.pk]


def test_half_of_a_post_fires_nothing(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("amoxicillin"))
    rules = [
        {one["rule"] for one in api.get(f"users/{person.pk}/alerts", as_of=seq).json()["items"]}
        for seq in (1, 2)
    ]
    assert "drug_allergy" not in rules[0]
    assert "drug_allergy" in rules[1]


def test_newer_rules_are_run_over_what_was_known_then(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, allergy("latex"))
    moment = timezone.now()
    api.append(person, allergy("nuts"))
    approved(proposed(person, with_files(person, {"rules/late.py": LATE})), caregiver)
    path = f"users/{person.pk}/alerts"
    found = {
        rules: [
            one["summary"]
            for one in api.get(path, as_of=moment.isoformat(), rules=rules).json()["items"]
            if one["rule"] == "late"
        ]
        for rules in ("then", "now")
    }
    assert found == {"then": [], "now": ["There is latex"]}


def test_the_date_of_then_decides(api: Api, person: MemoryUser) -> None:
    api.append(person, note("nothing"))
    moment = timezone.now() - timedelta(days=400)
    body = api.get(f"users/{person.pk}/alerts", as_of=moment.isoformat()).json()
    assert body["as_of"]["today"] == moment.date().isoformat()
    assert body["items"] == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"as_of": "1", "rules": "old"}, "rules is then or now"),
        ({"rules": "now"}, "rules goes with as_of"),
        ({"as_of": "1", "status": "open"}, "status is of alerts as they stand"),
        ({"as_of": "1", "cursor": "4"}, "cursor is of alerts as they stand"),
        ({"as_of": "1", "severity": "bad"}, "severity is one of"),
    ],
)
def test_what_does_not_go_together_is_told(
    api: Api, person: MemoryUser, query: dict[str, str], said: str
) -> None:
    api.append(person, note("x"))
    answer = api.get(f"users/{person.pk}/alerts", **query)
    assert answer.status_code == 400
    assert said in answer.json()["detail"]
