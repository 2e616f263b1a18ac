"""What a proposed rule would say: shown while the proposal waits, and exactly that."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.utils import timezone

from alerts.models import Alert, AlertEvent
from memory.actions.proposals import reject_proposal
from memory.evaluator import Would, evaluator
from memory.models import MemoryUser, Proposal
from tests.alerts.early_words import events_of, proposed_notes, provisional
from tests.alerts.foresight import EVERY_NOTE, RULE, would
from tests.alerts.standing import evaluated
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.proposals import approved, with_files


@pytest.fixture
def noting(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with a note."""
    api.append(person, note("tea"))
    return person


def _show(person: MemoryUser, proposal: Proposal | None, found: Would | None) -> None:
    with transaction.atomic():
        evaluator().show_provisional(
            user=person, proposal=proposal, found=found, now=timezone.now()
        )


def test_what_the_rules_of_a_proposal_would_say_is_shown_as_that(noting: MemoryUser) -> None:
    proposal = proposed_notes(noting)
    one = Alert.every.get()
    assert (one.origin, one.rule, one.severity) == ("provisional", "every_note", "info")
    assert (one.summary, one.status, one.proposal) == ("Note: tea", "open", proposal)
    assert (one.version, one.fact_seq) == (proposal.digest, 1)
    assert [record["facts"] for record in one.evidence] == [[1]]
    assert events_of(one) == ["opened"]
    assert not Alert.objects.exists()


def test_what_stays_stays_what_is_new_opens_and_what_is_gone_clears(
    api: Api, noting: MemoryUser
) -> None:
    proposal = proposed_notes(noting)
    first = would(noting, with_files(noting, {RULE: EVERY_NOTE}), "every_note")
    api.append(noting, note("milk"))
    both = would(noting, with_files(noting, {RULE: EVERY_NOTE}), "every_note")
    tea = Alert.every.get()
    _show(noting, proposal, both)
    assert provisional(noting) == [("Note: tea", "open"), ("Note: milk", "open")]
    assert events_of(tea) == ["opened"]
    _show(noting, proposal, first)
    assert provisional(noting) == [("Note: tea", "open"), ("Note: milk", "resolved")]
    _show(noting, proposal, both)
    assert [status for _, status in provisional(noting)] == ["open", "resolved", "open"]
    assert events_of(tea) == ["opened"]


def test_what_is_said_otherwise_is_brought_up_to_date(noting: MemoryUser) -> None:
    proposal = proposed_notes(noting)
    project = with_files(noting, {RULE: EVERY_NOTE.replace("info", "critical")})
    _show(noting, proposal, would(noting, project, "every_note"))
    one = Alert.every.get()
    assert (one.severity, events_of(one)) == ("critical", ["opened", "changed"])


@pytest.mark.parametrize("nothing", ["no proposal", "no finding", "nothing found"])
def test_nothing_stands_where_nothing_would_be_said(noting: MemoryUser, nothing: str) -> None:
    proposal = proposed_notes(noting)
    found = Would((), {})
    arguments = {
        "no proposal": (None, None),
        "no finding": (proposal, None),
        "nothing found": (proposal, found),
    }
    _show(noting, *arguments[nothing])
    one = Alert.every.get()
    assert (one.status, events_of(one)) == ("resolved", ["opened", "cleared"])


def test_an_approval_takes_them_away_and_the_evaluation_brings_the_real_ones(
    noting: MemoryUser, caregiver: Staff
) -> None:
    approved(proposed_notes(noting), caregiver)
    assert provisional(noting) == [("Note: tea", "resolved")]
    evaluated(noting)
    real = Alert.objects.get()
    assert (real.origin, real.summary, real.status) == ("finding", "Note: tea", "open")


def test_a_rejection_takes_them_away(noting: MemoryUser, caregiver: Staff) -> None:
    proposal = proposed_notes(noting)
    reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason="no", now=timezone.now())
    assert provisional(noting) == [("Note: tea", "resolved")]


def test_what_an_alert_in_force_says_word_for_word_is_not_shown_twice(
    api: Api, noting: MemoryUser
) -> None:
    api.append(noting, allergy("penicillin"), medication("Amoxicillin"))
    proposal = proposed_notes(noting)
    project = with_files(noting, {})
    _show(noting, proposal, would(noting, project, "drug_allergy"))
    assert Alert.objects.get().rule == "drug_allergy"
    assert "open" not in [status for _, status in provisional(noting)]


def test_an_evaluation_neither_clears_nor_changes_them(api: Api, noting: MemoryUser) -> None:
    proposed_notes(noting)
    api.append(noting, allergy("penicillin"), medication("Amoxicillin"))
    evaluated(noting)
    assert provisional(noting) == [("Note: tea", "open")]
    assert AlertEvent.objects.filter(alert__origin="provisional").count() == 1
