"""The list of rules and a rule's page: who may see what, and over whom it is counted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts import access
from alerts.actions import acknowledge_alert, override_alert
from alerts.models import Alert, OverrideReason
from alerts.views.rule_counts import counts_by_rule
from memory.code import adopted_baseline
from memory.models import MemoryUser
from memory.rights import Right, Role, holders
from tests.alerts.staff_pages import HOSTILE, critical_alert, logged_in, text_of
from tests.api_client import HOST, Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.proposals import approved, bought, proposed, with_files
from tests.staff import new_staff

QUIET = '''"""Warns of nothing, <b>quietly</b>."""

from datetime import date

from domains.notes.state import notes
from uac import Alert


def check(today: date) -> list[Alert]:
    """Nothing."""
    return [] if notes else []
'''


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """A critical alert, open."""
    return critical_alert(api, person)


def override(alert: Alert, staff: Staff, reason: OverrideReason) -> None:
    override_alert(alert=alert, actor=staff, reason=reason, comment="", now=timezone.now())


def test_whoever_may_see_alerts_may_see_the_rules() -> None:
    assert set(holders(Right.ALERTS_READ)) <= set(holders(Right.CODE_READ))


def test_every_rule_is_listed_with_what_it_warns_of(pages: Client) -> None:
    text = text_of(pages, "/rules")
    for name, rule in adopted_baseline().rules.items():
        assert f'href="/rules/{name}"' in text
        assert rule.doc
    assert "Warns of a medication that conflicts with a recorded allergy." in text


def test_every_rule_has_a_page(pages: Client) -> None:
    for name in adopted_baseline().rules:
        assert f"rules/{name}.py" in text_of(pages, f"/rules/{name}")


def test_a_page_tells_what_the_rule_reads_and_shows_its_code_and_examples(pages: Client) -> None:
    answer = pages.get("/rules/drug_allergy")
    page = answer.context["page"]
    assert {one.collection for one in page.reads} >= {"allergies", "medications"}
    named = {field.name for one in page.reads for field in one.fields if field.named}
    assert {"substance", "severity", "name", "status"} <= named
    text = answer.content.decode()
    assert "health.Allergy" in text
    assert '<span class="nf">check</span>' in text
    assert "tests/test_drug_allergy.py" in text
    assert page.project.digest in text


def test_it_says_since_when_the_rule_reads_like_this(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, medication("paracetamol"))  # the first fact adopts the baseline
    assert pages.get("/rules/drug_allergy").context["page"].since.words == "baseline 1"


def test_absent_rules_and_forbidden_people_look_alike(
    pages: Client, person: MemoryUser, outsider: Staff
) -> None:
    elsewhere = new_person(name="Zoe", placed=False)
    assert pages.get("/rules/nothing").status_code == 404
    assert pages.get(f"/people/{person.pk}/rules/nothing").status_code == 404
    assert pages.get(f"/people/{elsewhere.pk}/rules/drug_allergy").status_code == 404
    assert pages.get(f"/people/{person.pk}/rules/drug_allergy").status_code == 200
    assert logged_in(outsider).get("/rules").status_code == 403
    assert logged_in(outsider).get("/rules/drug_allergy").status_code == 404
    assert Client(SERVER_NAME=HOST).get("/rules").status_code == 302


# How it did


def test_overrides_are_counted_with_their_reasons(
    pages: Client, api: Api, alert: Alert, caregiver: Staff
) -> None:
    other = new_person(name="Bo")
    api.append(other, allergy("penicillin"), medication("amoxicillin"))
    override(Alert.objects.get(user=other), caregiver, OverrideReason.TOLERATED)
    acknowledge_alert(alert=alert, actor=caregiver, now=timezone.now())
    answer = pages.get("/rules/drug_allergy")
    counts = answer.context["page"].standing.counts
    assert dict(counts.lines) == {
        "Fired": (2, 2, 2),
        "Came back": (0, 0, 0),
        "Acknowledged": (1, 1, 1),
        "Put aside": (0, 0, 0),
        "Overridden": (1, 1, 1),
        "Cleared by the rules": (0, 0, 0),
    }
    assert counts.reasons == [("Tolerated before", (1, 1, 1))]
    assert counts.shares == [50, 50, 50]
    text = answer.content.decode()
    assert "Tolerated before" in text
    assert "Counted over the 2 people of your teams" in text


def test_what_is_longer_ago_counts_in_the_longer_spans_alone(
    alert: Alert, caregiver: Staff
) -> None:
    later = timezone.now() + timedelta(days=40)
    counts = counts_by_rule(access.events(caregiver), later)["drug_allergy"]
    assert dict(counts.lines)["Fired"] == (0, 1, 1)
    later += timedelta(days=60)
    counts = counts_by_rule(access.events(caregiver), later)["drug_allergy"]
    assert dict(counts.lines)["Fired"] == (0, 0, 1)


def test_nothing_is_counted_of_people_whom_the_reader_may_not_see(
    pages: Client, api: Api, alert: Alert
) -> None:
    hidden = new_person(name="Zoe", placed=False)
    api.append(hidden, allergy("penicillin", severity="severe"), medication("cefalexin"))
    page = pages.get("/rules/drug_allergy").context["page"]
    assert page.standing.counts.fired == 1
    assert [one.pk for one in page.standing.open] == [alert.pk]
    assert all(not row.row_id.startswith("cross:") for row in page.standing.cited)
    listed = {line.rule.name: line for line in pages.get("/rules").context["lines"]}
    assert (listed["drug_allergy"].open, listed["drug_allergy"].counts.fired) == (1, 1)


def test_a_reviewer_sees_the_code_and_nothing_of_the_alerts(alert: Alert) -> None:
    reviewer = logged_in(new_staff("reviewer", Role.REVIEWER))
    answer = reviewer.get("/rules/drug_allergy")
    assert answer.context["page"].standing is None
    text = answer.content.decode()
    assert '<span class="nf">check</span>' in text
    assert alert.summary not in text
    assert "shown to those who may see alerts" in text
    assert reviewer.get("/rules").context["lines"][0].counts is None


def test_open_alerts_and_cited_rows_are_links(pages: Client, alert: Alert) -> None:
    text = text_of(pages, "/rules/drug_allergy")
    assert f'href="/?alert={alert.pk}"' in text
    for row_id in alert.basis:
        assert f'href="/tables/{row_id}"' in text


def test_the_panel_leads_to_the_rule_and_to_the_rows(pages: Client, alert: Alert) -> None:
    text = text_of(pages, f"/alerts/{alert.pk}/panel")
    assert 'href="/rules/drug_allergy"' in text
    for row_id in alert.basis:
        assert f'href="/tables/{row_id}"' in text
        assert pages.get(f"/tables/{row_id}").status_code == 200


# A person's own code


def test_a_rule_of_one_person_alone_has_its_page_with_their_code(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"))
    approved(proposed(person, with_files(person, {"rules/quiet.py": QUIET})), caregiver)
    assert pages.get("/rules/quiet").status_code == 404
    answer = pages.get(f"/people/{person.pk}/rules/quiet")
    page = answer.context["page"]
    assert (page.own, page.since.words, page.examples) == (True, "version 1", None)
    assert page.standing.people == 1
    text = answer.content.decode()
    assert "&lt;b&gt;quietly&lt;/b&gt;" in text
    assert "<b>quietly" not in text
    assert f"/people/{person.pk}/rules/quiet" in text_of(pages, f"/people/{person.pk}/code")


def test_names_and_facts_are_shown_as_text(pages: Client, api: Api) -> None:
    someone = new_person(name=HOSTILE)
    api.append(someone, allergy("penicillin", reaction=HOSTILE), medication("amoxicillin"))
    text = text_of(pages, "/rules/drug_allergy")
    assert HOSTILE not in text
    assert "&lt;img src=x" in text
