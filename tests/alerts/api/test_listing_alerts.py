"""`GET users/{id}/alerts`: filters and cursors."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from alerts.actions import acknowledge_alert
from alerts.models import Alert
from memory.models import MemoryUser
from tests.api_client import Api, pointers
from tests.facts import allergy, medication
from tests.people import new_person

DRUGS = ("Amoxicillin", "Ampicillin", "Zorblaxin", "Quuxamab", "Dicloxacillin")


@pytest.fixture
def warned(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with five alerts, one of them cleared."""
    api.append(person, allergy("penicillin"))
    for name in DRUGS:
        api.append(person, medication(name))
    api.append(person, medication("Ampicillin", "retract"))
    return person


def test_the_newest_come_first(api: Api, warned: MemoryUser) -> None:
    ids = [alert["id"] for alert in api.alerts(warned)]
    assert len(ids) == 5
    assert ids == sorted(ids, reverse=True)
    assert [alert["id"] for alert in api.alerts(warned, order="asc")] == sorted(ids)


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("limit", [1, 2, 5, 6])
def test_pages_hold_every_alert_once(api: Api, warned: MemoryUser, limit: int, order: str) -> None:
    whole = [alert["id"] for alert in api.alerts(warned, order=order)]
    assert [one["id"] for one in api.alerts(warned, order=order, limit=limit)] == whole


def test_status_and_severity_narrow(api: Api, warned: MemoryUser, caregiver: Staff) -> None:
    first = Alert.objects.filter(status="open").order_by("pk")[0]
    acknowledge_alert(alert=first, actor=caregiver, now=timezone.now())
    counts = {
        status: len(api.alerts(warned, status=status))
        for status in ("open", "acknowledged", "overridden", "cleared")
    }
    assert counts == {"open": 3, "acknowledged": 1, "overridden": 0, "cleared": 1}
    assert {one["severity"] for one in api.alerts(warned, severity="info")} == {"info"}
    assert len(api.alerts(warned, severity="info", status="open")) == 2


@pytest.mark.parametrize("query", [{"status": "gone"}, {"severity": "awful"}, {"status": ""}])
def test_a_status_or_severity_that_is_none_is_refused(
    api: Api, warned: MemoryUser, query: dict[str, str]
) -> None:
    answer = api.get(f"users/{warned.pk}/alerts", **query)
    assert answer.status_code == 400
    pointers(answer)


def test_nobody_reads_the_alerts_of_another(api: Api, warned: MemoryUser) -> None:
    assert api.alerts(new_person()) == []
