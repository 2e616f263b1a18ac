"""Staff correct a fact: a correction is appended, the records follow, and the rules run."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from alerts.models import Alert
from memory.models import AuditEvent, Fact, MemoryUser, Record
from memory.verification import verify_user
from tests.alerts.staff_pages import BY_SCRIPT, HOSTILE, critical_alert, logged_in, text_of
from tests.api_client import Api
from tests.facts import fact, reading
from tests.proposals import approved, bought, proposed


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """A critical alert on an allergy (fact 1) and a medication (fact 2)."""
    return critical_alert(api, person)


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


def test_a_wrong_fact_leads_straight_to_its_correction(
    pages: Client, alert: Alert, person: MemoryUser
) -> None:
    answer = pages.post(f"/alerts/{alert.pk}/override", {"reason": "wrong_fact"}, headers=BY_SCRIPT)
    text = answer.content.decode()
    assert "Which fact is wrong?" in text
    for seq in (1, 2):
        assert f'href="/people/{person.pk}/facts/{seq}/correct?alert={alert.pk}"' in text


def test_another_reason_does_not(pages: Client, alert: Alert) -> None:
    answer = pages.post(f"/alerts/{alert.pk}/override", {"reason": "benefit"}, headers=BY_SCRIPT)
    assert "Which fact is wrong?" not in answer.content.decode()


def test_a_correction_takes_the_records_back_and_the_alert_clears(
    pages: Client, alert: Alert, person: MemoryUser, caregiver: Staff
) -> None:
    answer = pages.post(
        f"/people/{person.pk}/facts/1/correct",
        {"text": "It was her sister who reacted.", "alert": str(alert.pk)},
    )
    assert (answer.status_code, answer["Location"]) == (302, f"/alerts/{alert.pk}")
    assert not Record.objects.filter(user=person, kind="health.Allergy").exists()
    alert.refresh_from_db()
    assert alert.status == "cleared"
    assert Fact.objects.filter(user=person).count() == 3
    assert verify_user(person.pk) == []
    audited = AuditEvent.objects.get(action="fact.correct")
    assert (audited.actor_id, audited.person_id) == (str(caregiver.pk), person.pk)
    listed = text_of(pages, f"/people/{person.pk}", tab="facts")
    assert "It was her sister who reacted." in listed
    assert "Penicillin closed my throat once." in listed


def test_what_still_holds_is_said_again_with_other_values(
    pages: Client, alert: Alert, person: MemoryUser
) -> None:
    address = f"/people/{person.pk}/facts/1/correct"
    text = text_of(pages, address)
    assert 'value="penicillin"' in text
    keep = text.partition('name="keep-')[2].partition('"')[0]
    pages.post(
        address,
        {
            "text": "It was mild.",
            f"keep-{keep}": "on",
            f"value-{keep}-substance": "penicillin",
            f"value-{keep}-severity": "mild",
        },
    )
    record = Record.objects.get(user=person, kind="health.Allergy")
    assert (record.record_id, record.data["severity"], record.facts) == ("penicillin", "mild", [3])
    alert.refresh_from_db()
    assert (alert.status, alert.severity) == ("open", "warning")


def test_another_name_makes_another_record(pages: Client, alert: Alert, person: MemoryUser) -> None:
    address = f"/people/{person.pk}/facts/1/correct"
    keep = text_of(pages, address).partition('name="keep-')[2].partition('"')[0]
    said = {"text": "Latex.", f"keep-{keep}": "on", f"value-{keep}-substance": "latex"}
    pages.post(address, said)
    assert Record.objects.get(user=person, kind="health.Allergy").record_id == "latex"


def test_what_waited_for_its_kind_and_has_a_place_now_is_there_once(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"))
    approved(proposed(person), caregiver)
    address = f"/people/{person.pk}/facts/1/correct"
    text = text_of(pages, address)
    assert text.count('name="keep-') == 1
    keep = text.partition('name="keep-')[2].partition('"')[0]
    pages.post(address, {"text": "A desk.", f"keep-{keep}": "on", f"value-{keep}-item": "a desk"})
    record = Record.objects.get(user=person)
    assert (record.data["item"], record.facts) == ("a desk", [2])
    assert verify_user(person.pk) == []


def test_a_value_that_does_not_fit_is_refused_with_a_reason_and_nothing_is_stored(
    pages: Client, alert: Alert, person: MemoryUser
) -> None:
    address = f"/people/{person.pk}/facts/1/correct"
    keep = text_of(pages, address).partition('name="keep-')[2].partition('"')[0]
    said = {
        "text": "x",
        f"keep-{keep}": "on",
        f"value-{keep}-substance": "penicillin",
        f"value-{keep}-severity": "awful",
    }
    answer = pages.post(address, said)
    assert answer.status_code == 422
    assert "severity" in answer.content.decode()
    assert Fact.objects.filter(user=person).count() == 2


def test_a_correction_without_words_is_asked_for_them(pages: Client, alert: Alert) -> None:
    answer = pages.post(f"/people/{alert.user_id}/facts/1/correct", {"text": " "})
    assert (answer.status_code, "Say in a sentence" in answer.content.decode()) == (422, True)


def test_hostile_words_stay_words(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, fact(HOSTILE, reading("notes.Note", text=HOSTILE)))
    text = text_of(pages, f"/people/{person.pk}/facts/1/correct")
    assert "<img" not in text


@pytest.mark.parametrize("seq", [0, 3, 2**40])
def test_a_fact_that_is_not_there_is_not_corrected(pages: Client, alert: Alert, seq: int) -> None:
    assert pages.get(f"/people/{alert.user_id}/facts/{seq}/correct").status_code == 404


def test_whoever_does_not_care_for_the_person_sees_and_corrects_nothing(
    alert: Alert, outsider: Staff
) -> None:
    address = f"/people/{alert.user_id}/facts/1/correct"
    assert logged_in(outsider).get(address).status_code == 404
    assert logged_in(outsider).post(address, {"text": "x"}).status_code == 404
    assert Fact.objects.filter(user=alert.user_id).count() == 2
