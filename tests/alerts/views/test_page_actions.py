"""What staff do to alerts on the dashboard; by HTTP alone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts.actions import acknowledge_alert
from alerts.early.shared import event_of, record
from alerts.models import Alert, AlertEvent, EventKind, Status
from alerts.views.panel import HISTORY
from memory.models import MemoryUser
from tests.alerts.staff_pages import BY_SCRIPT, critical_alert, logged_in, text_of
from tests.api_client import Api
from tests.facts import allergy, medication


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """A critical alert, open."""
    return critical_alert(api, person)


def test_acknowledging_moves_the_alert_and_names_who_did(
    pages: Client, alert: Alert, caregiver: Staff
) -> None:
    answer = pages.post(f"/alerts/{alert.pk}/acknowledge")
    assert answer.status_code == 302
    assert answer["Location"] == f"/?alert={alert.pk}"
    text = text_of(pages, "/", alert=alert.pk)
    assert 'id="lane-acknowledged"' in text
    assert "acknowledged by <bdi>caregiver</bdi>" in text
    assert "Acknowledged: others see" in text
    assert "<title>Alerts</title>" in text
    event = AlertEvent.objects.get(kind="acknowledged")
    assert event.actor == caregiver


def test_the_owner_is_named_however_much_has_happened_since(
    pages: Client, alert: Alert, caregiver: Staff
) -> None:
    pages.post(f"/alerts/{alert.pk}/acknowledge")
    now = timezone.now()
    record([event_of(alert, EventKind.CHANGED, now) for _ in range(HISTORY + 1)])
    text = text_of(pages, f"/alerts/{alert.pk}/panel")
    assert '<span class="owner"><bdi>caregiver</bdi></span>' in text


def test_overriding_keeps_reason_and_comment(pages: Client, alert: Alert) -> None:
    form = {"reason": "tolerated", "comment": "Took it in May"}
    pages.post(f"/alerts/{alert.pk}/override", form)
    text = text_of(pages, "/", alert=alert.pk)
    assert "Tolerated before" in text
    assert "Took it in May" in text
    assert "No alert is open" in text
    assert f'action="/alerts/{alert.pk}/override"' not in text


@pytest.mark.parametrize("headers", [{}, BY_SCRIPT], ids=["page", "script"])
@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({}, "Choose a reason."),
        ({"reason": "because"}, "because is not one of the available choices"),
        ({"reason": "other", "comment": " "}, "Say in a few words"),
    ],
)
def test_an_override_without_a_reason_is_asked_for_one(
    pages: Client, alert: Alert, form: dict[str, str], words: str, headers: dict[str, str]
) -> None:
    answer = pages.post(f"/alerts/{alert.pk}/override", form, headers=headers)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    alert.refresh_from_db()
    assert alert.status == Status.OPEN


def test_whoever_comes_second_is_told_kindly(pages: Client, alert: Alert, outsider: Staff) -> None:
    acknowledge_alert(alert=alert, actor=outsider, now=timezone.now())
    by_page = pages.post(f"/alerts/{alert.pk}/acknowledge", follow=True)
    assert "Somebody else has acknowledged this alert" in by_page.content.decode()
    by_script = pages.post(f"/alerts/{alert.pk}/acknowledge", headers=BY_SCRIPT)
    assert by_script.status_code == 409
    assert "Somebody else has acknowledged this alert" in by_script.content.decode()
    assert AlertEvent.objects.filter(kind="acknowledged").count() == 1


def test_an_alert_the_rules_cleared_meanwhile_is_not_overridden(
    pages: Client, api: Api, alert: Alert, person: MemoryUser
) -> None:
    api.append(person, medication("amoxicillin", op="retract"))
    answer = pages.post(f"/alerts/{alert.pk}/override", {"reason": "benefit"}, headers=BY_SCRIPT)
    assert answer.status_code == 409
    assert "its cause no longer holds" in answer.content.decode()


@pytest.mark.parametrize("act", ["acknowledge", "override", "shelve"])
def test_what_is_decided_is_what_was_seen(
    pages: Client, api: Api, alert: Alert, person: MemoryUser, act: str
) -> None:
    seen = alert.fingerprint
    assert f'name="seen" value="{seen}"' in text_of(pages, "/", alert=alert.pk)
    api.append(person, allergy("penicillin", reaction="anaphylaxis"))
    form = {"seen": seen, "reason": "benefit", "hours": "1", "comment": "Tolerated before"}
    answer = pages.post(f"/alerts/{alert.pk}/{act}", form, headers=BY_SCRIPT)
    assert answer.status_code == 409
    assert "It says something else than when you saw it" in answer.content.decode()
    alert.refresh_from_db()
    assert (alert.status, alert.fingerprint == seen) == (Status.OPEN, False)
    form["seen"] = alert.fingerprint
    again = pages.post(f"/alerts/{alert.pk}/{act}", form, headers=BY_SCRIPT)
    assert again.status_code == 200, again.content


def test_a_script_gets_the_panel_as_it_stands_now(pages: Client, alert: Alert) -> None:
    answer = pages.post(f"/alerts/{alert.pk}/acknowledge", headers=BY_SCRIPT)
    text = answer.content.decode()
    assert text.lstrip().startswith("<article")
    assert 'data-status="acknowledged"' in text
    assert "<html" not in text
    assert f'action="/alerts/{alert.pk}/acknowledge"' not in text
    assert f'action="/alerts/{alert.pk}/override"' in text


def test_the_list_alone_marks_the_alert_looked_at(pages: Client, alert: Alert) -> None:
    text = text_of(pages, "/alerts", alert=alert.pk)
    assert "<html" not in text
    assert 'aria-current="true"' in text
    assert 'aria-current="true"' not in text_of(pages, "/alerts")
