"""Propose code for a person, and approve or reject what was proposed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import access, audit
from memory.actions.activate import activate, record_version
from memory.actions.approvals import record_approval
from memory.actions.foresight import foresee_anew
from memory.actions.jobs import enqueue
from memory.actions.needs import drop_needs, meet_needs, reopen_needs
from memory.actions.outlines import outlined
from memory.actions.place_proposed import misplaced, of_facts, place_proposed
from memory.actions.wait import set_reasons
from memory.code import Code, code_of, load_project, store_project
from memory.evaluator import Would, evaluator
from memory.models import CodeVersion, MemoryUser, Proposal, ProposalOrigin, ProposalStatus
from memory.project.tree import Project
from memory.refit import changed_rules, misfits
from memory.rights import Right

WRITTEN = (ProposalOrigin.MODEL, ProposalOrigin.PERSON)
"""Who wrote what no machine would come upon again."""


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
    """The version that an approval made, and how many readings it placed.

    Without a version it takes so many more reviewers (`left`), and nothing is active yet.
    """

    version: CodeVersion | None
    placed: int = 0
    left: int = 0


@dataclass(frozen=True)
class Change:
    """A project proposed for a person, and all that its reviewer is told.

    `parent` is the digest of the tree that it was built on. `checks` are `{"name", "ok", "detail",
    "seconds"}`, `placements` `{"reading", "kind", "id", "data"}`; `readings` are the seq of those
    it was made from, `unplaced` says of others why they go on waiting.

    `facts` are the seq of those that asked for it; `provisional` is what its rules would raise now,
    `replay` as `Evaluator.replay` tells it. `model` wrote it for `cost` and `tokens` after
    `attempts` that were sent back, `{"problem", "tree"}`. `follows` is the proposal of whose
    reviewer `comment` is.

    `author` wrote it by hand; `hands` are the ids of all staff who wrote any of it.
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
    origin: ProposalOrigin = ProposalOrigin.INFERRED
    facts: Sequence[int] = ()
    provisional: Would | None = None
    replay: Sequence[Mapping[str, Any]] = ()
    model: str = ""
    cost: Decimal = Decimal(0)
    tokens: int = 0
    attempts: Sequence[Mapping[str, Any]] = ()
    follows: UUID | None = None
    comment: str = ""
    author: Staff | None = None
    hands: Collection[int] = ()
    keeps_open: bool = False
    """Whether the open proposal stays where this one fails, as a model's always does."""


@transaction.atomic
def propose(*, user_id: UUID, change: Change, now: datetime) -> Proposal:
    """Store a proposal in place of the one that is open; failed where a check is not ok.

    A model's that failed leaves the open one where it is. What the rules of an open one would raise
    stands as provisional from here on, and is foreseen anew until it is decided.

    Raises ParentMoved where the person's tree is not the parent any more; nothing is stored.
    """
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    code = code_of(user)
    if change.parent != code.project.digest:
        raise ParentMoved(user.pk)
    passed = all(check["ok"] for check in change.checks)
    replaces = passed or not (change.keeps_open or change.origin == ProposalOrigin.MODEL)
    if replaces:
        _close_open(user, now)
    proposal = _stored(user, code, change, passed, now)
    set_reasons(user=user, reasons=change.unplaced or {})
    _audit("proposal.make", proposal, None, now)
    if replaces:
        would = change.provisional if passed else None
        rules = changed_rules(code.project, change.project) if would is not None else ()
        _foresee_since(user, now if rules else None)
        foresee_anew(user=user, now=now)  # of what was recorded since they were run
        evaluator().show_provisional(user=user, proposal=proposal, found=would, now=now)
    return proposal


def _stored(user: MemoryUser, code: Code, change: Change, passed: bool, now: datetime) -> Proposal:
    would = change.provisional
    return Proposal.objects.create(
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
        origin=change.origin,
        facts=list(change.facts),
        provisional=would.as_json() if would else {},
        replay=[dict(step) for step in change.replay],
        model=change.model,
        cost=change.cost,
        tokens=change.tokens,
        **outlined(code.project.files, change.project.files, would, change.replay),
        attempts=[dict(attempt) for attempt in change.attempts],
        follows_id=change.follows,
        comment=change.comment,
        author=change.author,
        hands=sorted(change.hands),
        created_at=now,
    )


def supersede_open(*, user: MemoryUser, now: datetime, anew: bool = False) -> bool:
    """Close the open proposal of a locked person, if there is one; whether there was.

    What asked for it asks again, and is structured again with `anew`; its provisional alerts go.
    """
    closed = _close_open(user, now)
    if closed and anew:
        enqueue(name="structure", user=user, now=now)
    if closed:
        clear_provisional(user=user, now=now)
    return closed


def supersede_inferred(*, user: MemoryUser, now: datetime) -> None:
    """Close the open proposal of a locked person whose code has moved, to be inferred anew.

    One that a model or a person wrote stays: a reviewer has it rebuilt.
    """
    written = Proposal.objects.open().filter(user=user, origin__in=WRITTEN)
    if not written.exists():
        supersede_open(user=user, now=now, anew=True)


def _close_open(user: MemoryUser, now: datetime) -> bool:
    proposal = Proposal.objects.open().filter(user=user).only("pk").first()
    if proposal is None:
        return False
    Proposal.objects.filter(pk=proposal.pk).update(status=ProposalStatus.SUPERSEDED, decided_at=now)
    reopen_needs(proposal_id=proposal.pk, reason="", now=now)
    return True


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
        _audit("proposal.outdated", proposal, staff, now)
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


def clear_provisional(*, user: MemoryUser, now: datetime) -> None:
    """Take away what stands as provisional and foresee no more; a transaction's last thing."""
    _foresee_since(user, None)
    evaluator().show_provisional(user=user, proposal=None, found=None, now=now)


def _foresee_since(user: MemoryUser, since: datetime | None) -> None:
    user.foresees_since = since
    user.save(update_fields=["foresees_since"])


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
