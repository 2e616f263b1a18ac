"""Propose code for a person, in place of what was proposed before and is open."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import audit
from memory.actions.foresight import foresee_anew
from memory.actions.jobs import enqueue
from memory.actions.needs import reopen_needs
from memory.actions.outlines import outlined
from memory.actions.wait import set_reasons
from memory.code import Code, code_of, store_project
from memory.evaluator import Would, evaluator
from memory.models import MemoryUser, Proposal, ProposalOrigin, ProposalStatus
from memory.project.tree import Project
from memory.refit import changed_rules

WRITTEN = (ProposalOrigin.MODEL, ProposalOrigin.PERSON)
"""Who wrote what no machine would come upon again."""


class ParentMoved(Exception):
    """The person's code is not the one that the proposal was built on."""


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
    record_of("proposal.make", proposal, None, now)
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


def clear_provisional(*, user: MemoryUser, now: datetime) -> None:
    """Take away what stands as provisional and foresee no more; a transaction's last thing."""
    _foresee_since(user, None)
    evaluator().show_provisional(user=user, proposal=None, found=None, now=now)


def _foresee_since(user: MemoryUser, since: datetime | None) -> None:
    user.foresees_since = since
    user.save(update_fields=["foresees_since"])


def record_of(action: str, proposal: Proposal, staff: Staff | None, now: datetime) -> None:
    """Record in the audit what became of a proposal; without staff the machine did it."""
    audit.record(
        action,
        actor=staff,
        now=now,
        person=proposal.user_id,
        of="proposal",
        object_id=proposal.pk,
    )
