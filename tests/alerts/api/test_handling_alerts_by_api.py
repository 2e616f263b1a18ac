"""`POST users/{id}/alerts/{alert_id}/…`: what an app may do to alerts, and how it is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from alerts.actions import acknowledge_alert, shelve_alert
from alerts.models import Alert, AlertEvent
from alerts.views.board import actor_name
from memory.models import AuditEvent, MemoryUser
from memory.rights import Right
from tests.api_client import Api, pointers
from tests.facts import allergy, medication
from tests.people import new_person
from tests.staff import new_key


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """An open warning."""
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    return Alert.objects.get()


def later(**span: int) -> str:
    return (timezone.now() + timedelta(**span)).isoformat()


def handle(api: Api, alert: Alert, verb: str, body: Any = None) -> Any:
    return api.post(f"users/{alert.user_id}/alerts/{alert.pk}/{verb}", body or {})


def test_an_app_acknowledges_in_its_own_name(api: Api, alert: Alert) -> None:
    answer = handle(api, alert, "acknowledge")
    assert answer.status_code == 200
    said = answer.json()
    assert (said["id"], said["status"], said["owner"]) == (alert.pk, "acknowledged", None)
    assert said["until"] > said["status_at"]
    event = AlertEvent.objects.latest("pk")
    assert (event.kind, event.actor, actor_name(event)) == ("acknowledged", None, "chat")
    audited = AuditEvent.objects.filter(action="alert.acknowledged").get()
    assert (audited.actor_kind, audited.person_id) == ("app", alert.user_id)


def test_the_owner_on_staff_is_named(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff
) -> None:
    acknowledge_alert(alert=alert, actor=caregiver, now=timezone.now())
    assert api.alerts(person)[0]["owner"] == "caregiver"


@pytest.mark.parametrize(
    ("verb", "body", "status"),
    [
        ("shelve", {"until": later(hours=3), "comment": "asleep"}, "shelved"),
        ("override", {"reason": "benefit"}, "overridden"),
        ("override", {"reason": "other", "comment": "a trial dose"}, "overridden"),
    ],
)
def test_an_app_shelves_and_overrides_with_its_reasons(
    api: Api, alert: Alert, verb: str, body: dict[str, str], status: str
) -> None:
    answer = handle(api, alert, verb, body)
    assert (answer.status_code, answer.json()["status"]) == (200, status)
    event = AlertEvent.objects.latest("pk")
    assert (event.reason, event.comment) == (body.get("reason", ""), body.get("comment", ""))
    assert handle(api, alert, "reopen").json()["status"] == "open"


def test_only_what_is_on_the_shelf_is_taken_from_it(
    api: Api, alert: Alert, caregiver: Staff
) -> None:
    refused = handle(api, alert, "unshelve")
    assert refused.status_code == 409
    assert refused.json()["detail"] == "The alert is open; this takes one that is: shelved."
    now = timezone.now()
    shelve_alert(alert=alert, actor=caregiver, until=now + timedelta(hours=1), comment="x", now=now)
    assert handle(api, alert, "unshelve").json()["status"] == "open"


def test_only_what_is_cleared_is_resolved(api: Api, alert: Alert, person: MemoryUser) -> None:
    refused = handle(api, alert, "resolve")
    assert (refused.status_code, refused.json()["title"]) == (409, "Not in this state")
    api.append(person, medication("Amoxicillin", "retract"))
    assert handle(api, alert, "acknowledge").status_code == 409
    assert handle(api, alert, "resolve").json()["status"] == "resolved"


@pytest.mark.parametrize(
    ("verb", "body", "places"),
    [
        ("override", {}, ["/reason"]),
        ("override", {"reason": "because"}, ["/reason"]),
        ("override", {"reason": "other", "comment": " "}, ["/comment"]),
        ("override", {"reason": "benefit", "why": "x"}, ["/why"]),
        ("shelve", {"comment": "x"}, ["/until"]),
        ("shelve", {"until": later(hours=1), "comment": " "}, ["/comment"]),
        ("shelve", {"until": later(hours=-1), "comment": "x"}, ["/until"]),
        ("shelve", {"until": later(days=31), "comment": "x"}, ["/until"]),
        ("shelve", {"until": "tomorrow", "comment": "x"}, ["/until"]),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_its_place(
    api: Api, alert: Alert, verb: str, body: dict[str, str], places: list[str]
) -> None:
    answer = handle(api, alert, verb, body)
    assert answer.status_code == 422
    assert list(pointers(answer)) == places
    alert.refresh_from_db()
    assert alert.status == "open"


@pytest.mark.parametrize("verb", ["acknowledge", "unshelve", "reopen", "resolve"])
def test_a_key_without_the_scope_or_the_person_may_not(api: Api, alert: Alert, verb: str) -> None:
    reading = Api(new_key("reader", scopes=[Right.ALERTS_READ]))
    assert handle(reading, alert, verb).status_code == 403
    elsewhere = Api(new_key("other", people=[new_person()]))
    assert handle(elsewhere, alert, verb).status_code == 404
    other = api.post(f"users/{new_person().pk}/alerts/{alert.pk}/{verb}", {})
    assert other.status_code == 404
    assert AlertEvent.objects.filter(alert=alert).count() == 1
