"""The dashboard and an alert's panel: who may see them, and what they show."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from alerts.models import Alert, AlertEvent, Origin, Status
from memory.models import MemoryUser
from tests.alerts.staff_pages import HOSTILE, critical_alert, logged_in, text_of
from tests.api_client import HOST, Api
from tests.facts import allergy, fact, medication, reading
from tests.people import new_person


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """A critical alert, open."""
    return critical_alert(api, person)


# Who may see what


@pytest.mark.parametrize("path", ["/", "/alerts"])
def test_somebody_who_is_not_staff_is_told_so(outsider: Staff, path: str) -> None:
    assert logged_in(outsider).get(path).status_code == 403


@pytest.mark.parametrize("path", ["/alerts/{}", "/alerts/{}/panel"])
def test_absent_and_forbidden_look_alike(
    pages: Client, outsider: Staff, alert: Alert, path: str
) -> None:
    forbidden = logged_in(outsider).get(path.format(alert.pk))
    absent = pages.get(path.format(alert.pk + 1_000))
    assert (absent.status_code, forbidden.status_code) == (404, 404)
    assert absent.content == forbidden.content


@pytest.mark.parametrize("number", [2**63, 2**64, 10**30])
def test_a_number_no_alert_can_have_is_not_found(pages: Client, number: int) -> None:
    assert pages.get(f"/alerts/{number}").status_code == 404
    assert pages.get("/", {"alert": number}).status_code == 404


@pytest.mark.parametrize("path", ["/", "/alerts", "/alerts/{}", "/alerts/{}/panel"])
def test_a_stranger_is_asked_to_log_in(alert: Alert, path: str) -> None:
    answer = Client(SERVER_NAME=HOST).get(path.format(alert.pk))
    assert answer.status_code == 302
    assert answer["Location"].startswith("/login?next=")


@pytest.mark.parametrize("what", ["acknowledge", "override"])
def test_somebody_who_is_not_staff_changes_nothing(
    outsider: Staff, alert: Alert, what: str
) -> None:
    address = f"/alerts/{alert.pk}/{what}"
    assert logged_in(outsider).post(address, {"reason": "tolerated"}).status_code == 404
    assert Client(SERVER_NAME=HOST).post(address).status_code == 302
    alert.refresh_from_db()
    assert alert.status == Status.OPEN


@pytest.mark.parametrize("what", ["acknowledge", "override"])
def test_a_form_from_elsewhere_changes_nothing(caregiver: Staff, alert: Alert, what: str) -> None:
    client = logged_in(caregiver, enforce_csrf_checks=True)
    answer = client.post(f"/alerts/{alert.pk}/{what}", {"reason": "tolerated"})
    assert answer.status_code == 403
    alert.refresh_from_db()
    assert alert.status == Status.OPEN


@pytest.mark.parametrize("what", ["acknowledge", "override"])
def test_a_link_changes_nothing(pages: Client, alert: Alert, what: str) -> None:
    assert pages.get(f"/alerts/{alert.pk}/{what}").status_code == 405


# What the dashboard shows


def test_an_empty_site_says_what_to_do_next(pages: Client) -> None:
    text = text_of(pages, "/")
    assert "Nobody is in your care yet" in text
    assert "<title>Alerts</title>" in text


def test_people_without_alerts_are_counted(pages: Client, person: MemoryUser) -> None:
    assert "No alert is open" in text_of(pages, "/")


def test_an_alert_stands_in_its_lane_with_its_severity_in_words(
    pages: Client, alert: Alert
) -> None:
    text = text_of(pages, "/")
    assert "<title>(1) Alerts</title>" in text
    assert 'id="lane-critical"' in text
    assert alert.summary in text
    assert 'aria-hidden="true">▲</span> critical' in text
    assert 'id="lane-warning"' not in text


def test_the_gravest_alert_is_open_unless_another_is_asked_for(
    pages: Client, api: Api, alert: Alert, person: MemoryUser
) -> None:
    api.append(person, medication("Zyrflonix"))
    unchecked = Alert.objects.get(grade="not checked")
    assert pages.get("/").context["selected"] == alert.pk
    assert pages.get("/", {"alert": unchecked.pk}).context["selected"] == unchecked.pk
    assert pages.get("/", {"alert": "x"}).status_code == 404
    answer = pages.get(f"/alerts/{unchecked.pk}")
    assert answer["Location"] == f"/?alert={unchecked.pk}"


def test_what_was_not_checked_is_told_from_what_was(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"), medication("Zyrflonix"))
    assert '<span class="tag unchecked">' in text_of(pages, "/")


def test_a_rule_that_failed_is_told_from_a_finding(
    pages: Client, alert: Alert, person: MemoryUser
) -> None:
    Alert.objects.update(origin=Origin.FAILURE, evidence=[], grade="")
    text = text_of(pages, "/", alert=alert.pk)
    assert "rule failed" in text
    assert "it could not be run" in text


def test_the_panel_sets_the_facts_side_by_side(pages: Client, alert: Alert) -> None:
    text = text_of(pages, f"/alerts/{alert.pk}/panel")
    first, second = (
        text.index("Penicillin closed my throat once."),
        text.index("Amoxicillin since today."),
    )
    assert first < second
    assert "months</b> between" in text[first:second]
    assert "5 Jan 2026" in text
    assert "Companion app" in text
    assert "Penicillin: reaction unknown, severe" in text
    assert f'title="{alert.version}"' in text
    assert "penicillins" in text
    assert "evaluated through fact 2" in text
    assert "what the penicillin reaction was" in text
    assert "<b>opened</b> by" in text


def test_the_panel_of_a_person_without_allergies_says_so(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    visa = reading("travel.Visa", country="India", entries="single", expires_on="2020-01-01")
    going = reading(
        "travel.Trip", destination="Goa", country="India", departs_on="2099-01-01", status="booked"
    )
    api.append(person, fact("A visa", visa), fact("A trip", going))
    shown = Alert.objects.filter(rule="visa_trip").get()
    assert "allergies: none recorded" in text_of(pages, f"/alerts/{shown.pk}/panel")


def test_hostile_words_are_only_words(pages: Client, api: Api) -> None:
    person = new_person(name=HOSTILE)
    api.append(
        person,
        fact(
            HOSTILE,
            reading("health.Allergy", substance=HOSTILE, reaction=HOSTILE, category="medication"),
            reading("health.Medication", name=f"amoxicillin {HOSTILE}"),
            source=HOSTILE,
        ),
    )
    shown = Alert.objects.order_by("pk").first()
    assert shown is not None
    text = text_of(pages, "/", alert=shown.pk)
    assert "<img" not in text
    assert "&lt;img src=x" in text
    pages.post(f"/alerts/{shown.pk}/override", {"reason": "other", "comment": HOSTILE})
    assert "<img" not in text_of(pages, "/", alert=shown.pk)


def test_the_page_catches_up_from_the_event_before_it_was_read(pages: Client, alert: Alert) -> None:
    last = AlertEvent.objects.order_by("-pk").first()
    assert last is not None
    assert f'data-after="{last.pk}"' in text_of(pages, "/")


def test_the_dashboard_needs_few_queries_however_many_alerts_stand(
    pages: Client, api: Api, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        person = new_person(name=f"Person {number}")
        api.append(person, allergy("penicillin"), medication("amoxicillin"), medication("Zyx"))
    with django_assert_max_num_queries(26):
        text = text_of(pages, "/")
    assert text.count("data-row=") == 24
