"""No list, count or evaluation of alerts knows of early words; whatever shows them marks them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts.actions import AlertNotOpen, acknowledge_alert, override_alert
from alerts.evaluation.queries import read_head
from alerts.models import Alert, AlertEvent, OverrideReason
from memory.models import MemoryUser
from tests.alerts.early_words import concern, events_of, noticed, proposed_notes, statuses
from tests.alerts.staff_pages import logged_in, text_of
from tests.alerts.standing import evaluated, from_scratch, standing
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.people import new_person
from uac_site.benchmarks.reevaluate import alerts_afresh, differences, standing_alerts
from uac_site.examples.living import alert_lives


@pytest.fixture
def warned(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with one alert, critical; besides, a concern and a provisional alert."""
    api.append(person, note("tea"), allergy("penicillin", severity="severe"))
    api.append(person, medication("Amoxicillin"))
    proposed_notes(person)
    noticed(person, concern(severity="warning", facts=()))
    assert Alert.every.count() == 3
    return person


@pytest.fixture
def words(warned: MemoryUser) -> list[Alert]:
    """The two early words."""
    return list(Alert.every.early().order_by("pk"))


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


def test_the_queries_of_alerts_have_none(warned: MemoryUser) -> None:
    (alert,) = Alert.objects.all()
    assert list(Alert.objects.active()) == list(Alert.objects.standing()) == [alert]
    assert list(warned.alerts.all()) == [alert]


def test_an_evaluation_sees_none_and_changes_none(
    api: Api, warned: MemoryUser, words: list[Alert]
) -> None:
    head = read_head(warned.pk)
    assert [one.origin for one in head.standing] == ["finding"]
    assert head.noticed
    evaluated(warned, timezone.now() + timedelta(days=1))
    api.append(warned, medication("Amoxicillin", "retract"))
    assert not Alert.objects.active().exists()
    assert statuses(words) == ["open", "open"]
    assert [events_of(word) for word in words] == [["opened"], ["opened"]]


def test_from_an_empty_alert_table_the_alerts_come_and_no_early_word(warned: MemoryUser) -> None:
    now = timezone.now()
    before = standing(warned)
    assert len(before) == 1
    assert differences(alerts_afresh(warned.pk, now), standing_alerts(warned.pk)) == []
    assert from_scratch(warned) == before


def test_the_answer_to_a_post_tells_of_none(api: Api, warned: MemoryUser) -> None:
    noticed(warned, concern("told between two posts", facts=()))
    answer = api.append(warned, medication("Ampicillin"))
    assert [one["rule"] for one in answer["alerts"]["opened"]].count("") == 0
    told = {one["id"] for some in answer["alerts"].values() for one in some}
    assert told <= set(Alert.objects.values_list("pk", flat=True))
    assert not AlertEvent.objects.caused_by(warned.pk, 1, 99).filter(alert__rule="").exists()


def test_the_counts_of_the_dashboard_have_none(pages: Client, warned: MemoryUser) -> None:
    board = pages.get("/").context["board"]
    counted = {lane: count for lane, count in board.counts.items() if count}
    assert counted == {"critical": 1}
    assert [alert.origin for lane in board.lanes for alert in lane.alerts] == ["finding"]
    assert board.early.total == 2
    assert "<title>(1) Alerts</title>" in text_of(pages, "/")


def test_a_provisional_critical_is_on_no_badge(pages: Client, person: MemoryUser, api: Api) -> None:
    api.append(person, note("tea"))
    proposed_notes(person)
    Alert.every.update(severity="critical")
    text = text_of(pages, "/")
    assert "<title>Alerts</title>" in text
    assert 'id="nav-critical" data-swap title="critical alerts, open" hidden' in text
    assert "No alert is open" in text


def test_the_list_of_people_and_the_page_of_one_count_none(
    pages: Client, warned: MemoryUser
) -> None:
    Alert.objects.update(status="resolved")
    text = text_of(pages, f"/people/{warned.pk}", tab="alerts")
    assert "Alerts <span>0</span>" in text
    assert 'class="tag warning"' not in text_of(pages, "/people")
    overview = text_of(pages, f"/people/{warned.pk}")
    assert "not be for somebody" not in overview  # nor is a record or a day of the year marked


def test_the_pages_of_rules_count_none(
    pages: Client, api: Api, caregiver: Staff, warned: MemoryUser
) -> None:
    Alert.every.provisional().update(rule="drug_allergy")
    page = pages.get("/rules/drug_allergy").context["page"]
    assert [alert.origin for alert in page.standing.open] == ["finding"]
    assert (page.standing.open_count, page.standing.counts.fired) == (1, 1)
    (line,) = [
        one for one in pages.get("/rules").context["lines"] if one.rule.name == "drug_allergy"
    ]
    assert (line.open, line.counts.fired) == (1, 1)


def test_the_alert_lives_a_year_have_none(warned: MemoryUser) -> None:
    assert [life.rule for life in alert_lives(warned)] == ["drug_allergy"]


def test_nobody_acknowledges_or_overrides_one(
    caregiver: Staff, words: list[Alert], pages: Client
) -> None:
    now = timezone.now()
    for word in words:
        with pytest.raises(AlertNotOpen):
            acknowledge_alert(alert=word, actor=caregiver, now=now)
        with pytest.raises(AlertNotOpen):
            override_alert(
                alert=word, actor=caregiver, reason=OverrideReason.BENEFIT, comment="", now=now
            )
        for verb in ("acknowledge", "override"):
            assert pages.post(f"/alerts/{word.pk}/{verb}", {"reason": "benefit"}).status_code == 404
    assert statuses(words) == ["open", "open"]


def test_a_finding_beside_a_provisional_alert_of_the_same_rule_and_records_is_another_row(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, note("tea"))
    proposal = proposed_notes(person)
    Alert.every.get()
    person.tree, person.baseline = proposal.tree_id, proposal.baseline_id
    person.save()
    evaluated(person)
    keys: dict[Any, str] = dict(Alert.every.values_list("origin", "dedupe_key"))
    assert keys.keys() == {"finding", "provisional"}
    assert keys["finding"] != keys["provisional"]


# The list of the API


def test_the_list_has_them_only_where_they_are_asked_for(api: Api, warned: MemoryUser) -> None:
    assert [one["origin"] for one in api.alerts(warned)] == ["finding"]
    assert [one["origin"] for one in api.alerts(warned, origin="finding")] == ["finding"]
    assert api.alerts(warned, origin="failure") == []
    (told,) = api.alerts(warned, origin="concern")
    assert (told["origin"], told["rule"], told["proposal"]) == ("concern", "", None)
    assert (told["quote"], told["message_seq"]) == ("I started amoxicillin", 1)
    (would,) = api.alerts(warned, origin="provisional", status="open")
    assert (would["origin"], would["rule"]) == ("provisional", "every_note")
    assert would["proposal"] == str(Alert.every.provisional().get().proposal_id)
    assert api.alerts(warned, origin="concern", severity="info") == []


def test_an_origin_that_is_none_is_refused(api: Api, warned: MemoryUser) -> None:
    answer = api.get(f"users/{warned.pk}/alerts", origin="early")
    assert answer.status_code == 400
    assert "origin is one of" in answer.json()["detail"]


@pytest.mark.parametrize("origin", ["concern", "provisional"])
def test_nobody_reads_the_early_words_of_another(api: Api, warned: MemoryUser, origin: str) -> None:
    assert api.alerts(new_person(), origin=origin) == []
