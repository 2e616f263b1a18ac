"""Check what was written by hand, and propose it where all is well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.actions.code_edits import hands_of, project_of_edit, record_of, why_stale
from memory.actions.propose import Change
from memory.actions.rebuild import placements_of
from memory.actions.structure_needs import propose_in_its_place
from memory.checkpointer.structuring.by_hand import Work, try_by_hand
from memory.checkpointer.structuring.material import carried_in
from memory.checkpointer.structuring.trial import Trial
from memory.code import code_of, load_project
from memory.models import (
    CodeEdit,
    EditStatus,
    MemoryUser,
    Need,
    NeedStatus,
    Proposal,
    ProposalOrigin,
)
from memory.project.tree import Project

STALE = "{why}; bring what you typed over to what is there now"


@dataclass(frozen=True)
class Tried:
    """An edit, the revision that was looked at, and what the checks say of it."""

    edit: CodeEdit
    project: Project
    baseline: Project
    trial: Trial


def try_edits(*, user_id: UUID, now: datetime) -> Sequence[Tried]:
    """Check a person's edits that wait for it, the oldest first, outside any transaction.

    Raises NoWorker where the sandbox has no room.
    """
    waiting = CodeEdit.objects.filter(user=user_id, status=EditStatus.CHECKING)
    edits = waiting.select_related("user", "author", "follows").order_by("changed_at", "pk")
    return [_tried(edit, now) for edit in edits]


def _tried(edit: CodeEdit, now: datetime) -> Tried:
    code, project, follows = code_of(edit.user), project_of_edit(edit), edit.follows
    baseline = code.baseline
    if follows is not None and follows.tree_id == edit.base:
        baseline = load_project(follows.baseline_id)
    carried = carried_in(follows)
    work = Work(edit.user, code, project, baseline, carried, drops=edit.drops_readings)
    return Tried(edit, project, baseline, try_by_hand(work, now=now))


def apply_tried(*, tried: Tried, now: datetime) -> Proposal | None:
    """Propose an edit that passed; one that did not is a draft again, with what the checks said.

    None where there is no proposal. In the transaction that ends the job.
    """
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=tried.edit.user_id)
    edit = CodeEdit.objects.select_for_update(of=("self",)).get(pk=tried.edit.pk)
    if edit.status != EditStatus.CHECKING or edit.revision != tried.edit.revision:
        return None
    why = why_stale(edit)
    edit.checks = [check.as_json() for check in tried.trial.checks]
    edit.changed_at = now
    if why:
        detail = STALE.format(why=why)
        edit.checks.append({"name": "base", "ok": False, "detail": detail, "seconds": 0.0})
    if why or tried.trial.failed is not None:
        edit.status = EditStatus.DRAFT
        edit.revision += 1
        edit.save()
        record_of(edit, "edit.refused", edit.author, now)
        return None
    proposal = propose_in_its_place(user_id=user.pk, change=_change(tried, edit), now=now)
    _take_failed_needs(edit, proposal, now)
    edit.status, edit.proposal, edit.files = EditStatus.PROPOSED, proposal, {}
    edit.save()
    return proposal


def _change(tried: Tried, edit: CodeEdit) -> Change:
    trial, follows, author = tried.trial, edit.follows, edit.author
    return Change(
        project=tried.project,
        baseline=tried.baseline,
        parent=edit.parent,
        summary=edit.summary,
        reason=f"Written by hand by {author.get_username()}.",
        checks=[check.as_json() for check in trial.checks],
        placements=placements_of(trial),
        renames=follows.renames if follows else None,
        readings=[one.seq for one in trial.structured.placed] if trial.structured else (),
        unplaced={one.seq: one.reason for one in trial.structured.unplaced}
        if trial.structured
        else None,
        origin=ProposalOrigin.PERSON,
        facts=follows.facts if follows else (),
        provisional=trial.would,
        replay=trial.replay,
        follows=follows.pk if follows else None,
        author=author,
        hands=hands_of(edit),
    )


def _take_failed_needs(edit: CodeEdit, proposal: Proposal, now: datetime) -> None:
    """What no attempt of a model could meet is what the edit of that attempt is to meet."""
    if edit.follows_id is None:
        return
    failed = Need.objects.filter(proposal=edit.follows_id, status=NeedStatus.FAILED)
    for need in failed:
        asked_again = Need.objects.filter(
            user=need.user_id, fact_seq=need.fact_seq, cause=need.cause
        ).filter(status__in=(NeedStatus.OPEN, NeedStatus.PROPOSED))
        if not asked_again.exists():
            need.status, need.proposal, need.reason = NeedStatus.PROPOSED, proposal, ""
            need.changed_at = now
            need.save()
