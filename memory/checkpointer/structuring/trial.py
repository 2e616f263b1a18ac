"""Try an answer: all that a machine can find out about it before a person looks at it.

What may not be changed is found by reading; only then does the sandbox see the code. Nothing is
stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory.actions.project_state import Key, by_record
from memory.checkpointer.checks import Check, Setting, run_check, run_checks, tables_for
from memory.checkpointer.refold import StoredRecord
from memory.checkpointer.structured import Structured
from memory.checkpointer.structuring.answer import StructureAnswer
from memory.checkpointer.structuring.bounds import Bounded, Bounds, bounded
from memory.checkpointer.structuring.material import Material
from memory.checkpointer.structuring.prompt import Asked
from memory.checkpointer.structuring.proof import prove_tests
from memory.checkpointer.structuring.readings import (
    FactReading,
    Fitted,
    fit_readings,
    would_place,
)
from memory.code import Code
from memory.evaluator import Would, evaluator
from memory.models import MemoryUser, Need, Record
from memory.project.fold import Statement
from memory.project.policy import check as check_policy
from memory.project.shipped import library
from memory.project.tree import Project
from memory.refit import changed_rules

MOST_LINES, MOST_TOLD = 30, 8


@dataclass
class Trial:
    """What came of an answer: its project, the checks so far, and what they found out."""

    bounded: Bounded
    checks: list[Check] = field(default_factory=list)
    structured: Structured | None = None
    """Which of the waiting readings its kinds have a place for."""
    waiting: list[tuple[Key, Statement]] = field(default_factory=list)
    """What those would say."""
    fitted: Fitted = field(default_factory=Fitted)
    would: Would | None = None
    replay: list[dict[str, Any]] = field(default_factory=list)

    @property
    def project(self) -> Project:
        """The project that was tried."""
        return self.bounded.project

    @property
    def failed(self) -> Check | None:
        """The first check that found something."""
        return next((check for check in self.checks if not check.ok), None)

    @property
    def placed(self) -> dict[Key, list[Statement]]:
        """What its readings and those that wait would say, by record."""
        return by_record((*self.waiting, *self.fitted.statements))

    def check(self, name: str, step: Callable[[], str]) -> bool:
        """Run one more check, unless one before it failed; whether all are well."""
        if self.failed is None:
            self.checks.append(run_check(name, step))
        return self.failed is None


def try_answer(
    answer: StructureAnswer, material: Material, asked: Asked, *, now: datetime
) -> Trial:
    """Every check in order, until one finds something.

    Raises NoWorker where the sandbox has no room, which says nothing about the answer.
    """
    trial = Trial(bounded(answer, _bounds(material, asked)))
    if not trial.check("answer", lambda: _bounded_detail(trial)):
        return trial
    user = MemoryUser.objects.get(pk=material.user.pk)
    if not trial.bounded.changes:
        trial.check("readings", lambda: _readings_alone(trial, answer, material, asked, user))
        return trial
    setting = Setting(library(), tables_for(trial.project), user.local_date(now))
    if is_whole(trial.project):
        trial.structured, trial.waiting = would_place(user, trial.project)
        trial.check("readings", lambda: _readings(trial, answer, material, asked, user))
    if trial.failed is None:
        trial.checks += run_checks(trial.project, setting, records_after(trial, user))
    trial.check("proof", lambda: prove_tests(trial.project, trial.bounded.rules, setting))
    trial.check("rules tried", lambda: _rules_tried(trial, answer, material, asked, user, now))
    trial.check("replay", lambda: replay(trial, material.code.project, user, now))
    return trial


def _bounds(material: Material, asked: Asked) -> Bounds:
    return Bounds(
        base=material.base,
        shipped=material.code.baseline,
        changeable=asked.changeable,
        facts=frozenset(asked.facts),
        needs=frozenset(asked.needs),
    )


def _bounded_detail(trial: Trial) -> str:
    """What changes. Raises ValueError with what may not, and what the policy does not allow."""
    lines = list(trial.bounded.problems)
    if lines:
        lines += [str(one) for one in check_policy(trial.project.files, library())]
        raise ValueError("\n".join(lines[:MOST_LINES]))
    return trial.bounded.detail


def is_whole(project: Project) -> bool:
    """Whether the schemas can be read; where not, a check says why."""
    try:
        return bool(project.kinds and project.rules)
    except (ValueError, SyntaxError):
        return False


def _readings(
    trial: Trial, answer: StructureAnswer, material: Material, asked: Asked, user: MemoryUser
) -> str:
    """How many readings the answer has. Raises ValueError with those that do not fit."""
    trial.fitted = fit_readings(
        user=user,
        code=Code(trial.project, material.code.baseline),
        facts={**material.carried_facts, **asked.facts},
        readings=[*material.carried, *_of_answer(answer, asked)],
        placed=trial.waiting,
    )
    lines = [*trial.fitted.problems, *stranded(trial, user)]
    if lines:
        raise ValueError("\n".join(lines[:MOST_LINES]))
    return counted(trial.fitted)


def counted(fitted: Fitted) -> str:
    count = len(fitted.placements)
    return "no reading" if not count else "1 reading" if count == 1 else f"{count} readings"


def _readings_alone(
    trial: Trial, answer: StructureAnswer, material: Material, asked: Asked, user: MemoryUser
) -> str:
    """How many readings there are of kinds in force, for which no code has to change."""
    readings = list(_of_answer(answer, asked))
    trial.fitted = fit_readings(user=user, code=material.code, facts=asked.facts, readings=readings)
    if trial.fitted.problems:
        raise ValueError("\n".join(trial.fitted.problems[:MOST_LINES]))
    return counted(trial.fitted)


def _of_answer(answer: StructureAnswer, asked: Asked) -> Iterator[FactReading]:
    for index, one in enumerate(answer.readings):
        path = f"readings[{index}]"
        if one.fact in asked.facts:
            yield FactReading(path, one.fact, one.kind, one.op, one.id, one.data)
        else:
            raise ValueError(f"{path}.fact: {one.fact} is none of the facts that were given")


def _gone(trial: Trial, user: MemoryUser) -> Iterator[Record]:
    """The records whose kinds the answer takes away."""
    kinds = Record.objects.filter(user=user).values_list("kind", flat=True).distinct()
    gone = [name for name in kinds.order_by("kind") if name not in trial.project.kinds]
    yield from Record.objects.filter(user=user, kind__in=gone).order_by("kind", "record_id")


def stranded(trial: Trial, user: MemoryUser) -> Iterator[str]:
    """The records that would be lost, because not all facts they rest on are read again."""
    again = {one["fact"] for one in trial.fitted.placements}
    for record in _gone(trial, user):
        if missing := [seq for seq in record.facts if seq not in again]:
            facts = ", ".join(map(str, missing))
            yield (
                f"{record.kind} {record.record_id}: its kind is gone; keep the kind,"
                f" or read its facts ({facts}) again in readings"
            )


def records_after(trial: Trial, user: MemoryUser) -> list[StoredRecord]:
    """Every record as it would be, those left out that are read again as others."""
    rows = Record.objects.filter(user=user).order_by("kind", "record_id")
    stored = {(row.kind, row.record_id): row.data for row in rows}
    for record in _gone(trial, user) if trial.structured else ():
        del stored[record.kind, record.record_id]
    for key, folded in trial.fitted.after.items():
        stored.pop(key, None)
        if folded is not None:
            stored[key] = folded.data
    return [StoredRecord(kind, record_id, data) for (kind, record_id), data in stored.items()]


def _rules_tried(
    trial: Trial,
    answer: StructureAnswer,
    material: Material,
    asked: Asked,
    user: MemoryUser,
    now: datetime,
) -> str:
    """What the rules would raise now. Raises ValueError for one that fails or misses a concern."""
    lines = try_rules(trial, material.code.project, user, now)
    assert trial.would is not None
    without = {one.need for one in answer.cannot}
    for number, need in asked.needs.items():
        if need.about.get("records") and number not in without:
            lines += _missed(number, need, trial.would)
    if lines:
        raise ValueError("\n".join(lines[:MOST_LINES]))
    return alerts_now(trial)


def try_rules(trial: Trial, before: Project, user: MemoryUser, now: datetime) -> list[str]:
    """Run the rules that differ from those before; the ones that fail, a line each."""
    trial.would = evaluator().would_find(
        user=user,
        project=trial.project,
        rules=changed_rules(before, trial.project),
        placed=trial.placed,
        now=now,
    )
    return [f"rules/{name}.py: the rule {why}" for name, why in trial.would.failed.items()]


def alerts_now(trial: Trial) -> str:
    """How many alerts the rules would raise."""
    count = len(trial.would.found) if trial.would else 0
    return "no alert now" if not count else "1 alert now" if count == 1 else f"{count} alerts now"


def _missed(number: int, need: Need, would: Would) -> list[str]:
    """That no rule sees what a concern saw; what they do see is named."""
    sought = {(one["kind"], one["id"]) for one in need.about.get("records", ())}
    seen = {(one["kind"], one["id"]) for found in would.found for one in found["evidence"]}
    if not sought or sought & seen:
        return []
    named = ", ".join(f"{kind} {record_id}" for kind, record_id in sorted(sought))
    told = [f"{one['rule']}: {one['summary']}" for one in would.found[:MOST_TOLD]]
    return [
        f"need {number}: no rule of the answer raises an alert with evidence {named};"
        f" they raise: {'; '.join(told) or 'nothing'}"
    ]


def replay(trial: Trial, before: Project, user: MemoryUser, now: datetime) -> str:
    """What the rules would have done over the log."""
    trial.replay = evaluator().replay(
        user=user, before=before, after=trial.project, placed=trial.placed, now=now
    )
    opened = _number(trial.replay, "opened")
    cleared = _number(trial.replay, "cleared")
    return f"would have opened {opened} and cleared {cleared} over the log"


def _number(steps: Sequence[Mapping[str, Any]], name: str) -> int:
    return sum(len(step.get(name, ())) for step in steps)
