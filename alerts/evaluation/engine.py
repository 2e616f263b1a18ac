"""Run rules over a person's state and check what they return; no database here."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple

import pydantic

from memory.project.bundle import Situation, rule_program, shared_program
from memory.project.library import Library
from memory.project.tree import Project, Rule, may_share
from memory.sandbox import (
    CodeRaised,
    Instance,
    LimitExceeded,
    Limits,
    NoWorker,
    Pool,
    Program,
    SandboxError,
    SyntaxRefused,
    TypeRefused,
    ValueRefused,
    run,
)

MAX_FINDINGS = 500
RANK = {"critical": 0, "warning": 1, "info": 2}
Line = Annotated[str, pydantic.Field(min_length=1, max_length=140)]
Words = Annotated[str, pydantic.Field(max_length=2_000)]
Short = Annotated[str, pydantic.Field(max_length=200)]


class OutOfTime(Exception):
    """The time allowed ran out before the rules had answered; nothing is known of them."""


class EvidenceRef(NamedTuple):
    """A record a finding rests on."""

    kind: str
    record_id: str


@dataclass(frozen=True)
class Finding:
    """What a rule says of a person, checked; equal findings come from equal states."""

    rule: str
    origin: Literal["finding", "failure"]
    severity: str
    summary: str
    detail: str = ""
    grade: str = ""
    action: str = ""
    basis: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
    key: str = ""
    due: date | None = None

    @property
    def dedupe_key(self) -> str:
        """One alert stands for a rule, its own key, and the records it rests on."""
        return dedupe_key(self.origin, self.rule, self.key, self.evidence)


def dedupe_key(origin: str, rule: str, key: str, evidence: Iterable[EvidenceRef]) -> str:
    """SHA-256 over what makes two alerts the same; those of different origins never are."""
    refs = sorted([ref.kind, ref.record_id] for ref in evidence)
    text = json.dumps([origin, rule, key, refs])
    return hashlib.sha256(text.encode()).hexdigest()


class _AlertOut(pydantic.BaseModel):
    """The attributes of the `uac.Alert` that a rule returns."""

    model_config = pydantic.ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=True)

    severity: Literal["info", "warning", "critical"]
    summary: Line
    evidence: Annotated[list[Instance], pydantic.Field(min_length=1, max_length=50)]
    detail: Words = ""
    grade: Annotated[str, pydantic.Field(max_length=40)] = ""
    action: Words = ""
    basis: Annotated[list[Short], pydantic.Field(max_length=100)] = []
    unknown: Annotated[list[Words], pydantic.Field(max_length=20)] = []
    key: Short = ""
    due: date | None = None


@dataclass(frozen=True)
class Findings:
    """What the rules that answered found, why the others failed, and the seconds in the sandbox."""

    found: tuple[Finding, ...]
    failed: Mapping[str, str]
    seconds: float


@dataclass(frozen=True)
class RunSetting:
    """The code that runs and what it may use.

    `alone` names the rules that were written for one person: each gets a session of its own, in
    which it can change nothing that another sees. The app's own rules share one. `workers` are
    those of the alerts unless told.
    """

    project: Project
    library: Library
    limits: Limits
    alone: frozenset[str] = frozenset()
    workers: Pool | None = None


def run_rules(setting: RunSetting, given: Situation, rules: Iterable[Rule]) -> Findings:
    """Run rules over a person's state; one that fails is set aside, and the others answer.

    Raises OutOfTime where the whole time allowed is spent, whoever spent it.
    """
    asked = list(rules)
    attempt = _Attempt(setting, given)
    left = attempt.together([rule for rule in asked if rule.name not in setting.alone])
    for rule in asked:
        if rule.name in setting.alone or rule in left:
            attempt.apart(rule)
    return attempt.findings(asked)


class _Attempt:
    """What has been answered so far, and why the rest was not."""

    def __init__(self, setting: RunSetting, given: Situation) -> None:
        self.setting, self.given = setting, given
        self.values: dict[str, Any] = {}
        self.failed: dict[str, str] = {}
        self.seconds = 0.0
        self.end = time.monotonic() + setting.limits.total_seconds

    def together(self, rules: list[Rule]) -> list[Rule]:
        """Run rules in one session, again without each that fails.

        Returns those that could not be run because the code as a whole could not be loaded.
        """
        setting = self.setting
        if not may_share(setting.project, setting.alone):
            return rules
        try:
            answers = self.run(self.shared(rules))[-1] if rules else []
        except SandboxError:
            return self.one_by_one(rules)
        self.values |= {rule.name: one for rule, one in zip(rules, answers, strict=True)}
        return []

    def one_by_one(self, rules: list[Rule]) -> list[Rule]:
        """Run rules in one session, a feed each, again without each that fails."""
        while rules:
            try:
                values = self.run(self.shared(rules, one_by_one=True))
            except SandboxError as error:
                culprit = next((one for one in rules if error.during == f"check {one.name}"), None)
                if culprit is None:
                    return rules
                self.failed[culprit.name] = _reason(error)
                rules = [rule for rule in rules if rule is not culprit]
            else:
                answers = values[-len(rules) :]
                self.values |= {rule.name: one for rule, one in zip(rules, answers, strict=True)}
                break
        return []

    def shared(self, rules: list[Rule], *, one_by_one: bool = False) -> Program:
        """The program that runs these rules together."""
        setting = self.setting
        return shared_program(
            setting.project,
            setting.library,
            rules,
            self.given,
            one_by_one=one_by_one,
        )

    def apart(self, rule: Rule) -> None:
        """Run one rule in a session of its own."""
        program = rule_program(self.setting.project, self.setting.library, rule, self.given)
        try:
            self.values[rule.name] = self.run(program)[-1]
        except SandboxError as error:
            self.failed[rule.name] = _reason(error)

    def run(self, program: Program) -> Sequence[Any]:
        """The program's values. Raises OutOfTime, and SandboxError for all else."""
        limits = self.setting.limits
        left = self.end - time.monotonic()
        if left <= 0:
            raise OutOfTime
        try:
            limits_left = replace(limits, total_seconds=left)
            outcome = run(program, limits=limits_left, workers=self.setting.workers)
        except NoWorker as error:
            raise OutOfTime from error
        except LimitExceeded as error:
            whole = limits.feed_seconds >= limits.total_seconds or time.monotonic() >= self.end
            if error.limit == "time" and whole:
                raise OutOfTime from error
            raise
        self.seconds += outcome.seconds
        return outcome.values

    def findings(self, rules: Iterable[Rule]) -> Findings:
        """The answers, checked, in the order of the rules."""
        found: list[Finding] = []
        for rule in rules:
            if rule.name in self.values:
                try:
                    found += interpret(self.setting.project, rule.name, self.values[rule.name])
                except ValueError as error:
                    self.failed[rule.name] = str(error)
        return Findings(tuple(found), self.failed, self.seconds)


def _reason(error: SandboxError) -> str:
    """Why a rule failed, without its message: that may hold the words of a fact."""
    place = f" at line {error.line}" if error.line else ""
    match error:
        case CodeRaised():
            return f"raised {error.type_name}{place}"
        case LimitExceeded():
            return f"went past its limit of {error.limit}{place}"
        case SyntaxRefused() | TypeRefused():
            return f"is not valid code for the sandbox{place}"
        case ValueRefused():
            return f"returned a value that may not leave the sandbox{place}"
        case _:
            return f"crashed its worker{place}"


def interpret(project: Project, rule: str, value: Any) -> list[Finding]:
    """What a rule returned, as findings. Raises ValueError with a reason free of personal data."""
    if not isinstance(value, list) or len(value) > MAX_FINDINGS:
        raise ValueError(f"did not return a list of at most {MAX_FINDINGS} alerts")
    findings: dict[str, Finding] = {}
    for item in value:
        finding = _finding(project, rule, item)
        standing = findings.get(finding.dedupe_key)
        if standing is None or RANK[finding.severity] < RANK[standing.severity]:
            findings[finding.dedupe_key] = finding
    return list(findings.values())


def _finding(project: Project, rule: str, item: Any) -> Finding:
    if not isinstance(item, Instance) or item.name != "Alert":
        raise ValueError("returned something that is not an Alert")
    try:
        alert = _AlertOut.model_validate(dict(item.attributes))
    except pydantic.ValidationError as error:
        places = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
        raise ValueError(f"returned an Alert that does not hold: {places}") from error
    return Finding(
        rule=rule,
        origin="finding",
        severity=alert.severity,
        summary=alert.summary,
        detail=alert.detail,
        grade=alert.grade,
        action=alert.action,
        basis=tuple(alert.basis),
        unknown=tuple(alert.unknown),
        evidence=tuple(_reference(project, instance) for instance in alert.evidence),
        key=alert.key,
        due=alert.due,
    )


def _reference(project: Project, instance: Instance) -> EvidenceRef:
    kind = project.kinds_by_class.get(instance.name)
    record_id = instance.attributes.get("id")
    if kind is None or not isinstance(record_id, str):
        raise ValueError("returned an Alert whose evidence is not a record")
    return EvidenceRef(kind.full_name, record_id)


def failure_of(rule: str, reason: str) -> Finding:
    """The alert for staff that a rule could not be run."""
    summary = f"Rule {rule} could not be run: its alerts may be out of date"
    return Finding(
        rule=rule[:200],
        origin="failure",
        severity="warning",
        summary=summary if len(summary) <= 140 else f"{summary[:139]}…",
        detail=f"The rule {reason}. Alerts it held open stay open until it runs again."[:2_000],
        action="Tell an administrator; check by hand what the rule would have checked.",
    )
