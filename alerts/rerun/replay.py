"""What the rules that differ between two projects would have said after each fact of the log.

The records are folded forwards, fact by fact, and the rules run backwards, from today: where the
time runs out, the latest has been looked at.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby
from typing import Any

from alerts.early.preview import raise_for_room
from alerts.evaluation.diff import Content, contents_of
from alerts.evaluation.engine import RANK, Finding, OutOfTime, failure_of
from alerts.evaluation.growing import Growing, Placed, Said, said_of
from alerts.evaluation.scene import Scene, findings_in, kinds_read, scene_of
from memory.code import Code, baseline_of
from memory.models import Fact, MemoryUser
from memory.project.tree import Project, Rule
from memory.sandbox import Limits
from memory.snapshot import snapshot

MOST_STEPS = 60  # besides today
MOST_FINDINGS = 50  # in a list
MOST_EVIDENCE = 10  # of a finding
MOST_FACTS = 10  # of a record
Brief = dict[str, Any]
Lists = Mapping[str, Sequence[Brief]]


@dataclass(frozen=True)
class Step:
    """What was said since the step before, and the person's date when the last of it was recorded.

    `seq` is that of the last fact; None for today, on which nothing more is said.
    """

    seq: int | None
    on: date
    said: Sequence[Said] = ()


@dataclass(frozen=True)
class Told:
    """What rules said at a step, by the key of each finding, and which of them failed."""

    found: Mapping[str, Brief]
    failed: frozenset[str]


def replay(
    *,
    user: MemoryUser,
    before: Project,
    after: Project,
    placed: Placed,
    now: datetime,
    limits: Limits,
) -> list[dict[str, Any]]:
    """As `memory.evaluator.Evaluator.replay` tells; `limits` hold for all runs together.

    Raises NoWorker where the sandbox has no room.
    """
    old, new = differing(before, after), differing(after, before)
    if not old and not new:
        return []
    with snapshot():
        had = said_of(user, kinds_read(before, old), {})
        said = said_of(user, kinds_read(after, new), placed)
        dates = _dates(user, [*had[:1], *said[:1]])
    baseline, today = baseline_of(user), user.local_date(now)
    end = time.monotonic() + limits.total_seconds
    now_told = _told(Code(before, baseline), old, [Step(None, today, had)], limits, end)
    steps, left_out = steps_of(said, dates, today)
    told = _told(Code(after, baseline), new, steps, limits, end)
    left_out += len(steps) - len(told)
    gone = _gone(now_told[-1], told[-1]) if now_told and told else []
    elements = _elements(steps, told, gone, left_out)
    if old:
        before_steps, left_out = steps_of(had, dates, today)
        told = _told(Code(before, baseline), old, before_steps, limits, end)
        left_out += len(before_steps) - len(told)
        elements[-1]["before"] = _elements(before_steps, told, [], left_out)
    return elements


def differing(project: Project, other: Project) -> tuple[Rule, ...]:
    """The rules of a project that the other has not, or otherwise, or over other kinds."""
    return tuple(
        rule
        for rule in project.rules.values()
        if rule != other.rules.get(rule.name) or _reads_otherwise(rule, project, other)
    )


def _reads_otherwise(rule: Rule, project: Project, other: Project) -> bool:
    every = project.collections.keys() | other.collections.keys()
    names = every if rule.reads is None else rule.reads
    return any(project.collections.get(one) != other.collections.get(one) for one in names)


def _dates(user: MemoryUser, said: Sequence[Said]) -> dict[int, date]:
    """The person's date when each fact was recorded, from the first of those that are given."""
    first = min((one.fact_seq for _, one in said), default=user.fact_seq + 1)
    rows = Fact.objects.filter(user=user, seq__gte=first).values_list("seq", "recorded_at")
    return {seq: user.local_date(at) for seq, at in rows}


def steps_of(
    said: Sequence[Said], dates: Mapping[int, date], today: date
) -> tuple[list[Step], int]:
    """A step for each fact, or where they are too many for each day; the last step is today.

    Where the days are too many the first step stands for more of them; the number says how many.
    """
    facts = groupby(said, key=lambda one: one[1].fact_seq)
    steps = [Step(seq, dates[seq], list(some)) for seq, some in facts]
    if len(steps) > MOST_STEPS:
        steps = [_joined(list(some)) for _, some in groupby(steps, key=lambda one: one.on)]
    earlier = max(0, len(steps) - MOST_STEPS)
    if earlier:
        steps = [_joined(steps[: earlier + 1]), *steps[earlier + 1 :]]
    return [*steps, Step(None, today)], earlier


def _joined(steps: Sequence[Step]) -> Step:
    return replace(steps[-1], said=[one for step in steps for one in step.said])


def _told(
    code: Code, rules: Sequence[Rule], steps: Sequence[Step], limits: Limits, end: float
) -> list[Told]:
    """What rules said at the last of the steps, as many as there was time for until `end`.

    A rule that fails today is not run for the days before.
    """
    records = Growing(code.project.kinds)
    earlier = [records.add(step.said) for step in steps]
    told: list[Told] = []
    for step, rows in zip(reversed(steps), reversed(earlier), strict=True):
        seen = scene_of(code, rules, records.rows.values())
        try:
            left = replace(limits, total_seconds=end - time.monotonic())
            told.append(_look(seen, step.on, left))
        except OutOfTime as error:
            raise_for_room(error)
            break
        rules = [rule for rule in rules if rule.name not in told[0].failed]
        records.restore(rows)
    return told[::-1]


def _look(seen: Scene, today: date, limits: Limits) -> Told:
    findings, contents = contents_of(seen, findings_in(seen, today=today, limits=limits))
    failures = [failure_of(rule, reason) for rule, reason in findings.failed.items()]
    found = {
        one.dedupe_key: _brief(one, contents[one.dedupe_key])
        for one in (*findings.found, *failures)
    }
    return Told(found, frozenset(findings.failed))


def _brief(finding: Finding, content: Content) -> Brief:
    return {
        "rule": finding.rule,
        "key": finding.dedupe_key,
        "severity": finding.severity,
        "summary": finding.summary,
        "due": content["due"],
        "evidence": [
            {"kind": one["kind"], "id": one["id"], "facts": one["facts"][-MOST_FACTS:]}
            for one in content["evidence"][:MOST_EVIDENCE]
        ],
    }


def _gone(before: Told, after: Told) -> list[Brief]:
    """What is said no more, or less gravely; a rule that fails holds open what it said."""
    return [
        one
        for key, one in before.found.items()
        if one["rule"] not in after.failed and RANK[one["severity"]] < _rank(after.found.get(key))
    ]


def _rank(finding: Brief | None) -> int:
    return len(RANK) if finding is None else RANK[finding["severity"]]


def _elements(
    steps: Sequence[Step], told: Sequence[Told], gone: Sequence[Brief], left_out: int
) -> list[dict[str, Any]]:
    """The steps at which something changed, and today."""
    looked_at = steps[len(steps) - len(told) :]
    nothing: Lists = {"opened": [], "cleared": [], "gone": []}
    changes = list(_changes(looked_at, told, gone)) or [_element(steps[-1], nothing)]
    if left_out:
        changes[0]["left_out"] = left_out
    telling = ("opened", "cleared", "left_out")
    return [*(one for one in changes[:-1] if any(map(one.get, telling))), changes[-1]]


def _changes(
    steps: Sequence[Step], told: Sequence[Told], gone: Sequence[Brief]
) -> Iterator[dict[str, Any]]:
    """What opened and cleared from step to step."""
    standing: dict[str, Brief] = {}
    for step, one in zip(steps, told, strict=True):
        held = {key: brief for key, brief in standing.items() if brief["rule"] in one.failed}
        then = {**held, **one.found}
        lists: Lists = {
            "opened": [brief for key, brief in then.items() if key not in standing],
            "cleared": [brief for key, brief in standing.items() if key not in then],
        }
        yield _element(step, lists if step.seq is not None else {**lists, "gone": gone})
        standing = then


def _element(step: Step, lists: Lists) -> dict[str, Any]:
    """A step with its lists, the gravest first, as long as they may be."""
    element: dict[str, Any] = {"seq": step.seq, "on": step.on.isoformat()}
    for name, found in lists.items():
        element[name] = sorted(found, key=_by_gravity)[:MOST_FINDINGS]
    if more := sum(max(0, len(found) - MOST_FINDINGS) for found in lists.values()):
        element["more"] = more
    return element


def _by_gravity(finding: Brief) -> tuple[int, str, str]:
    return RANK[finding["severity"]], finding["rule"], finding["key"]
