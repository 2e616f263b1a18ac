"""The job that structures what waits for a person, and leads to a proposal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.actions.propose import WRITTEN, Change, propose
from memory.actions.structure_needs import propose_in_its_place, with_written
from memory.actions.structure_waiting import drop_pointless, extend_proposal, place_what_fits
from memory.checkpointer.offline import structure
from memory.checkpointer.plan import Given, Plan, given_for, plan_for, structure_given
from memory.checkpointer.structured import Placed, Structured
from memory.checkpointer.words import reason_of
from memory.code import Code, load_project
from memory.models import Proposal, ProposalStatus

FAILED = "a place for it was proposed and did not pass the check of {check}"

# Writes what has been worked out, in the transaction of whoever calls it. Raises ParentMoved.
Effect = Callable[[], object]


def prepare(*, user_id: UUID, now: datetime) -> Effect:
    """Work out, outside any transaction, what is to be written for a person.

    Raises NoWorker where the sandbox has no room for the checks.
    """
    given = without_rejected(given_for(user_id))
    if not given.waiting:
        return lambda: drop_pointless(user_id=user_id, now=now)
    parent = given.code.project.digest
    open_one = Proposal.objects.open().filter(user=given.user, parent=parent).first()
    if open_one is not None and open_one.origin in WRITTEN:
        return _beside_written(open_one, given, now)
    done = structure_given(given)
    unplaced = {one.seq: one.reason for one in done.unplaced}
    if done.project.digest == parent:
        return lambda: place_what_fits(user_id=user_id, parent=parent, unplaced=unplaced, now=now)
    kept = _in(open_one, given, done) if open_one else None
    if open_one is not None and kept is not None:
        return _extended(open_one, kept, reason_of(done))
    change = _change(given, done, now)
    return lambda: propose(user_id=user_id, change=change, now=now)


def _beside_written(opened: Proposal, given: Given, now: datetime) -> Effect:
    """Give what waits its place in the code that somebody has proposed: their work is kept."""
    given = replace(given, code=Code(load_project(opened.tree_id), given.code.baseline))
    done = structure_given(given)
    if done.project.digest == opened.tree_id:
        return _extended(opened, done, opened.reason)
    change = with_written(opened, _change(given, done, now))
    return lambda: propose_in_its_place(user_id=given.user.pk, change=change, now=now)


def _extended(opened: Proposal, kept: Structured, reason: str) -> Effect:
    return lambda: extend_proposal(
        proposal=opened,
        reason=reason,
        placements=placements(kept.placed),
        readings=[one.seq for one in kept.placed],
        unplaced={one.seq: one.reason for one in kept.unplaced},
    )


def without_rejected(given: Given) -> Given:
    """Leave out the kinds of which all that waits was rejected: nothing new speaks for them."""
    rejected = Proposal.objects.filter(user=given.user, status=ProposalStatus.REJECTED)
    sent_back: set[int] = set()
    for readings in rejected.values_list("readings", flat=True):
        sent_back |= set(readings)
    speaking = {one.kind for one in given.waiting if one.seq not in sent_back}
    return given.of(speaking)


def _in(proposal: Proposal, given: Given, done: Structured) -> Structured | None:
    """What the open proposal's own code makes of all that waits, if that is no less than `done`.

    Code under review stays as it is while new facts fit it.
    """
    if not proposal.readings:
        return None
    project = load_project(proposal.tree_id)
    kept = structure(project, given.waiting, fixed=project.kinds.keys(), known={})
    more = {one.seq for one in done.placed} - {one.seq for one in kept.placed}
    return None if more or kept.project.digest != project.digest else kept


def _change(given: Given, done: Structured, now: datetime) -> Change:
    """What is proposed: all that can be placed, or what passes the checks of it, or what failed."""
    plan = plan_for(given, done, now=now)
    reasons: dict[int, str] = {}
    if plan.failed:
        reasons = {one.seq: FAILED.format(check=plan.failed) for one in done.placed}
        plan, reasons = _without_the_bad(plan, now) or (plan, reasons)
    done = plan.structured
    return Change(
        project=done.project,
        parent=given.code.project.digest,
        summary=plan.summary,
        reason=plan.reason,
        checks=[check.as_json() for check in plan.checks],
        placements=placements(done.placed),
        renames=done.renames,
        readings=[one.seq for one in done.placed],
        unplaced={**{one.seq: one.reason for one in done.unplaced}, **reasons},
    )


def _without_the_bad(whole: Plan, now: datetime) -> tuple[Plan, dict[int, str]] | None:
    """A plan of the kinds that pass their checks alone, and why the readings of the others wait.

    One kind must not hold up all others for good. None where there is no such plan.
    """
    done = whole.structured
    alone = {name: _plan(whole.given.of({name}), now) for name in (*done.new, *done.widened)}
    bad = {name: plan.failed for name, plan in alone.items() if plan.failed}
    waiting = whole.given.waiting
    good = {one.kind for one in waiting} - bad.keys()
    if not bad or not good & alone.keys():
        return None
    plan = _plan(whole.given.of(good), now)
    if plan.failed:
        return None
    return plan, {one.seq: FAILED.format(check=bad[one.kind]) for one in waiting if one.kind in bad}


def _plan(given: Given, now: datetime) -> Plan:
    return plan_for(given, structure_given(given), now=now)


def placements(placed: Iterable[Placed]) -> list[Mapping[str, Any]]:
    """What would be placed, as a proposal stores it."""
    return [
        {"reading": one.seq, "kind": one.kind, "id": one.record_id, "data": one.data}
        for one in placed
    ]
