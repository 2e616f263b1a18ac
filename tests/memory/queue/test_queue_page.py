"""The review queue: all that waits in one list, for those who may decide it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User as Staff
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from alerts.models import Alert
from memory.models import (
    HeldReading,
    MemoryUser,
    Need,
    Proposal,
    ProposalOrigin,
    Team,
    TeamMembership,
)
from memory.queue.listing import PAGE, count_of
from memory.rights import Role
from tests.alerts.early_words import concern, noticed, proposed_notes, statuses
from tests.alerts.foresight import EVERY_NOTE, GARDEN, RULE, SCHEMA, would
from tests.alerts.staff_pages import HOSTILE, logged_in, text_of
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.memory.queue.waiting import danger, held_reading, items, made_at, seen
from tests.people import new_person
from tests.proposals import FAILED, PASSED, approved, proposed, with_files
from tests.queue import deliver_all
from tests.staff import new_staff, ward


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as somebody sees them who may decide everything."""
    return logged_in(caregiver)


@pytest.fixture
def held(api: Api, person: MemoryUser) -> HeldReading:
    """A reading that would take away an allergy."""
    api.append(person, allergy("penicillin", severity="severe"))
    return held_reading(person)


@pytest.fixture
def word(held: HeldReading, person: MemoryUser) -> Alert:
    """A concern that the model noticed."""
    return noticed(person, concern())[0]


@pytest.fixture
def proposal(api: Api, word: Alert, person: MemoryUser) -> Proposal:
    """A proposal whose rule would raise a critical alert, older than all else."""
    api.append(person, note("tea"))
    found = danger(person)
    made_at(found, timezone.now() - timedelta(days=2), "created_at")
    return found


def test_all_that_waits_is_one_list_the_gravest_first_then_the_newest(
    pages: Client, proposal: Proposal, held: HeldReading, word: Alert, api: Api
) -> None:
    other = new_person(name="Zoe")
    api.append(other, note("a plant"))
    harmless = proposed(other, with_files(other, {SCHEMA: GARDEN}))
    expected = [str(proposal.pk), f"concern-{word.pk}", f"held-{held.pk}", str(harmless.pk)]
    assert items(pages) == expected
    longest_first = [expected[0], expected[2], expected[1], expected[3]]
    assert items(pages, "?order=oldest") == longest_first
    assert "<h1>Review</h1>" in text_of(pages, "/proposals")
    assert 'title="what waits for a decision">4<' in text_of(pages, "/people")


def test_a_line_says_what_a_proposal_changes_and_what_it_cost(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, note("tea"))
    project = with_files(person, {RULE: EVERY_NOTE, SCHEMA: GARDEN})
    lost = {"rule": "old", "severity": "critical", "summary": "x", "evidence": []}
    step = {"seq": None, "on": "2026-01-01", "opened": [], "cleared": [], "gone": [lost]}
    proposed(
        person,
        project,
        checks=[PASSED, PASSED],
        provisional=would(person, project, "every_note"),
        replay=[step],
        origin=ProposalOrigin.MODEL,
        model="small-model",
        tokens=9140,
        cost=Decimal("0.0123"),
    )
    text = " ".join(text_of(pages, "/proposals").split())
    for words in (
        '<span class="tag plain">garden</span>',
        '<span class="tag plain">notes</span>',
        'kind <bdi class="mono">garden.Plant</bdi>',
        'rule <bdi class="mono">every_note</bdi>',
        "</span> +1 information</span>",
        "−1 critical that stands today",
        "provisional: rule not yet approved",
        "2 of 2 checks",
        "written by <bdi>small-model</bdi>, 9,140 tokens, cost 0.0123",
        "Ada",
        'title="',
    ):
        assert words in text


def test_what_is_foreseen_later_changes_the_danger(api: Api, person: MemoryUser) -> None:
    found = danger(person)
    assert (found.danger, found.outline["gained"]) == (3, {})
    api.append(person, note("tea"))
    deliver_all()
    found.refresh_from_db()
    assert (found.danger, found.outline["gained"]) == (0, {"critical": 1})
    assert found.outline["rules"] == [["added", "every_note"]]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("?kind=proposal", "p"),
        ("?kind=held", "h"),
        ("?kind=concern", "c"),
        ("?kind=nonsense", "pch"),
        ("?danger=critical", "p"),
        ("?danger=warning", "ch"),
        ("?danger=none", ""),
        ("?domain=health", "ch"),
        ("?domain=notes", "p"),
        ("?domain=heal", ""),
        ("?domain=%25", ""),
        ("?by=inferred", "p"),
        ("?by=model", "ch"),
        ("?by=model:small", ""),
        ("?kind=held&domain=health&danger=warning&by=model", "h"),
        ("?status=decided", ""),
        ("?status=failed", ""),
        ("?status=changes", ""),
        ("?status=superseded", ""),
        ("?team=00000000-0000-0000-0000-000000000000", ""),
        ("?team=nonsense", "pch"),
        ("?page=99", "pch"),
    ],
)
def test_filters(
    pages: Client, proposal: Proposal, held: HeldReading, word: Alert, query: str, shown: str
) -> None:
    ids = {"p": str(proposal.pk), "h": f"held-{held.pk}", "c": f"concern-{word.pk}"}
    assert items(pages, query) == [ids[one] for one in shown]


def test_what_was_decided_is_listed_apart_with_who_decided(
    pages: Client, proposal: Proposal, held: HeldReading, word: Alert, caregiver: Staff
) -> None:
    approved(proposal, caregiver)
    pages.post(f"/held/{held.pk}/refuse", {"queue": ""})
    pages.post(f"/concerns/{word.pk}/dismiss", {"queue": "", "comment": "Known for years"})
    assert items(pages) == []
    decided = [f"concern-{word.pk}", f"held-{held.pk}", str(proposal.pk)]
    assert items(pages, "?status=decided") == decided
    text = " ".join(text_of(pages, "/proposals", status="decided").split())
    for words in ("refused by <bdi>caregiver</bdi>", "Known for years", "approved"):
        assert words in text


def test_what_failed_is_listed_with_the_check_that_it_did_not_pass(
    pages: Client, person: MemoryUser, api: Api
) -> None:
    failed = proposed(person, with_files(person, {SCHEMA: GARDEN}), checks=[PASSED, FAILED])
    assert items(pages) == []
    assert items(pages, "?status=failed") == [str(failed.pk)]
    assert "types: line 3" in text_of(pages, "/proposals", status="failed")


def test_a_person_is_sought_by_post_and_never_named_in_an_address(
    pages: Client, held: HeldReading
) -> None:
    other = new_person(name="Zoe")
    theirs = held_reading(other)
    assert items(pages, q="zo") == [f"held-{theirs.pk}"]
    assert items(pages, q="ADA") == [f"held-{held.pk}"]
    assert items(pages, q=other.external_id) == [f"held-{theirs.pk}"]
    assert items(pages, q="Zoe", kind="concern") == []
    assert items(pages, "?q=Zoe") == [f"held-{theirs.pk}", f"held-{held.pk}"]
    text = pages.post("/proposals", {"q": "Nobody", "kind": "held"}).content.decode()
    assert "Nothing fits these filters" in text
    assert "q=Nobody" not in text


def test_a_long_queue_has_pages(pages: Client, held: HeldReading, person: MemoryUser) -> None:
    for _ in range(PAGE):
        held_reading(person)
    first, second = items(pages), items(pages, "?page=2")
    assert (len(first), second) == (PAGE, [f"held-{held.pk}"])
    assert 'rel="next" href="?kind=held&amp;page=2"' in text_of(pages, "/proposals", kind="held")
    assert items(pages, q="Ada", page="2") == second


def test_a_reading_is_confirmed_and_refused_in_its_line(
    pages: Client, held: HeldReading, person: MemoryUser, api: Api
) -> None:
    moved = pages.post(f"/held/{held.pk}/confirm", {"queue": "kind=held", "seen": "0"})
    assert moved["Location"] == "/proposals?kind=held"
    assert "has changed since" in text_of(pages, "/proposals")
    done = pages.post(f"/held/{held.pk}/confirm", {"queue": "kind=held", "seen": seen(held)})
    assert done["Location"] == "/proposals?kind=held"
    assert "Confirmed" in text_of(pages, "/proposals")
    assert api.records(person, "health.Allergy") == {}
    assert items(pages) == []


def test_a_form_leads_back_to_the_queue_and_nowhere_else(pages: Client, held: HeldReading) -> None:
    hostile = "//evil.example/?next=//evil.example&kind=held&status=//evil.example"
    answer = pages.post(f"/held/{held.pk}/refuse", {"queue": hostile})
    assert answer["Location"] == "/proposals?kind=held"


def test_a_reviewer_who_sees_no_alerts_decides_concerns_in_the_queue(word: Alert) -> None:
    reviewer = logged_in(new_staff("judge", Role.REVIEWER))
    assert f"concern-{word.pk}" in items(reviewer)
    text = text_of(reviewer, "/proposals")
    assert "I started amoxicillin" in text
    assert f"/alerts/{word.pk}" not in text
    answer = reviewer.post(f"/concerns/{word.pk}/send", {"queue": "kind=concern"}, follow=True)
    assert answer.redirect_chain == [("/proposals?kind=concern", 302)]
    assert "Asked for: a rule that is proposed" in answer.content.decode()
    assert statuses([word]) == ["acknowledged"]
    assert Need.objects.filter(cause="concern").count() == 1
    late = reviewer.post(f"/concerns/{word.pk}/send", {"queue": ""}, follow=True)
    assert "Somebody else has asked for a rule meanwhile" in late.content.decode()
    plain = reviewer.post(f"/concerns/{word.pk}/dismiss", follow=True)
    assert plain.redirect_chain == [("/proposals", 302)]
    too_long = {"queue": "", "comment": "x" * 3_000}
    answer = reviewer.post(f"/concerns/{noticed_again(word)}/dismiss", too_long, follow=True)
    assert "at most 2000 characters" in answer.content.decode()


def noticed_again(word: Alert) -> int:
    return noticed(word.user, concern("Another word"))[-1].pk


def test_everybody_sees_what_they_may_decide_and_no_more(
    proposal: Proposal, held: HeldReading, word: Alert
) -> None:
    waits = {
        Role.CAREGIVER: [f"concern-{word.pk}", f"held-{held.pk}"],
        Role.REVIEWER: [str(proposal.pk), f"concern-{word.pk}", f"held-{held.pk}"],
    }
    for role, expected in waits.items():
        near = new_staff(f"near {role}", role)
        assert items(logged_in(near)) == expected
        assert count_of(near) == len(expected)
        far = new_staff(f"far {role}", role, in_team=False)
        assert items(logged_in(far)) == []
        assert items(logged_in(far), "?status=decided") == []
        assert items(logged_in(far), q="Ada") == []
        assert count_of(far) == 0
    for role in (Role.ADMIN, Role.AUDITOR):
        client = logged_in(new_staff(f"no {role}", role))
        for address in ("/proposals", "/proposals/list", "/proposals/count"):
            assert client.get(address).status_code == 403


def test_a_filter_by_team_is_for_ones_own_teams(held: HeldReading, caregiver: Staff) -> None:
    now = timezone.now()
    second = Team.objects.create(name="Night", created_at=now)
    pages = logged_in(caregiver)
    assert items(pages, f"?team={ward().pk}") == [f"held-{held.pk}"]
    assert items(pages, f"?team={second.pk}") == []
    assert 'name="team"' not in text_of(pages, "/proposals")
    TeamMembership.objects.create(team=second, staff=caregiver, starts_at=now)
    assert items(pages, f"?team={second.pk}") == []
    assert 'name="team"' in text_of(pages, "/proposals")


def _everything_about(person: MemoryUser, api: Api) -> None:
    api.append(person, allergy("penicillin"), medication("ibuprofen"), note("tea"))
    danger(person)
    held_reading(person)
    noticed(person, concern())


def test_the_number_of_queries_does_not_grow_with_the_queue(
    pages: Client, api: Api, django_assert_max_num_queries: Any
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as sent:
            assert pages.get("/proposals").status_code == 200
        return len(sent)

    _everything_about(new_person(name="One"), api)
    asked()  # the code is at hand from here on
    few = min(asked(), asked())  # what is done once in a while is not the queue's
    for number in range(6):
        _everything_about(new_person(name=f"Person {number}"), api)
    assert min(asked(), asked()) <= few
    assert few <= 25
    with django_assert_max_num_queries(10):
        pages.get("/proposals/count")


def test_hostile_words_are_text(pages: Client, api: Api) -> None:
    person = new_person(name=HOSTILE)
    api.append(person, allergy(HOSTILE))
    held_reading(person, quote=HOSTILE, record_id=HOSTILE)
    noticed(person, concern(HOSTILE, summary=HOSTILE, detail=HOSTILE))
    proposed_notes(person)
    Proposal.objects.update(summary=HOSTILE, reason=HOSTILE, model=HOSTILE, origin="model")
    Proposal.objects.update(outline={"domains": [HOSTILE], "kinds": [["added", HOSTILE]]})
    for address in ("/proposals", "/proposals/list", "/proposals?by=model:<img src=x>"):
        text = text_of(pages, address)
        assert HOSTILE not in text
        assert "<img" not in text
        assert "&lt;img src=x" in text


def test_earlier_proposals_are_outlined_by_the_migration(
    proposal: Proposal,
) -> None:
    before = (proposal.outline, proposal.danger)
    assert before[1] == 0
    Proposal.objects.update(outline={}, danger=3)
    import_module("memory.migrations.0019_outline_earlier_proposals").outline_all(apps, None)
    proposal.refresh_from_db()
    assert (proposal.outline, proposal.danger) == before
