"""Approve or reject code that was proposed for a person."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import access
from memory.actions.activate import activate, record_version
from memory.actions.approvals import record_approval
from memory.actions.needs import drop_needs, meet_needs
from memory.actions.place_proposed import misplaced, of_facts, place_proposed
from memory.actions.propose import ParentMoved, clear_provisional, record_of, supersede_open
from memory.actions.wait import set_reasons
from memory.code import Code, code_of, load_project
from memory.models import CodeVersion, MemoryUser, Proposal, ProposalStatus
from memory.refit import misfits
from memory.rights import Right


class NotOpen(Exception):
    """The proposal has been decided, superseded, or did not pass its checks."""


class DigestMismatch(Exception):
    """The approval names another tree than the proposal's."""


class RecordsMoved(ParentMoved):
    """Something was recorded meanwhile that the proposed code has no place for."""


class ReasonMissing(ValueError):
    """A rejection without a reason."""


@dataclass(frozen=True)
class Approved:
    """The version that an approval made, and how many readings it placed.

    Without a version it takes so many more reviewers (`left`), and nothing is active yet.
    """

    version: CodeVersion | None
    placed: int = 0
    left: int = 0


def approve_proposal(
    *,
    proposal_id: UUID,
    digest: str,
    actor: access.Somebody,
    now: datetime,
    ticked: Collection[str] = (),
) -> Approved:
    """Make a proposal's project the person's, bound to the digest that the reviewer saw.

    `ticked` are the keys of the doubts that the reviewer has looked at: it takes all of them. One
    that takes two reviewers is active with the second (`approvals_needed`).

    Raises PermissionDenied, access.NotFound, NotOpen, DigestMismatch, OwnProposal, AlreadyApproved
    and NotTicked; ParentMoved, after which it can be rebuilt; and RecordsMoved, after which a new
    one is being made unless somebody wrote it by hand.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    with transaction.atomic():
        proposal, user = locked(staff, proposal_id)
        if proposal.status != ProposalStatus.OPEN:
            raise NotOpen(proposal.pk)
        if proposal.digest != digest:
            raise DigestMismatch(proposal.pk)
        outdated = _outdated(proposal, user)
        if outdated is None:
            left = record_approval(proposal=proposal, staff=staff, ticked=ticked, now=now)
            return _approve(proposal, user, staff, now) if not left else Approved(None, left=left)
        record_of("proposal.outdated", proposal, staff, now)
        if isinstance(outdated, RecordsMoved) and not proposal.hands:
            supersede_open(user=user, now=now, anew=True)
    raise outdated


def locked(staff: Staff, proposal_id: UUID) -> tuple[Proposal, MemoryUser]:
    """The proposal and its person, whose lock every change of a proposal holds."""
    found = access.proposal(staff, proposal_id)
    user = access.memory_user(staff, found.user_id, Right.PROPOSALS_DECIDE, lock=True)
    return access.proposal(staff, proposal_id), user


def _outdated(proposal: Proposal, user: MemoryUser) -> ParentMoved | None:
    before = code_of(user).project
    if before.digest != proposal.parent:
        return ParentMoved(proposal.pk)
    after = load_project(proposal.tree_id)
    again = [one.fact for one in of_facts(proposal.placements)]
    if any(misfits(user, before, after, read_again=again)):
        return RecordsMoved(proposal.pk)
    if misplaced(user, Code(after, load_project(proposal.baseline_id)), proposal.placements):
        return RecordsMoved(proposal.pk)
    return None


def _approve(proposal: Proposal, user: MemoryUser, staff: Staff, now: datetime) -> Approved:
    decide(proposal, ProposalStatus.APPROVED, staff, "", now)
    meet_needs(proposal_id=proposal.pk, now=now)
    tree, baseline = proposal.tree_id, proposal.baseline_id
    version = record_version(
        user=user,
        tree=tree,
        baseline=baseline,
        summary=proposal.summary,
        approved_by=staff,
        now=now,
    )
    placed = activate(user=user, tree=tree, baseline=baseline, now=now)
    placed += place_proposed(user=user, placements=proposal.placements, now=now)
    clear_provisional(user=user, now=now)
    return Approved(version, placed)


@transaction.atomic
def reject_proposal(
    *, proposal_id: UUID, actor: access.Somebody, reason: str, now: datetime
) -> Proposal:
    """Send a proposal back; what waits for it goes on waiting, with the reason.

    Raises PermissionDenied, access.NotFound, NotOpen and ReasonMissing.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    if not reason.strip():
        raise ReasonMissing("say why the proposal is rejected")
    proposal, user = locked(staff, proposal_id)
    decide(proposal, ProposalStatus.REJECTED, staff, reason, now)
    drop_needs(proposal_id=proposal.pk, reason=reason, now=now)
    words = f"its proposal was rejected: {reason}"
    set_reasons(user=user, reasons=dict.fromkeys(proposal.readings, words))
    clear_provisional(user=user, now=now)
    return access.proposal(staff, proposal_id)


def decide(
    proposal: Proposal, status: ProposalStatus, staff: Staff, reason: str, now: datetime
) -> None:
    """End an open proposal of a locked person. Raises NotOpen."""
    won = (
        Proposal.objects.open()
        .filter(pk=proposal.pk)
        .update(status=status, decided_at=now, decided_by=staff, decision_reason=reason)
    )
    if not won:
        raise NotOpen(proposal.pk)
    record_of(f"proposal.{status}", proposal, staff, now)
