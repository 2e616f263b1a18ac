"""Store what a model wrote for a person's needs: a proposal, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction

from memory.actions.jobs import enqueue
from memory.actions.needs import enqueue_structure, needs_failed, needs_proposed
from memory.actions.place_proposed import misplaced, place_proposed
from memory.actions.propose import Change, ParentMoved, propose
from memory.checkpointer.checks import Check
from memory.checkpointer.structuring.answer import StructureAnswer
from memory.checkpointer.structuring.material import ALONE, Material
from memory.checkpointer.structuring.trial import Trial
from memory.code import code_of, store_project
from memory.evaluator import Would
from memory.models import (
    MemoryUser,
    Need,
    NeedCause,
    NeedStatus,
    Proposal,
    ProposalOrigin,
    ProposalStatus,
)
from memory.project.parsing import parse_python
from memory.project.tree import Project

LONGEST_REASON = 500
NO_CODE = "the model wrote no code for it: {why}"
LEFT_OUT = "; its readings were left out: {why}"
TOGETHER = "it could not be met together with others, and is asked about alone"
NOT_PASSED = "What the model wrote did not pass its checks."


@dataclass(frozen=True)
class SentBack:
    """An answer that went back to the model: what it was told, and its project, if it had one."""

    problem: str
    project: Project | None = None


@dataclass(frozen=True)
class Written:
    """What came of asking about some needs.

    With an `answer` it passed. `failed` says why no attempt did, `later` why the model could not be
    asked now; `trial` is the last answer that could be tried.
    """

    material: Material
    needs: Mapping[int, Need]
    facts: tuple[int, ...] = ()
    answer: StructureAnswer | None = None
    trial: Trial | None = None
    failed: str = ""
    later: str = ""
    model: str = ""
    cost: Decimal = Decimal(0)
    tokens: int = 0
    sent_back: tuple[SentBack, ...] = field(default=())


@transaction.atomic
def apply_written(*, user_id: UUID, written: Written, now: datetime) -> None:
    """Store it, in the transaction that ends the job; what else is open is asked about next.

    Raises ParentMoved where the person's code or open proposal is not the one it was put on.
    """
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    if written.later:
        _open(user, written).update(reason=written.later[:LONGEST_REASON], changed_at=now)
        return
    _check_base(user, written.material)
    if written.answer is not None:
        _settle(user, written, written.answer, now)
    else:
        _fail(user, written, now)
    enqueue_structure(user=user, now=now)


def _check_base(user: MemoryUser, material: Material) -> None:
    opened = Proposal.objects.open().filter(user=user).only("tree_id", "parent").first()
    before = material.opened
    same = (opened and (opened.pk, opened.tree_id)) == (before and (before.pk, before.tree_id))
    stale = opened is not None and before is None and opened.parent != _digest(material)
    if code_of(user).project.digest != _digest(material) or not (same or stale):
        raise ParentMoved(user.pk)


def _digest(material: Material) -> str:
    return material.code.project.digest


def _open(user: MemoryUser, written: Written) -> Any:
    return Need.objects.open().filter(user=user, pk__in=[one.pk for one in written.needs.values()])


def _settle(user: MemoryUser, written: Written, answer: StructureAnswer, now: datetime) -> None:
    """Propose what passed; the needs without code stand as failed, with the model's reason."""
    without = {one.need: one.why for one in answer.cannot}
    met = [need.pk for number, need in written.needs.items() if number not in without]
    if met:
        change = _change(written, answer.summary)
        proposal = propose_in_its_place(user_id=user.pk, change=change, now=now)
        needs_proposed(user=user, ids=met, proposal=proposal, now=now)
    left_out = _place_alone(user, written, now) if not met else ""
    for number, why in without.items():
        reason = (NO_CODE.format(why=why) + left_out)[:LONGEST_REASON]
        needs_failed(user=user, ids=[written.needs[number].pk], reason=reason, now=now)


def _place_alone(user: MemoryUser, written: Written, now: datetime) -> str:
    """Append readings for which no code has to change: data flows freely. Why they were left out.

    One that holds no more is not asked about again: its fact may have been corrected, for good.
    """
    placements = written.trial.fitted.placements if written.trial else []
    if wrong := misplaced(user, code_of(user), placements):
        return LEFT_OUT.format(why="; ".join(wrong))
    if place_proposed(user=user, placements=placements, now=now):
        enqueue(name="evaluate", user=user, now=now)
    return ""


@transaction.atomic
def propose_in_its_place(*, user_id: UUID, change: Change, now: datetime) -> Proposal:
    """Propose what holds all that the open proposal held: the needs that one answers go with it.

    Raises ParentMoved.
    """
    opened = Proposal.objects.open().filter(user=user_id, parent=change.parent).only("pk").first()
    answered = Need.objects.filter(proposal=opened, status=NeedStatus.PROPOSED)
    earlier = list(answered.values_list("pk", flat=True)) if opened else []
    proposal = propose(user_id=user_id, change=change, now=now)
    if proposal.status == ProposalStatus.OPEN:
        user = MemoryUser.objects.get(pk=user_id)
        needs_proposed(user=user, ids=earlier, proposal=proposal, now=now)
    return proposal


def with_written(opened: Proposal, change: Change) -> Change:
    """A change on top of what a model or a person has proposed: all that is known of that stays."""
    known = {check["name"] for check in change.checks}
    would: Mapping[str, Any] = opened.provisional or {"found": (), "failed": {}}
    return replace(
        change,
        parent=opened.parent,
        summary=f"{opened.summary}\n{change.summary}",
        reason=f"{opened.reason} {change.reason}",
        checks=[*change.checks, *(one for one in opened.checks if one["name"] not in known)],
        placements=[*(one for one in opened.placements if "fact" in one), *change.placements],
        origin=ProposalOrigin(opened.origin),
        facts=opened.facts,
        provisional=Would(tuple(would["found"]), would["failed"]),
        replay=opened.replay,
        model=opened.model,
        cost=opened.cost,
        tokens=opened.tokens,
        attempts=opened.attempts,
        follows=opened.follows_id,
        comment=opened.comment,
        author=opened.author,
        hands=opened.hands,
    )


def _fail(user: MemoryUser, written: Written, now: datetime) -> None:
    """Keep the attempt; several needs are asked about one by one before they stand as failed.

    What a reviewer's comment is about stays together.
    """
    proposal = propose(user_id=user.pk, change=_change(written, NOT_PASSED), now=now)
    causes = {need.cause for need in written.needs.values()}
    if len(written.needs) == 1 or NeedCause.COMMENT in causes:
        ids = [need.pk for need in written.needs.values()]
        reason = written.failed[:LONGEST_REASON]
        needs_failed(user=user, ids=ids, reason=reason, now=now, proposal=proposal)
        return
    for need in _open(user, written):
        need.about, need.reason, need.changed_at = {**need.about, ALONE: True}, TOGETHER, now
        need.save(update_fields=["about", "reason", "changed_at"])


def _change(written: Written, summary: str) -> Change:
    """The proposal: what the open one had is kept in it, since its code is."""
    material, trial = written.material, written.trial
    opened, review = material.opened, material.review
    kept = opened if written.answer is not None else None
    structured = trial.structured if trial else None
    fitted = trial.fitted.placements if trial else ()
    placed = structured.placed if structured else ()
    return Change(
        project=_shown(written),
        parent=_digest(material),
        summary="\n".join([*([kept.summary] if kept else []), summary]),
        reason=" ".join([*([kept.reason] if kept and kept.reason else []), _reason(written)]),
        checks=[check.as_json() for check in _checks(written)],
        placements=[*_placements(placed), *fitted],
        renames=kept.renames if kept else None,
        readings=[one.seq for one in placed],
        origin=ProposalOrigin.MODEL,
        facts=sorted({*written.facts, *(kept.facts if kept else ())}),
        provisional=trial.would if trial and written.answer is not None else None,
        replay=trial.replay if trial else (),
        model=written.model,
        cost=written.cost,
        tokens=written.tokens,
        attempts=[_kept(one) for one in written.sent_back],
        follows=review.proposal if review else None,
        comment=review.comment if review else "",
        hands={*(opened.hands if opened else ()), *(review.hands if review else ())},
    )


def _placements(placed: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for one in placed:
        yield {"reading": one.seq, "kind": one.kind, "id": one.record_id, "data": one.data}


def _shown(written: Written) -> Project:
    """The project of the last answer that can be read as Python, else the one it was put on."""
    tried = [one.project for one in reversed(written.sent_back) if one.project is not None]
    if written.answer is not None and written.trial is not None:
        return written.trial.project
    return next(filter(_parses, tried), written.material.base)


def _checks(written: Written) -> list[Check]:
    """The checks of the last answer; one that could not even be tried failed the first."""
    if written.trial is not None and written.trial.failed is not None:
        return written.trial.checks
    if written.failed:
        return [Check("answer", False, written.failed, 0.0)]
    return written.trial.checks if written.trial else []


def _reason(written: Written) -> str:
    causes = dict.fromkeys(NeedCause(need.cause).label for need in written.needs.values())
    facts = ", ".join(map(str, written.facts))
    named = f"fact {facts}: " if len(written.facts) == 1 else f"facts {facts}: " if facts else ""
    return f"Asked for by {named}{'; '.join(causes)}."


def _kept(one: SentBack) -> dict[str, Any]:
    tree = store_project(one.project).pk if one.project and _parses(one.project) else None
    return {"problem": one.problem, "tree": tree}


def _parses(project: Project) -> bool:
    try:
        for text in project.files.values():
            parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
