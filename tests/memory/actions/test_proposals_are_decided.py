"""A proposal is approved or rejected once, as the reviewer saw it, on the code it was built on."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from memory import access
from memory.actions.proposals import (
    DigestMismatch,
    NotOpen,
    ReasonMissing,
    RecordsMoved,
    approve_proposal,
    reject_proposal,
)
from memory.actions.propose import Change, ParentMoved, propose
from memory.actions.rebuild import ask_rebuild
from memory.code import project_of
from memory.models import App, CodeVersion, Job, JobStatus, MemoryUser, Proposal, Waiting
from memory.project.shipped import baseline
from tests.api_client import Api
from tests.facts import allergy, note
from tests.people import new_person
from tests.proposals import (
    FAILED,
    PURCHASE,
    approved,
    bought,
    current,
    inferred,
    proposed,
    with_files,
)
from tests.together import together

SCHEMA = "domains/purchases/schema.py"


@pytest.fixture
def waiting(api: Api, person: MemoryUser) -> MemoryUser:
    """A person two of whose readings wait."""
    api.append(person, bought("a lamp", 5), bought("a chair", 7))
    return person


def _status(proposal: Proposal) -> str:
    return Proposal.objects.get(pk=proposal.pk).status


def _jobs(person: MemoryUser, name: str) -> int:
    return Job.objects.filter(user=person, name=name, status=JobStatus.QUEUED).count()


def test_an_approval_makes_a_version_with_who_and_when(
    waiting: MemoryUser, caregiver: Staff
) -> None:
    proposal = proposed(waiting)
    done = approved(proposal, caregiver)
    (version,) = CodeVersion.objects.filter(user=waiting)
    assert version == done.version
    assert (version.number, version.tree_id, version.parent) == (
        1,
        proposal.tree_id,
        baseline().digest,
    )
    assert (version.overlay, version.baseline_id) == ([SCHEMA], baseline().digest)
    assert (version.approved_by, version.summary) == (caregiver, proposal.summary)
    decided = Proposal.objects.get(pk=proposal.pk)
    assert (decided.status, decided.decided_by) == ("approved", caregiver)
    assert decided.decided_at == version.approved_at
    assert PURCHASE in project_of(current(waiting)).kinds
    assert _jobs(waiting, "evaluate") == 1


def test_versions_count_for_each_person(waiting: MemoryUser, caregiver: Staff, api: Api) -> None:
    approved(proposed(waiting), caregiver)
    approved(proposed(waiting, with_files(waiting, {"rules/quiet.py": QUIET})), caregiver)
    other = new_person()
    api.append(other, bought("a lamp"))
    approved(proposed(other), caregiver)
    rows = CodeVersion.objects.order_by("approved_at").values_list("user_id", "number")
    assert list(rows) == [(waiting.pk, 1), (waiting.pk, 2), (other.pk, 1)]
    second = CodeVersion.objects.get(user=waiting, number=2)
    assert second.parent == CodeVersion.objects.get(user=waiting, number=1).tree_id
    assert second.overlay == [SCHEMA, "rules/quiet.py"]


QUIET = '"""Says nothing."""\n\n\ndef check(today):\n    return []\n'


def test_another_digest_is_not_approved(waiting: MemoryUser, caregiver: Staff) -> None:
    proposal = proposed(waiting)
    with pytest.raises(DigestMismatch):
        approve_proposal(
            proposal_id=proposal.pk, digest="0" * 64, actor=caregiver, now=timezone.now()
        )
    assert _status(proposal) == "open"
    assert not CodeVersion.objects.exists()


def test_a_decision_is_final(waiting: MemoryUser, caregiver: Staff, now: datetime) -> None:
    proposal = proposed(waiting)
    approved(proposal, caregiver)
    with pytest.raises(NotOpen):
        approved(proposal, caregiver)
    with pytest.raises(NotOpen):
        reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason="no", now=now)
    assert CodeVersion.objects.count() == 1


def test_two_who_approve_at_once_make_one_version(waiting: MemoryUser, caregiver: Staff) -> None:
    proposal = proposed(waiting)

    def approve() -> str:
        try:
            approved(proposal, caregiver)
        except NotOpen:
            return "too late"
        return "approved"

    assert sorted(together(approve, approve)) == ["approved", "too late"]
    assert CodeVersion.objects.count() == 1
    assert len(Waiting.objects.filter(user=waiting)) == 0


def test_a_newer_proposal_takes_the_place_of_the_open_one(
    waiting: MemoryUser, caregiver: Staff
) -> None:
    first, second = proposed(waiting), proposed(waiting)
    assert (_status(first), _status(second)) == ("superseded", "open")
    with pytest.raises(NotOpen):
        approved(first, caregiver)


def test_one_whose_checks_failed_cannot_be_approved(waiting: MemoryUser, caregiver: Staff) -> None:
    proposal = proposed(waiting, checks=[FAILED])
    assert proposal.status == "failed"
    with pytest.raises(NotOpen):
        approved(proposal, caregiver)


def test_one_built_on_other_code_is_not_approved_until_it_is_rebuilt(
    waiting: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    stale = proposed(waiting)
    Proposal.objects.filter(pk=stale.pk).update(parent="0" * 64)
    Job.objects.all().delete()
    with pytest.raises(ParentMoved):
        approve_proposal(
            proposal_id=stale.pk, digest=stale.digest, actor=caregiver, now=timezone.now()
        )
    assert _status(stale) == "open"
    assert _jobs(waiting, "structure") == 0
    ask_rebuild(proposal_id=stale.pk, actor=caregiver, now=now)
    assert _status(stale) == "superseded"
    assert _jobs(waiting, "structure") == 1
    assert current(waiting).tree == baseline().digest


def test_what_was_recorded_meanwhile_must_fit(
    waiting: MemoryUser, caregiver: Staff, api: Api
) -> None:
    path = "domains/health/schema.py"
    strict = baseline().files[path].replace('"mild", ', "")
    proposal = proposed(waiting, with_files(waiting, {path: strict}))
    api.append(waiting, allergy("nuts", severity="mild"))
    with pytest.raises(RecordsMoved):
        approved(proposal, caregiver)
    assert _status(proposal) == "superseded"
    assert set(api.records(waiting, "health.Allergy")) == {"nuts"}


def test_nothing_is_proposed_on_code_that_is_not_active(waiting: MemoryUser) -> None:
    change = Change(project=inferred(waiting), parent="0" * 64, summary="s")
    with pytest.raises(ParentMoved):
        propose(user_id=waiting.pk, change=change, now=timezone.now())
    assert not Proposal.objects.exists()


def test_a_rejection_keeps_its_reason_and_what_waits(
    waiting: MemoryUser, caregiver: Staff, now: datetime, api: Api
) -> None:
    proposal = proposed(waiting)
    reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason="not ours to keep", now=now)
    decided = Proposal.objects.get(pk=proposal.pk)
    assert (decided.status, decided.decision_reason) == ("rejected", "not ours to keep")
    assert (decided.decided_by, decided.decided_at) == (caregiver, now)
    reasons = set(Waiting.objects.filter(user=waiting).values_list("reason", flat=True))
    assert reasons == {"its proposal was rejected: not ours to keep"}
    assert current(waiting).tree == baseline().digest


@pytest.mark.parametrize("reason", ["", " \n"])
def test_a_rejection_needs_a_reason(
    waiting: MemoryUser, caregiver: Staff, now: datetime, reason: str
) -> None:
    proposal = proposed(waiting)
    with pytest.raises(ReasonMissing):
        reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason=reason, now=now)
    assert _status(proposal) == "open"


def test_only_staff_decides(
    waiting: MemoryUser, outsider: Staff, app: App, now: datetime, caregiver: Staff
) -> None:
    proposal = proposed(waiting)
    caregiver.is_active = False
    for somebody in (outsider, app, AnonymousUser(), None, caregiver):
        with pytest.raises(PermissionDenied):
            approve_proposal(
                proposal_id=proposal.pk, digest=proposal.digest, actor=somebody, now=now
            )
        with pytest.raises(PermissionDenied):
            reject_proposal(proposal_id=proposal.pk, actor=somebody, reason="no", now=now)
        assert list(access.proposals(somebody)) == []
    assert _status(proposal) == "open"


def test_a_proposal_that_is_not_there_is_not_found(caregiver: Staff, now: datetime) -> None:
    with pytest.raises(access.NotFound):
        approve_proposal(proposal_id=uuid4(), digest="", actor=caregiver, now=now)


def test_a_person_without_an_overlay_is_untouched(
    waiting: MemoryUser, caregiver: Staff, api: Api
) -> None:
    other = new_person()
    api.append(other, note("n"))
    approved(proposed(waiting), caregiver)
    assert project_of(current(other)) is baseline()
