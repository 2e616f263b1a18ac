"""A proposal whose ground has moved is put on the new ground, and decided after that."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory.actions.activate import activate
from memory.actions.proposals import NotOpen, reject_proposal
from memory.actions.propose import ParentMoved
from memory.actions.rebuild import NotMoved, ask_rebuild
from memory.code import project_of, store_project
from memory.models import MemoryUser, Need, Proposal, ProposalOrigin
from memory.project.shipped import baseline
from memory.project.tree import Project
from tests.api_client import Api
from tests.facts import note
from tests.memory.actions.test_editing_by_hand import QUIET, RULE, TEA, TEST, TESTS
from tests.proposals import approved, current, proposed, with_files
from tests.queue import deliver_all

SEA = TEA.replace("Much tea", "A sea of tea")


def moved_to(person: MemoryUser, project: Project, now: datetime) -> None:
    """The person's code is another, as when the baseline moves under them."""
    tree = store_project(project).pk
    with transaction.atomic():
        user = MemoryUser.objects.select_for_update(no_key=True).get(pk=person.pk)
        activate(user=user, tree=tree, baseline=baseline().digest, now=now)


@pytest.fixture
def proposal(api: Api, person: MemoryUser) -> Proposal:
    """An open proposal of a model."""
    api.append(person, note("Tea again"), note("And tea"))
    deliver_all()
    project = with_files(person, {RULE: TEA, TEST: TESTS})
    return proposed(person, project, origin=ProposalOrigin.MODEL, model="small", facts=[1])


def need_of(person: MemoryUser, proposal: Proposal, now: datetime) -> Need:
    return Need.objects.create(
        user=person, fact_seq=1, cause="reading", needs="rule", status="proposed",
        proposal=proposal, noted_at=now, changed_at=now,
    )  # fmt: skip


def test_it_is_merged_checked_and_follows_the_one_before(
    person: MemoryUser, caregiver: Staff, proposal: Proposal, now: datetime
) -> None:
    need = need_of(person, proposal, now)
    with pytest.raises(NotMoved):
        ask_rebuild(proposal_id=proposal.pk, actor=caregiver, now=now)
    moved_to(person, with_files(person, {"rules/quiet.py": QUIET}), now)
    with pytest.raises(ParentMoved):
        approved(proposal, caregiver)
    ask_rebuild(proposal_id=proposal.pk, actor=caregiver, now=now)
    deliver_all()
    proposal.refresh_from_db()
    need.refresh_from_db()
    later = Proposal.objects.open().get()
    assert (proposal.status, later.follows, later.origin) == ("superseded", proposal, "model")
    assert later.parent == project_of(current(person)).digest
    assert {RULE, TEST, "rules/quiet.py"} <= set(later.tree.files)
    assert (need.status, need.proposal) == ("proposed", later)
    assert approved(later, caregiver).version is not None
    with pytest.raises(NotOpen):
        ask_rebuild(proposal_id=proposal.pk, actor=caregiver, now=now)


def test_where_both_changed_the_same_place_the_proposals_text_stays_and_it_says_so(
    person: MemoryUser, caregiver: Staff, proposal: Proposal, now: datetime
) -> None:
    moved_to(person, with_files(person, {RULE: SEA}), now)
    ask_rebuild(proposal_id=proposal.pk, actor=caregiver, now=now)
    deliver_all()
    rebuilt = Proposal.objects.open().get()
    assert rebuilt.follows == proposal
    assert "in the same place: this proposal's text stays" in rebuilt.summary
    assert rebuilt.tree.files[RULE] == proposal.tree.files[RULE]


def test_one_that_does_not_pass_there_is_kept_and_the_one_before_stays(
    person: MemoryUser, caregiver: Staff, proposal: Proposal, now: datetime
) -> None:
    need = need_of(person, proposal, now)
    tests = TESTS.replace("Much tea", "A sea of tea")
    moved_to(person, with_files(person, {RULE: SEA, "tests/test_sea.py": tests}), now)
    ask_rebuild(proposal_id=proposal.pk, actor=caregiver, now=now)
    deliver_all()
    rebuilt = Proposal.objects.get(status="failed")
    assert (rebuilt.follows, rebuilt.parent) == (proposal, project_of(current(person)).digest)
    assert next(one["name"] for one in rebuilt.checks if not one["ok"]) == "tests"
    assert Proposal.objects.open().get() == proposal
    need.refresh_from_db()
    assert (need.status, need.proposal) == ("proposed", proposal)


def test_what_was_rejected_meanwhile_is_not_rebuilt(
    person: MemoryUser, caregiver: Staff, proposal: Proposal, now: datetime
) -> None:
    moved_to(person, with_files(person, {"rules/quiet.py": QUIET}), now)
    ask_rebuild(proposal_id=proposal.pk, actor=caregiver, now=now)
    reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason="no", now=now)
    deliver_all()
    assert Proposal.objects.count() == 1
