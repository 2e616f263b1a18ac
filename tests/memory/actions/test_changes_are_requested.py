"""A reviewer asks for another attempt: bound to what they saw, audited, the needs open again."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from pytest_django import Settings

from alerts.models import Alert
from memory.access import NotFound
from memory.actions.change_requests import CannotChange, request_changes
from memory.actions.needs import needs_proposed
from memory.actions.proposals import DigestMismatch, NotOpen, ReasonMissing
from memory.evaluator import Would
from memory.models import AuditEvent, Job, MemoryUser, Need, Proposal, ProposalOrigin
from memory.rights import Role
from tests.api_client import Api
from tests.facts import fact
from tests.proposals import bought, proposed, with_files
from tests.staff import new_staff

FINDING = {
    "rule": "mine",
    "key": "",
    "severity": "warning",
    "summary": "Shrimp is not for you",
    "detail": "",
    "grade": "",
    "action": "",
    "due": None,
    "basis": [],
    "unknown": [],
    "evidence": [{"kind": "notes.Note", "id": "f1-1", "data": {"text": "x"}, "facts": [1]}],
}


@pytest.fixture(autouse=True)
def _model(settings: Settings) -> None:
    settings.MODEL = {
        **settings.MODEL,
        "base_url": "http://127.0.0.1:9/v1",
        "models": {"": "small"},
    }


@pytest.fixture
def need(api: Api, person: MemoryUser) -> Need:
    """Something that asks for a rule."""
    api.append(person, fact("No shrimp for me"))
    now = timezone.now()
    return Need.objects.create(
        user=person, fact_seq=1, cause="reading", needs="rule", noted_at=now, changed_at=now
    )


@pytest.fixture
def proposal(person: MemoryUser, need: Need) -> Proposal:
    """A model's answer to it, with a provisional alert."""
    made = proposed(
        person,
        with_files(person, {"rules/mine.py": "# mine\n"}),
        origin=ProposalOrigin.MODEL,
        model="small",
        facts=[1],
        provisional=Would((FINDING,), {}),
    )
    needs_proposed(user=person, ids=[need.pk], proposal=made, now=timezone.now())
    Job.objects.all().delete()
    return made


def ask(proposal: Proposal, staff: Staff, **more: Any) -> Proposal:
    said = {"digest": proposal.digest, "comment": "also crab"}
    return request_changes(
        proposal_id=proposal.pk, actor=staff, now=timezone.now(), **(said | more)
    )


def test_what_asked_for_it_asks_again_with_the_comment(
    person: MemoryUser, caregiver: Staff, need: Need, proposal: Proposal
) -> None:
    sent = ask(proposal, caregiver)
    assert (sent.status, sent.decision_reason, sent.decided_by) == (
        "changes",
        "also crab",
        caregiver,
    )
    need.refresh_from_db()
    assert (need.status, need.proposal) == ("open", None)
    comment = Need.objects.get(cause="comment")
    assert comment.about == {
        "proposal": str(proposal.pk),
        "comment": "also crab",
        "lines": [],
    }
    assert (comment.fact_seq, comment.status) == (1, "open")
    assert Job.objects.filter(name="structure", user=person, status="queued").count() == 1
    event = AuditEvent.objects.get(action="proposal.changes")
    assert (event.person_id, event.object_id) == (person.pk, str(proposal.pk))


def test_its_provisional_alerts_go(
    person: MemoryUser, caregiver: Staff, proposal: Proposal
) -> None:
    standing = Alert.every.provisional().active().filter(user=person)
    assert [one.summary for one in standing] == ["Shrimp is not for you"]
    ask(proposal, caregiver)
    assert not standing.all().exists()


def test_a_second_comment_takes_the_place_of_the_first(
    person: MemoryUser, caregiver: Staff, need: Need, proposal: Proposal
) -> None:
    ask(proposal, caregiver)
    again = proposed(
        person,
        with_files(person, {"rules/mine.py": "# mine, and crab\n"}),
        origin=ProposalOrigin.MODEL,
        facts=[1],
        follows=proposal.pk,
        comment="also crab",
    )
    ids = Need.objects.open().values_list("pk", flat=True)
    needs_proposed(user=person, ids=ids, proposal=again, now=timezone.now())
    ask(again, caregiver, comment="and lobster")
    assert list(Need.objects.open().order_by("pk").values_list("cause", flat=True)) == [
        "reading",
        "comment",
    ]
    assert Need.objects.get(cause="comment", status="open").about["comment"] == "and lobster"
    assert Need.objects.get(cause="comment", status="met").about["comment"] == "also crab"


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"digest": "0" * 64}, DigestMismatch),
        ({"comment": " \n"}, ReasonMissing),
    ],
)
def test_what_is_not_right_changes_nothing(
    caregiver: Staff, proposal: Proposal, more: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        ask(proposal, caregiver, **more)
    proposal.refresh_from_db()
    assert proposal.status == "open"


def test_one_that_was_decided_is_not_sent_back(caregiver: Staff, proposal: Proposal) -> None:
    ask(proposal, caregiver)
    with pytest.raises(NotOpen):
        ask(proposal, caregiver)


def test_only_who_decides_sends_back(caregiver: Staff, outsider: Staff, proposal: Proposal) -> None:
    with pytest.raises(PermissionDenied):
        ask(proposal, outsider)
    with pytest.raises(NotFound):
        ask(proposal, new_staff("far", Role.REVIEWER, in_team=False))


def test_without_a_model_it_is_refused_with_what_to_do(
    caregiver: Staff, proposal: Proposal, settings: Settings
) -> None:
    settings.MODEL = {**settings.MODEL, "models": {}}
    with pytest.raises(CannotChange, match="reject it instead"):
        ask(proposal, caregiver)


def test_what_was_inferred_is_rejected_and_not_sent_back(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("tea"))
    with pytest.raises(CannotChange, match="reject it"):
        ask(proposed(person), caregiver)
