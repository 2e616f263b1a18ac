"""Try code that no model has written just now: by hand, restored, or put on other code.

The checks are those of a model's answer, without its bounds: a person may change any file, and
another person decides. Nothing is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.checkpointer.checks import Setting, run_checks, tables_for
from memory.checkpointer.structuring.bounds import FOREIGN, Bounded
from memory.checkpointer.structuring.proof import prove_tests
from memory.checkpointer.structuring.readings import FactReading, fit_readings, would_place
from memory.checkpointer.structuring.trial import (
    MOST_LINES,
    Trial,
    alerts_now,
    counted,
    is_whole,
    records_after,
    replay,
    stranded,
    try_rules,
)
from memory.code import Code
from memory.log import facts_by_seq
from memory.models import MemoryUser
from memory.project.policy.check import PLACES
from memory.project.shipped import library
from memory.project.tree import Project


@dataclass(frozen=True)
class Work:
    """A project to be tried in place of the one in force.

    `carried` are readings of facts that go with it; with `drops` those that do not fit it are left
    out instead of failing it.
    """

    user: MemoryUser
    code: Code
    project: Project
    baseline: Project
    carried: tuple[FactReading, ...] = ()
    drops: bool = False


def try_by_hand(work: Work, *, now: datetime) -> Trial:
    """Every check in order, until one finds something.

    Raises NoWorker where the sandbox has no room, which says nothing about the project.
    """
    trial = Trial(_compared(work))
    if not trial.check("files", lambda: _files(trial)):
        return trial
    user, before = MemoryUser.objects.get(pk=work.user.pk), work.code.project
    if is_whole(trial.project):
        trial.structured, trial.waiting = would_place(user, trial.project)
        trial.check("readings", lambda: _readings(trial, work, user))
    if trial.failed is not None:
        return trial
    setting = Setting(library(), tables_for(trial.project), user.local_date(now))
    trial.checks += run_checks(trial.project, setting, records_after(trial, user))
    trial.check("proof", lambda: prove_tests(trial.project, trial.bounded.rules, setting))
    trial.check("rules tried", lambda: _rules_tried(trial, before, user, now))
    trial.check("replay", lambda: replay(trial, before, user, now))
    return trial


def _compared(work: Work) -> Bounded:
    """What differs from the project in force."""
    before, after = work.code.project.files, work.project.files
    return Bounded(
        project=work.project,
        new=sorted(after.keys() - before.keys()),
        changed=sorted(path for path in after.keys() & before if after[path] != before[path]),
        removed=sorted(before.keys() - after.keys()),
    )


def _files(trial: Trial) -> str:
    """What changes. Raises ValueError where nothing does, or a file has no place in a project."""
    done = trial.bounded
    if not done.changes:
        raise ValueError("nothing differs from the code that is active")
    foreign = [
        f"{path}:1: {FOREIGN}"
        for path in done.new
        if not any(place.fullmatch(path) for place in PLACES.values())
    ]
    if foreign:
        raise ValueError("\n".join(foreign[:MOST_LINES]))
    return done.detail


def _readings(trial: Trial, work: Work, user: MemoryUser) -> str:
    """How many readings go with it. Raises ValueError with those that do not fit, and the records
    that would be lost."""
    code = Code(trial.project, work.baseline)
    facts = facts_by_seq(user, [one.fact for one in work.carried])
    readings = list(work.carried)
    left_out: list[str] = []
    while True:
        trial.fitted = fit_readings(
            user=user, code=code, facts=facts, readings=readings, placed=trial.waiting
        )
        problems = trial.fitted.problems
        bad = [one for one in readings if any(map(one.is_meant, problems))]
        if not (work.drops and bad):
            break
        left_out += [one.path for one in bad]
        readings = [one for one in readings if one not in bad]
    lines = [*trial.fitted.problems, *stranded(trial, user)]
    if lines:
        raise ValueError("\n".join(lines[:MOST_LINES]))
    return "\n".join([counted(trial.fitted), *(f"left out: {path}" for path in left_out)])


def _rules_tried(trial: Trial, before: Project, user: MemoryUser, now: datetime) -> str:
    if failed := try_rules(trial, before, user, now):
        raise ValueError("\n".join(failed[:MOST_LINES]))
    return alerts_now(trial)
