"""An earlier version comes back as a new one: checked again, decided by another, nothing lost."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User as Staff

from memory import access
from memory.actions.approvals import OwnProposal
from memory.actions.proposals import ReasonMissing
from memory.actions.restore_version import CannotRestore, restore_version
from memory.code import project_of
from memory.models import CodeEdit, CodeVersion, MemoryUser, Proposal
from memory.rights import Role
from tests.api_client import Api
from tests.facts import fact, note, reading
from tests.memory.actions.test_editing_by_hand import RULE, TEA, TEST, TESTS
from tests.proposals import approved, bought, current, proposed, with_files
from tests.queue import deliver_all
from tests.staff import new_staff

TEAS = {RULE: TEA, TEST: TESTS}
REASON = "The new limit was too high"


@pytest.fixture
def twice(api: Api, person: MemoryUser, caregiver: Staff) -> MemoryUser:
    """A person with two versions, of which the second says it otherwise."""
    api.append(person, note("Tea again"), note("And tea"))
    deliver_all()
    approved(proposed(person, with_files(person, TEAS)), caregiver)
    other = {path: text.replace("Much", "Little") for path, text in TEAS.items()}
    approved(proposed(person, with_files(person, other)), caregiver)
    deliver_all()
    return current(person)


def bring_back(person: MemoryUser, staff: Staff, number: int, now: datetime) -> None:
    restore_version(user_id=person.pk, number=number, reason=REASON, actor=staff, now=now)
    deliver_all()


def test_it_is_a_proposal_that_another_approves(
    twice: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    bring_back(twice, caregiver, 1, now)
    proposal = Proposal.objects.open().get()
    first = CodeVersion.objects.get(user=twice, number=1)
    assert proposal.tree_id == first.tree_id
    assert proposal.summary == f"Version 1 is brought back: {REASON}"
    assert all(one["ok"] for one in proposal.checks)
    with pytest.raises(OwnProposal):
        approved(proposal, caregiver)
    approved(proposal, new_staff("second", Role.REVIEWER))
    assert project_of(current(twice)).digest == first.tree_id
    assert CodeVersion.objects.filter(user=twice).count() == 3


def test_what_would_strand_records_is_refused_with_the_reason(
    twice: MemoryUser, caregiver: Staff, api: Api, now: datetime
) -> None:
    api.append(twice, bought("a lamp"), bought("a chair"))
    deliver_all()
    approved(Proposal.objects.open().get(), caregiver)
    deliver_all()
    with pytest.raises(CannotRestore, match=r"2 records of purchases\.Purchase .* not there"):
        bring_back(twice, caregiver, 2, now)
    assert not CodeEdit.objects.exists()


def test_it_needs_a_reason_a_version_and_no_other_decision_that_waits(
    twice: MemoryUser, caregiver: Staff, api: Api, now: datetime
) -> None:
    with pytest.raises(ReasonMissing):
        restore_version(user_id=twice.pk, number=1, reason=" ", actor=caregiver, now=now)
    with pytest.raises(access.NotFound):
        bring_back(twice, caregiver, 9, now)
    with pytest.raises(CannotRestore, match="active already"):
        bring_back(twice, caregiver, 2, now)
    api.append(twice, fact("I own a boat.", reading("boats.Boat", name="Anna")))
    deliver_all()
    with pytest.raises(CannotRestore, match="another proposal waits"):
        bring_back(twice, caregiver, 1, now)
