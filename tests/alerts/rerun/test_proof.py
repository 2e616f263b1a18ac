"""An alert is proved by running its rule again over what was known then, byte for byte."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from alerts.models import Alert, AlertEvent
from alerts.rerun.proof import NotProvable, prove
from memory.models import MemoryUser
from memory.sandbox import Limits
from tests.alerts.staff_pages import BY_SCRIPT, critical_alert, logged_in
from tests.alerts.standing import evaluated
from tests.api_client import Api
from tests.facts import allergy, medication, passport, trip
from tests.people import new_person
from tests.shipped_copy import ShippedCopy


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """A critical alert of two facts."""
    return critical_alert(api, person)


def proved(api: Api, alert: Alert) -> Any:
    answer = api.post(f"users/{alert.user_id}/alerts/{alert.pk}/prove", {})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_an_alert_is_the_same_when_its_rule_is_run_again(api: Api, alert: Alert) -> None:
    proof = proved(api, alert)
    assert proof["same"] is proof["intact"] is proof["same_tables"] is True
    assert proof["found_digest"] == alert.fingerprint
    assert (proof["through_fact"], proof["version"]) == (alert.fact_seq, alert.version)
    assert proof["differences"] == []


def test_what_was_said_since_does_not_matter(api: Api, alert: Alert, person: MemoryUser) -> None:
    api.append(person, medication("amoxicillin", "retract"), allergy("penicillin", "retract"))
    alert.refresh_from_db()
    assert alert.status == "cleared"
    assert prove(alert).same


def test_the_date_is_that_of_then(api: Api, person: MemoryUser) -> None:
    api.append(
        person,
        passport("Germany", "2030-01-01"),
        trip("Tokyo", "2030-02-01", country="Japan", status="booked"),
    )
    later = timezone.now() + timedelta(days=800)
    evaluated(person, later)
    alerts = list(Alert.objects.filter(rule="passport_trip"))
    assert alerts
    assert all(prove(alert).same for alert in alerts)


def test_an_alert_that_somebody_has_changed_by_hand_is_found_out(api: Api, alert: Alert) -> None:
    Alert.objects.update(summary="All is well")
    proof = proved(api, alert)
    assert (proof["same"], proof["intact"]) == (False, False)
    (difference,) = proof["differences"]
    assert (difference["name"], difference["stored"]) == ("summary", '"All is well"')


def test_an_alert_that_its_rule_never_found_is_found_out(api: Api, alert: Alert) -> None:
    Alert.objects.update(dedupe_key="0" * 64)
    proof = proved(api, alert)
    assert (proof["same"], proof["found"]) == (False, False)


def test_an_alert_is_proved_with_the_code_of_then_though_the_rule_is_gone_now(
    api: Api, alert: Alert, person: MemoryUser, code: ShippedCopy
) -> None:
    Alert.objects.update(version="0" * 64)
    alert.refresh_from_db()
    with pytest.raises(NotProvable, match="cannot be loaded"):
        prove(alert)
    refused = api.post(f"users/{person.pk}/alerts/{alert.pk}/prove", {})
    assert (refused.status_code, refused.json()["title"]) == (409, "Not provable")


def test_a_busy_sandbox_says_so(api: Api, alert: Alert, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(total_seconds=1e-6, feed_seconds=1e-6)
    monkeypatch.setattr("alerts.rerun.proof.LIMITS", limits)
    answer = api.post(f"users/{alert.user_id}/alerts/{alert.pk}/prove", {})
    assert (answer.status_code, answer.json()["title"]) == (503, "Busy")


@pytest.mark.parametrize("headers", [{}, BY_SCRIPT], ids=["page", "script"])
def test_the_panel_says_what_came_of_it_and_nothing_is_stored(
    alert: Alert, caregiver: Staff, headers: dict[str, str]
) -> None:
    events = AlertEvent.objects.count()
    answer = logged_in(caregiver).post(f"/alerts/{alert.pk}/prove", headers=headers)
    assert "Same, byte for byte." in answer.content.decode()
    assert AlertEvent.objects.count() == events


def test_an_alert_of_somebody_else_is_not_proved(api: Api, alert: Alert) -> None:
    other = api.post(f"users/{new_person().pk}/alerts/{alert.pk}/prove", {})
    assert other.status_code == 404
