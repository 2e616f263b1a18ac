"""Bring one person over to the baseline in force, or propose how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory import audit
from memory.actions.activate import activate, record_version
from memory.actions.jobs import effect
from memory.actions.propose import Change, propose, supersede_inferred
from memory.checkpointer.checks import Setting, run_checks, tables_for
from memory.checkpointer.refold import StoredRecord
from memory.code import Code, code_of, load_project, store_project
from memory.models import Baseline, Job, MemoryUser, Proposal, ProposalOrigin, Record
from memory.project.rebase import Rebased, rebase
from memory.project.shipped import library
from memory.project.tree import Project
from memory.refit import misfits

MOST_NAMED = 10
Checks = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Step:
    """How a person would get to a baseline: what their project becomes, and what checks say."""

    baseline: Baseline
    code: Code
    rebased: Rebased
    checks: Checks

    @property
    def decided(self) -> bool:
        """Whether the approval of the baseline covers it, so that nobody has to look again."""
        return not self.rebased.touched_twice and all(check["ok"] for check in self.checks)


def bring_over(*, job: Job, user_id: UUID, now: datetime) -> None:
    """Give a person the baseline in force, as the effect of a job.

    Without an overlay they get it as it is. An overlay is carried over, as a version of its own; if
    it replaces a file that changed in the baseline too, or does not pass its checks there, that is
    a proposal, and the person keeps the old code until it is decided. Checks run before the person
    is locked; who has moved meanwhile is left for the next sweep. Raises LeaseLost.
    """
    step = _step(MemoryUser.objects.get(pk=user_id), now)
    with effect(job=job, now=now):
        user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
        newest = Baseline.objects.order_by("-number").first()
        if step is None or user.tree != step.code.project.digest or newest != step.baseline:
            return
        if step.decided and not any(misfits(user, step.code.project, step.rebased.project)):
            _move(user, step, now)
        elif not Proposal.objects.open().filter(user=user).exists():
            _propose(user, step, now)


def _step(user: MemoryUser, now: datetime) -> Step | None:
    baseline = Baseline.objects.order_by("-number").first()
    if baseline is None or not user.tree or user.baseline == baseline.tree_id:
        return None
    code = code_of(user)
    new = load_project(baseline.tree_id)
    rebased = rebase(code.project, code.baseline, new)
    if user.tree == user.baseline:
        return Step(baseline, code, rebased, _refold(user, code.project, new))
    return Step(baseline, code, rebased, _checks(user, rebased.project, now))


def _refold(user: MemoryUser, before: Project, after: Project) -> Checks:
    """The one check that depends on the person where the code is everybody's."""
    wrong = [f"{kind} {record_id}: {why}" for kind, record_id, why in misfits(user, before, after)]
    more = len(wrong) - MOST_NAMED
    lines = [*wrong[:MOST_NAMED], *([f"and {more:,} more"] if more > 0 else [])]
    return [{"name": "refold", "ok": not wrong, "detail": "\n".join(lines), "seconds": 0.0}]


def _checks(user: MemoryUser, project: Project, now: datetime) -> Checks:
    rows = Record.objects.filter(user=user).order_by("kind", "record_id")
    records = [
        StoredRecord(*row) for row in rows.values_list("kind", "record_id", "data").iterator()
    ]
    setting = Setting(library(), tables_for(project), user.local_date(now))
    return [check.as_json() for check in run_checks(project, setting, records)]


def _move(user: MemoryUser, step: Step, now: datetime) -> None:
    baseline, tree = step.baseline, store_project(step.rebased.project)
    if tree.pk != baseline.tree_id:
        assert baseline.adopted_by is not None  # only the first has none, and nobody moves to that
        record_version(
            user=user,
            tree=tree.pk,
            baseline=baseline.tree_id,
            summary=f"Baseline {baseline.number}; the files of this person's own stay as they are.",
            approved_by=baseline.adopted_by,
            now=now,
        )
    activate(user=user, tree=tree.pk, baseline=baseline.tree_id, now=now)
    audit.record(
        "code.upgrade",
        actor=None,
        now=now,
        person=user.pk,
        of="baseline",
        object_id=baseline.number,
    )
    supersede_inferred(user=user, now=now)


def _propose(user: MemoryUser, step: Step, now: datetime) -> None:
    change = Change(
        project=step.rebased.project,
        baseline=load_project(step.baseline.tree_id),
        parent=step.code.project.digest,
        summary=_summary(step),
        reason=f"Baseline {step.baseline.number} was adopted.",
        checks=step.checks,
        origin=ProposalOrigin.UPGRADE,
    )
    propose(user_id=user.pk, change=change, now=now)


def _summary(step: Step) -> str:
    """What somebody has to look at, in a line for each cause."""
    lines = [f"Baseline {step.baseline.number} under this person's own files."]
    lines += [f"{path} changed on both sides: put together." for path in step.rebased.merged]
    lines += [
        f"{path} changed on both sides in the same place: this person's own text stays."
        for path in step.rebased.kept
    ]
    return "\n".join(lines)
