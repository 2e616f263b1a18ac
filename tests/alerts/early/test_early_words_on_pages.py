"""Early words on the dashboard, on a person's page and on their own, and what people do there."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts.actions import dismiss_concern, send_concern
from alerts.models import Alert, AlertEvent
from memory.actions.proposals import reject_proposal
from memory.models import AuditEvent, MemoryUser, Need
from memory.rights import Role
from tests.alerts.early_words import (
    AMOXICILLIN,
    PENICILLIN,
    concern,
    noticed,
    proposed_notes,
    statuses,
)
from tests.alerts.staff_pages import BY_SCRIPT, HOSTILE, logged_in, text_of
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.staff import new_staff

CONCERN = "noticed by the model, no rule yet"
PROVISIONAL = "provisional: rule not yet approved"


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver, who also reviews, sees them."""
    return logged_in(caregiver)


@pytest.fixture
def word(api: Api, person: MemoryUser) -> Alert:
    """A concern that is open."""
    api.append(person, allergy("penicillin", reaction="hives"), note("I started amoxicillin"))
    return noticed(person, concern(records=(PENICILLIN, AMOXICILLIN)))[0]


# What is shown


def test_the_dashboard_lists_them_apart_and_marks_each(
    pages: Client, word: Alert, person: MemoryUser
) -> None:
    proposed_notes(person)
    text = text_of(pages, "/")
    lane = text[text.index('aria-labelledby="lane-early"') : text.index('id="panel"')]
    assert lane.count("data-early") == 2
    assert lane.count(CONCERN) == lane.count(PROVISIONAL) == 1
    assert "<span>2</span>" in lane
    assert text[: text.index('aria-labelledby="lane-early"')].count("data-row") == 0
    assert text_of(pages, "/alerts").count("data-early") == 2


def test_the_page_of_a_concern_has_the_words_beside_the_records(pages: Client, word: Alert) -> None:
    text = text_of(pages, "/", alert=word.pk)
    assert CONCERN in text
    assert '<blockquote dir="auto">I started amoxicillin</blockquote>' in text
    assert "message 1" in text
    assert "Allergy: penicillin" in text
    assert "I am allergic to penicillin" in text
    assert "This record is not there any more" in text
    assert "noticed by the model" in text
    assert pages.get(f"/alerts/{word.pk}").status_code == 302


def test_the_page_of_a_provisional_alert_leads_to_the_review(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, note("tea"))
    proposal = proposed_notes(person)
    text = text_of(pages, f"/alerts/{Alert.every.get().pk}/panel")
    assert PROVISIONAL in text
    assert f'href="/proposals/{proposal.pk}"' in text
    assert "Tells of every note." in text
    assert "Dismiss" not in text


def test_who_may_not_review_is_offered_no_review(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"))
    proposed_notes(person)
    only = logged_in(new_staff("only a caregiver", Role.CAREGIVER))
    text = text_of(only, f"/alerts/{Alert.every.get().pk}/panel")
    assert "/proposals/" not in text
    assert "A reviewer decides" in text


def test_a_provisional_alert_of_a_decided_proposal_still_has_a_page(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, note("tea"))
    proposal = proposed_notes(person)
    reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason="no", now=timezone.now())
    text = text_of(pages, f"/alerts/{Alert.every.get().pk}/panel")
    assert "This is not proposed any more." in text
    assert "/proposals/" not in text


def test_a_persons_tab_of_alerts_has_them_apart(
    pages: Client, word: Alert, person: MemoryUser, caregiver: Staff
) -> None:
    text = text_of(pages, f"/people/{person.pk}", tab="alerts")
    assert "Noticed early, not yet rules" in text
    assert CONCERN in text
    dismiss_concern(alert=word, actor=caregiver, comment="", now=timezone.now())
    text = text_of(pages, f"/people/{person.pk}", tab="alerts")
    assert "1 dismissed or closed" in text
    assert "None stands now." in text


def test_hostile_words_are_text(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, allergy(HOSTILE))
    record = ("health.Allergy", HOSTILE)
    (word,) = noticed(person, concern(HOSTILE, summary=HOSTILE, detail=HOSTILE, records=(record,)))
    dismiss_concern(alert=word, actor=new_staff("x"), comment=HOSTILE, now=timezone.now())
    for text in (
        text_of(pages, "/", alert=word.pk),
        text_of(pages, f"/people/{person.pk}", tab="alerts"),
    ):
        assert HOSTILE not in text
        assert "&lt;img src=x" in text


def test_whoever_sees_no_alerts_of_the_person_sees_no_early_word(word: Alert) -> None:
    elsewhere = logged_in(new_staff("elsewhere", Role.CAREGIVER, in_team=False))
    assert elsewhere.get(f"/alerts/{word.pk}/panel").status_code == 404
    assert "data-early" not in text_of(elsewhere, "/")
    reviewer = logged_in(new_staff("reviewer", Role.REVIEWER))
    assert reviewer.get(f"/alerts/{word.pk}/panel").status_code == 404


# What people do


def test_a_dismissed_concern_is_closed_with_what_was_said_and_does_not_come_back(
    pages: Client, word: Alert, caregiver: Staff, person: MemoryUser
) -> None:
    answer = pages.post(f"/concerns/{word.pk}/dismiss", {"comment": " Took it in May "})
    assert answer["Location"] == f"/?alert={word.pk}"
    event = AlertEvent.objects.get(alert=word, kind="dismissed")
    assert (event.actor, event.comment) == (caregiver, "Took it in May")
    assert AuditEvent.objects.filter(action="alert.dismissed", object_id=str(word.pk)).count() == 1
    text = text_of(pages, "/", alert=word.pk)
    assert "dismissed by caregiver" in text
    assert "Took it in May" in text
    assert f'action="/concerns/{word.pk}/dismiss"' not in text
    assert len(noticed(person, concern(records=(PENICILLIN, AMOXICILLIN)))) == 1
    assert statuses([word]) == ["overridden"]


def test_a_concern_that_was_sent_is_noted_for_the_code_and_stands(
    pages: Client, word: Alert, person: MemoryUser, caregiver: Staff
) -> None:
    pages.post(f"/concerns/{word.pk}/send")
    need = Need.objects.get(user=person, cause="concern")
    assert (need.fact_seq, need.needs, need.status) == (2, "rule", "open")
    assert need.about == {
        "concern": word.pk,
        "summary": word.summary,
        "records": [{"kind": kind, "id": one} for kind, one in (PENICILLIN, AMOXICILLIN)],
    }
    assert statuses([word]) == ["acknowledged"]
    assert AlertEvent.objects.get(alert=word, kind="sent").actor == caregiver
    assert AuditEvent.objects.filter(action="alert.sent").count() == 1
    text = text_of(pages, "/", alert=word.pk)
    assert "caregiver asked for a rule" in text
    assert "data-early" in text


def test_a_concern_without_facts_is_sent_with_those_of_its_records(
    pages: Client, word: Alert, person: MemoryUser
) -> None:
    pages.post(f"/concerns/{noticed(person, concern('hm', facts=()))[-1].pk}/send")
    assert Need.objects.get(cause="concern").fact_seq == 1


def test_a_concern_that_was_sent_may_be_dismissed_but_not_sent_again(
    pages: Client, word: Alert
) -> None:
    for verb in ("send", "send", "dismiss", "send", "dismiss"):
        pages.post(f"/concerns/{word.pk}/{verb}")
    kinds = AlertEvent.objects.filter(alert=word).order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["opened", "sent", "dismissed"]
    assert Need.objects.filter(cause="concern").count() == 1


def test_a_rule_closes_a_concern_that_was_sent_too(
    api: Api, person: MemoryUser, word: Alert, caregiver: Staff, pages: Client
) -> None:
    send_concern(alert=word, actor=caregiver, now=timezone.now())
    api.append(person, medication("Amoxicillin"))
    assert statuses([word]) == ["resolved"]
    text = text_of(pages, "/", alert=word.pk)
    assert f'<a href="/alerts/{Alert.objects.get().pk}">a rule says it now</a>' in text


@pytest.mark.parametrize("verb", ["send", "dismiss"])
def test_whoever_comes_second_is_told_kindly(
    pages: Client, word: Alert, caregiver: Staff, verb: str
) -> None:
    dismiss_concern(alert=word, actor=caregiver, comment="", now=timezone.now())
    by_script = pages.post(f"/concerns/{word.pk}/{verb}", headers=BY_SCRIPT)
    assert by_script.status_code == 409
    assert "Somebody else has dismissed this" in by_script.content.decode()
    by_page = pages.post(f"/concerns/{word.pk}/{verb}", follow=True)
    assert "Somebody else has dismissed this" in by_page.content.decode()


def test_a_script_gets_the_panel_as_it_stands_now(pages: Client, word: Alert) -> None:
    text = pages.post(f"/concerns/{word.pk}/send", headers=BY_SCRIPT).content.decode()
    assert text.lstrip().startswith("<article")
    assert 'data-status="acknowledged"' in text


def test_words_that_are_too_long_are_refused(pages: Client, word: Alert) -> None:
    answer = pages.post(f"/concerns/{word.pk}/dismiss", {"comment": "a" * 2_001})
    assert answer.status_code == 422
    assert statuses([word]) == ["open"]


@pytest.mark.parametrize("verb", ["send", "dismiss"])
def test_an_alert_and_a_provisional_one_are_no_concerns(
    pages: Client, api: Api, person: MemoryUser, verb: str
) -> None:
    api.append(person, note("tea"), allergy("penicillin"), medication("Amoxicillin"))
    proposed_notes(person)
    for other in Alert.every.all():
        assert pages.post(f"/concerns/{other.pk}/{verb}").status_code == 404


# What becomes of concerns, counted


def test_the_page_of_rules_counts_what_became_of_concerns(
    pages: Client, api: Api, word: Alert, person: MemoryUser, caregiver: Staff
) -> None:
    words = noticed(person, concern("one", facts=(9,)), concern("two", facts=(9,)))
    dismiss_concern(alert=words[1], actor=caregiver, comment="", now=timezone.now())
    send_concern(alert=words[2], actor=caregiver, now=timezone.now())
    api.append(person, medication("Amoxicillin"))
    counted = {name: numbers[-1] for name, numbers in pages.get("/rules").context["concerns"].lines}
    assert counted == {
        "Noticed": 3,
        "Dismissed": 1,
        "A rule was asked for": 1,
        "A rule says it now": 1,
        "Gave way to others": 0,
    }
    assert 'id="concerns"' in text_of(pages, "/rules")
    assert 'id="concerns"' not in text_of(logged_in(new_staff("r", Role.REVIEWER)), "/rules")
