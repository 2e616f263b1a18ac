"""What would have fired on an earlier day, as staff see it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User as Staff

from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, MemoryUser
from memory.sandbox import Limits
from tests.alerts.staff_pages import logged_in
from tests.alerts.standing import evaluated

DAYS = 9


@pytest.fixture
def told(app: App, person: MemoryUser, now: datetime) -> MemoryUser:
    """An allergy nine days ago, a drug against it two days ago, an alert."""
    for kind, data, ago in (
        ("health.Allergy", {"substance": "penicillin"}, DAYS),
        ("health.Medication", {"name": "amoxicillin"}, 2),
    ):
        fact = NewFact(text="x", readings=(NewReading(kind, "assert", None, data),))
        at = now - timedelta(days=ago)
        append_facts(user_id=person.pk, facts=[fact], actor=app, now=at)
        evaluated(person, at)
    return person


def _page(staff: Staff, person: MemoryUser, **query: str) -> tuple[int, str]:
    answer = logged_in(staff).get(f"/people/{person.pk}/then", query)
    return answer.status_code, answer.content.decode()


def _day(now: datetime, ago: int) -> str:
    return (now - timedelta(days=ago)).date().isoformat()


def test_a_day_shows_what_its_rules_would_have_said(
    caregiver: Staff, told: MemoryUser, now: datetime
) -> None:
    assert "No rule would have spoken" in _page(caregiver, told, on=_day(now, DAYS))[1]
    status, text = _page(caregiver, told, on=_day(now, 2), rules="now")
    assert status == 200
    assert "1 finding" in text
    assert "penicillin" in text
    assert "The alert that was raised" in text
    assert "2 facts" in text


@pytest.mark.parametrize("day", ["soon", "9000-01-01"])
def test_a_day_that_has_not_ended_is_refused(caregiver: Staff, told: MemoryUser, day: str) -> None:
    status, text = _page(caregiver, told, on=day)
    assert (status, "Choose a day that has ended" in text) == (400, True)


def test_where_the_sandbox_has_no_time_it_says_so(
    caregiver: Staff, told: MemoryUser, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = {"limits": Limits(total_seconds=0.0)}
    monkeypatch.setattr("alerts.rerun.back_then.back_then.__kwdefaults__", defaults)
    status, text = _page(caregiver, told, on=_day(now, 2))
    assert (status, "The sandbox is busy" in text) == (503, True)


def test_the_tab_of_alerts_leads_there(caregiver: Staff, told: MemoryUser) -> None:
    text = logged_in(caregiver).get(f"/people/{told.pk}", {"tab": "alerts"}).content.decode()
    assert f'href="/people/{told.pk}/then"' in text
