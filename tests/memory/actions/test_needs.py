"""Needs are noted once, asked about where there is a model, and settled with their proposal."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from memory.access import NotFound
from memory.actions.needs import (
    NoSuchFact,
    NotFailed,
    ask_again,
    enqueue_open_needs,
    needs_failed,
    needs_proposed,
    note_concern,
    note_needs,
    request_structure,
)
from memory.actions.proposals import approve_proposal, reject_proposal
from memory.actions.propose import ParentMoved
from memory.actions.rebuild import ask_rebuild
from memory.models import AuditEvent, Job, MemoryUser, Need, Proposal, ProposalOrigin, ToRead
from tests.api_client import Api
from tests.facts import fact
from tests.proposals import FAILED, approved, bought, current, proposed, with_files
from tests.together import together

SHRIMP = [{"kind": "preferences.Order", "id": "shrimp"}]


@pytest.fixture
def model(settings: Settings) -> None:
    """A model that could be asked, at an address where none is."""
    settings.MODEL = {
        **settings.MODEL,
        "base_url": "http://127.0.0.1:9/v1",
        "models": {"": "small"},
    }


def concern(person: MemoryUser, number: int = 7, summary: str = "Shrimp harms") -> Need:
    with transaction.atomic():
        return note_concern(
            user=person,
            concern_id=number,
            summary=summary,
            records=SHRIMP,
            facts=[1],
            now=timezone.now(),
        )


def answered(person: MemoryUser, *needs: Need) -> Proposal:
    """An open proposal of a model for these needs."""
    project = with_files(person, {"rules/mine.py": f"# {len(Proposal.objects.all())}\n"})
    proposal = proposed(person, project, origin=ProposalOrigin.MODEL, model="small", facts=[1])
    ids = [need.pk for need in needs]
    needs_proposed(user=person, ids=ids, proposal=proposal, now=timezone.now())
    return proposal


def structure_jobs(person: MemoryUser) -> int:
    return Job.objects.filter(name="structure", user=person, status="queued").count()


def unread_boat(api: Api, person: MemoryUser) -> None:
    """A fact of which a model said that it needs a kind."""
    api.append(person, fact("My boat is the Anna"))
    found = [{"fact": 1, "quote": "My boat", "fit": "none", "needs": "kind"}]
    ToRead.objects.filter(user=person).update(status="read", found=found)


def test_a_concern_that_is_sent_on_asks_for_a_rule(
    api: Api, person: MemoryUser, model: None
) -> None:
    api.append(person, bought("shrimp"))
    need = concern(person)
    assert (need.cause, need.needs, need.fact_seq) == ("concern", "rule", 1)
    assert need.about == {"concern": 7, "summary": "Shrimp harms", "records": SHRIMP}
    assert structure_jobs(person) == 1


def test_two_concerns_of_one_fact_are_one_need(api: Api, person: MemoryUser) -> None:
    api.append(person, bought("shrimp"))
    first = concern(person)
    assert concern(person).about == first.about
    second = concern(person, 8, "So does crab")
    assert second.pk == first.pk
    assert second.about["summary"] == "Shrimp harms\nSo does crab"
    assert second.about["records"] == SHRIMP


def test_a_person_asks_for_code_for_a_fact(
    api: Api, person: MemoryUser, caregiver: Staff, model: None
) -> None:
    api.append(person, bought("shrimp"))
    Job.objects.all().delete()
    now = timezone.now()
    assert request_structure(user_id=person.pk, fact_seq=1, actor=caregiver, now=now)
    need = Need.objects.get()
    assert (need.cause, need.status, structure_jobs(person)) == ("request", "open", 1)
    assert AuditEvent.objects.filter(action="need.ask", person_id=person.pk).exists()
    answered(person, need)
    request_structure(user_id=person.pk, fact_seq=1, actor=caregiver, now=now)
    need.refresh_from_db()
    assert need.status == "proposed", "it has its proposal"
    with pytest.raises(NoSuchFact):
        request_structure(user_id=person.pk, fact_seq=99, actor=caregiver, now=now)


def test_without_a_model_what_is_asked_for_waits(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, fact("My boat is the Anna"))
    begun = request_structure(user_id=person.pk, fact_seq=1, actor=caregiver, now=timezone.now())
    assert (begun, structure_jobs(person)) == (False, 0)
    assert Need.objects.get().status == "open"


def test_who_does_not_care_for_a_person_asks_for_nothing(
    api: Api, person: MemoryUser, outsider: Staff
) -> None:
    api.append(person, fact("My boat is the Anna"))
    with pytest.raises(NotFound):
        request_structure(user_id=person.pk, fact_seq=1, actor=outsider, now=timezone.now())
    need = concern(person)
    needs_failed(user=person, ids=[need.pk], reason="no", now=timezone.now())
    with pytest.raises(NotFound):
        ask_again(need_id=need.pk, actor=outsider, now=timezone.now())


def test_an_approval_meets_the_needs_that_it_answers(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, fact("one"), fact("two"))
    need = concern(person)
    approved(answered(person, need), caregiver)
    need.refresh_from_db()
    assert need.status == "met"


def test_a_rejection_drops_them_with_the_reason(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, fact("one"))
    need = concern(person)
    reject_proposal(
        proposal_id=answered(person, need).pk, actor=caregiver, reason="no", now=timezone.now()
    )
    need.refresh_from_db()
    assert (need.status, need.reason) == ("dropped", "no")


def test_what_a_superseded_proposal_answered_is_open_again(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("one"))
    need = concern(person)
    answered(person, need)
    proposed(person, with_files(person, {"rules/other.py": "# another\n"}))
    need.refresh_from_db()
    assert (need.status, need.proposal) == ("open", None)


def test_one_on_other_code_keeps_them_until_it_is_made_anew(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, fact("one"))
    need = concern(person)
    proposal = answered(person, need)
    Proposal.objects.filter(pk=proposal.pk).update(parent="0" * 64, origin=ProposalOrigin.INFERRED)
    with pytest.raises(ParentMoved):
        approve_proposal(
            proposal_id=proposal.pk, digest=proposal.digest, actor=caregiver, now=timezone.now()
        )
    need.refresh_from_db()
    assert need.status == "proposed"
    ask_rebuild(proposal_id=proposal.pk, actor=caregiver, now=timezone.now())
    need.refresh_from_db()
    assert (need.status, structure_jobs(person)) == ("open", 1)


def test_a_failed_attempt_of_a_model_leaves_the_open_proposal(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("one"))
    need = concern(person)
    standing = answered(person, need)
    project = with_files(person, {"rules/bad.py": "# bad\n"})
    failed = proposed(person, project, origin=ProposalOrigin.MODEL, checks=[FAILED])
    standing.refresh_from_db()
    need.refresh_from_db()
    assert (failed.status, standing.status, need.status) == ("failed", "open", "proposed")


def test_a_failed_need_stays_failed_until_somebody_asks_again(
    api: Api, person: MemoryUser, caregiver: Staff, model: None
) -> None:
    api.append(person, fact("one"))
    need = concern(person)
    Job.objects.all().delete()
    now = timezone.now()
    needs_failed(user=person, ids=[need.pk], reason="types: \0 line 3", now=now)
    need.refresh_from_db()
    assert (need.status, need.reason) == ("failed", "types: \ufffd line 3")
    assert enqueue_open_needs(now=now + timedelta(days=30)) == 0
    assert ask_again(need_id=need.pk, actor=caregiver, now=now)
    need.refresh_from_db()
    assert (need.status, need.reason, structure_jobs(person)) == ("open", "", 1)
    with pytest.raises(NotFailed):
        ask_again(need_id=need.pk, actor=caregiver, now=now)


def test_the_sweep_queues_what_is_due_and_nobody_is_about(
    api: Api, person: MemoryUser, model: None
) -> None:
    api.append(person, fact("one"))
    need = concern(person)
    Job.objects.all().delete()
    now = timezone.now()
    assert (enqueue_open_needs(now=now), structure_jobs(person)) == (1, 1)
    assert enqueue_open_needs(now=now) == 0, "a job is under way"
    Job.objects.filter(name="structure").update(status="done", finished_at=now)
    assert enqueue_open_needs(now=now + timedelta(minutes=29)) == 0, "it has just been tried"
    assert enqueue_open_needs(now=now + timedelta(minutes=31)) == 1
    Job.objects.filter(name="structure").update(status="cancelled", finished_at=now)
    assert enqueue_open_needs(now=now + timedelta(hours=5)) == 0
    assert need.status == "open"


def test_what_is_not_urgent_is_due_after_a_day(api: Api, person: MemoryUser, model: None) -> None:
    api.append(person, fact("one"))
    now = timezone.now()
    Need.objects.create(
        user=person, fact_seq=1, cause="age", needs="rule", noted_at=now, changed_at=now
    )
    assert enqueue_open_needs(now=now + timedelta(hours=23)) == 0
    assert enqueue_open_needs(now=now + timedelta(hours=25)) == 1


def test_without_a_model_the_sweep_queues_nobody(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("one"))
    concern(person)
    assert enqueue_open_needs(now=timezone.now()) == 0


def test_two_who_note_the_same_note_it_once(api: Api, person: MemoryUser) -> None:
    unread_boat(api, person)

    def note() -> None:
        with transaction.atomic():
            user = MemoryUser.objects.select_for_update(no_key=True).get(pk=person.pk)
            note_needs(user=user, seqs=[1], now=timezone.now())

    together(note, note)
    assert [(one.fact_seq, one.cause) for one in Need.objects.all()] == [(1, "reading")]
    assert note_needs(user=current(person), seqs=[1], now=timezone.now()) == 0
