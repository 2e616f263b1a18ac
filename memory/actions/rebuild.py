"""Put an open proposal on the code that is active now, where that has moved since it was built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from memory import access, audit
from memory.actions.jobs import enqueue
from memory.actions.needs import needs_proposed
from memory.actions.proposals import NotOpen, locked
from memory.actions.propose import WRITTEN, Change, ParentMoved, propose, supersede_open
from memory.checkpointer.structuring.by_hand import Work, try_by_hand
from memory.checkpointer.structuring.material import carried_in
from memory.checkpointer.structuring.trial import Trial
from memory.code import code_of, load_project
from memory.models import MemoryUser, Need, NeedStatus, Proposal, ProposalOrigin, ProposalStatus
from memory.project.rebase import Rebased, rebase
from memory.rights import Right

JOB = "rebuild"


class NotMoved(Exception):
    """The person's code is the one that the proposal was built on."""


@dataclass(frozen=True)
class Rebuilt:
    """An open proposal, what it becomes on the code `parent`, and what the checks say of that."""

    proposal: Proposal
    parent: str
    rebased: Rebased
    trial: Trial


@transaction.atomic
def ask_rebuild(*, proposal_id: UUID, actor: access.Somebody, now: datetime) -> None:
    """Have an open proposal rebuilt, from the queue.

    What a machine inferred is inferred anew; what a model or a person wrote is merged, line by
    line. Raises PermissionDenied, access.NotFound, NotOpen and NotMoved.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    proposal, user = locked(staff, proposal_id)
    if proposal.status != ProposalStatus.OPEN:
        raise NotOpen(proposal.pk)
    if code_of(user).project.digest == proposal.parent:
        raise NotMoved(proposal.pk)
    audit.record(
        "proposal.rebuild",
        actor=staff,
        now=now,
        person=user.pk,
        of="proposal",
        object_id=proposal.pk,
    )
    if proposal.origin in WRITTEN:
        enqueue(name=JOB, user=user, now=now)
        return
    supersede_open(user=user, now=now, anew=True)
    if proposal.origin == ProposalOrigin.UPGRADE:
        enqueue(name="bring over", user=user, now=now)


def rebuild(*, user_id: UUID, now: datetime) -> Rebuilt | None:
    """Merge and check, outside any transaction; None where no open proposal has to be.

    Raises NoWorker where the sandbox has no room.
    """
    opened = Proposal.objects.open().filter(user=user_id, origin__in=WRITTEN)
    proposal = opened.select_related("user", "author").first()
    if proposal is None:
        return None
    code = code_of(proposal.user)
    parent = code.project.digest
    if parent == proposal.parent:
        return None
    mine, old = load_project(proposal.tree_id), load_project(proposal.parent)
    rebased = rebase(mine, old, code.project)
    work = Work(proposal.user, code, rebased.project, code.baseline, carried_in(proposal))
    return Rebuilt(proposal, parent, rebased, try_by_hand(work, now=now))


def store_rebuilt(*, rebuilt: Rebuilt, now: datetime) -> Proposal:
    """Propose it in the place of the one before, in the transaction that ends the job.

    One that does not pass its checks is kept as failed, and the one before stays. Raises
    ParentMoved where the code or the proposal is another by now.
    """
    before = rebuilt.proposal
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=before.user_id)
    if not Proposal.objects.open().filter(pk=before.pk).exists():
        raise ParentMoved(before.pk)
    needs = list(
        Need.objects.filter(proposal=before, status=NeedStatus.PROPOSED).values_list(
            "pk", flat=True
        )
    )
    proposal = propose(user_id=user.pk, change=_change(rebuilt), now=now)
    if proposal.status == ProposalStatus.OPEN:
        needs_proposed(user=user, ids=needs, proposal=proposal, now=now)
    return proposal


def _change(rebuilt: Rebuilt) -> Change:
    before, trial = rebuilt.proposal, rebuilt.trial
    checks = [check.as_json() for check in trial.checks]
    return Change(
        project=rebuilt.rebased.project,
        parent=rebuilt.parent,
        summary="\n".join([before.summary, *_merged(rebuilt.rebased)]),
        reason=before.reason,
        checks=checks,
        placements=placements_of(trial),
        renames=before.renames,
        readings=[one.seq for one in trial.structured.placed] if trial.structured else (),
        origin=ProposalOrigin(before.origin),
        facts=before.facts,
        provisional=trial.would if trial.failed is None else None,
        replay=trial.replay,
        model=before.model,
        cost=before.cost,
        tokens=before.tokens,
        attempts=before.attempts,
        follows=before.pk,
        author=before.author,
        hands=before.hands,
        keeps_open=trial.failed is not None,
    )


def _merged(rebased: Rebased) -> list[str]:
    """What a reader has to look at, a line a file."""
    return [
        "Rebuilt on the code that is active now.",
        *(f"{path} changed on both sides: put together." for path in rebased.merged),
        *(
            f"{path} changed on both sides in the same place: this proposal's text stays."
            for path in rebased.kept
        ),
    ]


def placements_of(trial: Trial) -> list[Mapping[str, Any]]:
    """What it would place, as a proposal stores it: what waits, then what facts are read as."""
    placed = trial.structured.placed if trial.structured else ()
    waiting = [
        {"reading": one.seq, "kind": one.kind, "id": one.record_id, "data": one.data}
        for one in placed
    ]
    return [*waiting, *trial.fitted.placements]
