"""Propose code for a person, and approve or reject what was proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import access, audit
from memory.actions.activate import activate, record_version
from memory.actions.jobs import enqueue
from memory.actions.wait import set_reasons
from memory.code import code_of, load_project, store_project
from memory.models import CodeVersion, MemoryUser, Proposal, ProposalStatus
from memory.project.tree import Project
from memory.refit import misfits
from memory.rights import Right


class NotOpen(Exception):
    """The proposal has been decided, superseded, or did not pass its checks."""


class DigestMismatch(Exception):
    """The approval names another tree than the proposal's."""


class ParentMoved(Exception):
    """The person's code is not the one that the proposal was built on."""


class RecordsMoved(ParentMoved):
    """Something was recorded meanwhile that the proposed code has no place for."""


class ReasonMissing(ValueError):
    """A rejection without a reason."""


@dataclass(frozen=True)
class Approved:
    """The version that an approval made, and how many waiting readings it placed."""

    version: CodeVersion
    placed: int


@dataclass(frozen=True)
class Change:
    """A project proposed for a person, and all that its reviewer is told.

    `parent` is the digest of the tree that it was built on. `checks` are `{"name", "ok", "detail",
    "seconds"}`, `placements` `{"reading", "kind", "id", "data"}`; `readings` are the seq of those
    it was made from, `unplaced` says of others why they go on waiting.
    """

    project: Project
    parent: str
    summary: str
    reason: str = ""
    checks: Sequence[Mapping[str, Any]] = ()
    placements: Sequence[Mapping[str, Any]] = ()
    renames: Mapping[str, Mapping[str, str]] | None = None
    readings: Sequence[int] = ()
    unplaced: Mapping[int, str] | None = None
    baseline: Project | None = None
    """What the project was built on, if not the person's own baseline."""


@transaction.atomic
def propose(*, user_id: UUID, change: Change, now: datetime) -> Proposal:
    """Store a proposal in place of the one that is open; failed where a check is not ok.

    Raises ParentMoved where the person's tree is not the parent any more; nothing is stored.
    """
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    code = code_of(user)
    if change.parent != code.project.digest:
        raise ParentMoved(user.pk)
    supersede_open(user=user, now=now)
    passed = all(check["ok"] for check in change.checks)
    proposal = Proposal.objects.create(
        user=user,
        status=ProposalStatus.OPEN if passed else ProposalStatus.FAILED,
        parent=change.parent,
        tree=store_project(change.project),
        baseline=store_project(change.baseline or code.baseline),
        summary=change.summary,
        reason=change.reason,
        checks=[dict(check) for check in change.checks],
        placements=[dict(placement) for placement in change.placements],
        renames={kind: dict(names) for kind, names in (change.renames or {}).items()},
        readings=list(change.readings),
        created_at=now,
    )
    set_reasons(user=user, reasons=change.unplaced or {})
    _audit("proposal.make", proposal, None, now)
    return proposal


def supersede_open(*, user: MemoryUser, now: datetime) -> bool:
    """Close the open proposal of a locked person, if there is one; whether there was."""
    opened = Proposal.objects.open().filter(user=user)
    return bool(opened.update(status=ProposalStatus.SUPERSEDED, decided_at=now))


def approve_proposal(
    *, proposal_id: UUID, digest: str, actor: access.Somebody, now: datetime
) -> Approved:
    """Make a proposal's project the person's, bound to the digest that the reviewer saw.

    Raises PermissionDenied, access.NotFound, NotOpen and DigestMismatch; and ParentMoved (or its
    RecordsMoved), after which the proposal is superseded and a new one is being made.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    with transaction.atomic():
        proposal, user = _locked(staff, proposal_id)
        if proposal.status != ProposalStatus.OPEN:
            raise NotOpen(proposal.pk)
        if proposal.digest != digest:
            raise DigestMismatch(proposal.pk)
        outdated = _outdated(proposal, user)
        if outdated is None:
            return _approve(proposal, user, staff, now)
        supersede_open(user=user, now=now)
        enqueue(name="structure", user=user, now=now)
        _audit("proposal.outdated", proposal, staff, now)
    raise outdated


def _locked(staff: Staff, proposal_id: UUID) -> tuple[Proposal, MemoryUser]:
    """The proposal and its person, whose lock every change of a proposal holds."""
    found = access.proposal(staff, proposal_id)
    user = access.memory_user(staff, found.user_id, Right.PROPOSALS_DECIDE, lock=True)
    return access.proposal(staff, proposal_id), user


def _outdated(proposal: Proposal, user: MemoryUser) -> ParentMoved | None:
    before = code_of(user).project
    if before.digest != proposal.parent:
        return ParentMoved(proposal.pk)
    if any(misfits(user, before, load_project(proposal.tree_id))):
        return RecordsMoved(proposal.pk)
    return None


def _approve(proposal: Proposal, user: MemoryUser, staff: Staff, now: datetime) -> Approved:
    _decide(proposal, ProposalStatus.APPROVED, staff, "", now)
    tree, baseline = proposal.tree_id, proposal.baseline_id
    version = record_version(
        user=user,
        tree=tree,
        baseline=baseline,
        summary=proposal.summary,
        approved_by=staff,
        now=now,
    )
    return Approved(version, activate(user=user, tree=tree, baseline=baseline, now=now))


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
    proposal, user = _locked(staff, proposal_id)
    _decide(proposal, ProposalStatus.REJECTED, staff, reason, now)
    words = f"its proposal was rejected: {reason}"
    set_reasons(user=user, reasons=dict.fromkeys(proposal.readings, words))
    return access.proposal(staff, proposal_id)


def _decide(
    proposal: Proposal, status: ProposalStatus, staff: Staff, reason: str, now: datetime
) -> None:
    won = (
        Proposal.objects.open()
        .filter(pk=proposal.pk)
        .update(status=status, decided_at=now, decided_by=staff, decision_reason=reason)
    )
    if not won:
        raise NotOpen(proposal.pk)
    _audit(f"proposal.{status}", proposal, staff, now)


def _audit(action: str, proposal: Proposal, staff: Staff | None, now: datetime) -> None:
    audit.record(
        action,
        actor=staff,
        now=now,
        person=proposal.user_id,
        of="proposal",
        object_id=proposal.pk,
    )
