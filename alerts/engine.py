"""Run rules over a person's state and compare what they find with what stands; no database here."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, Any, Literal

import pydantic

from memory.project.bundle import StateSlice, rule_program
from memory.project.tree import Project, Rule
from memory.sandbox import (
    CodeRaised,
    Instance,
    LimitExceeded,
    Limits,
    NoWorker,
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


@dataclass(frozen=True)
class EvidenceRef:
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

    @property
    def dedupe_key(self) -> str:
        """One alert stands for a rule, its own key, and the records it rests on."""
        refs = sorted([ref.kind, ref.record_id] for ref in self.evidence)
        text = json.dumps([self.origin, self.rule, self.key, refs])
        return hashlib.sha256(text.encode()).hexdigest()


class _AlertOut(pydantic.BaseModel):
    """The attributes of the `uac.Alert` that a rule returns."""

    model_config = pydantic.ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=True)

    severity: Literal["info", "warning", "critical"]
    summary: Line
    evidence: Annotated[list[Instance], pydantic.Field(min_length=1, max_length=50)]
    detail: Words = ""
    grade: Short = ""
    action: Words = ""
    basis: Annotated[list[Short], pydantic.Field(max_length=100)] = []
    unknown: Annotated[list[Words], pydantic.Field(max_length=20)] = []
    key: Short = ""


@dataclass(frozen=True)
class Findings:
    """What the rules that answered found, why the others failed, and the seconds in the sandbox."""

    found: tuple[Finding, ...]
    failed: Mapping[str, str]
    seconds: float


@dataclass
class RunSetting:
    """What a run of rules depends on besides the state: equal settings give equal findings."""

    project: Project
    library: Sequence[str]
    tables: Mapping[str, Any]
    today: date
    now: datetime
    limits: Limits


def run_rules(setting: RunSetting, state: StateSlice, rules: Iterable[Rule]) -> Findings:
    """Run the rules in one sandbox session; one that fails is set aside and the rest run again.

    Raises OutOfTime where the whole time allowed is spent, whoever spent it.
    """
    left = list(rules)
    failed: dict[str, str] = {}
    seconds = 0.0
    started = time.monotonic()
    while left:
        try:
            outcome = run(_program(setting, state, left), limits=setting.limits)
        except NoWorker as error:
            raise OutOfTime from error
        except SandboxError as error:
            culprit = _culprit(error, left)
            if _time_is_up(error, setting.limits, started):
                raise OutOfTime from error
            if culprit is None:
                failed |= {rule.name: _reason(error) for rule in left}
                break
            failed[culprit.name] = _reason(error)
            left.remove(culprit)
            continue
        seconds += outcome.seconds
        found: list[Finding] = []
        for rule, value in zip(left, outcome.values[-len(left) :], strict=True):
            try:
                found += interpret(setting.project, rule.name, value)
            except ValueError as error:
                failed[rule.name] = str(error)
        return Findings(tuple(found), failed, seconds)
    return Findings((), failed, seconds)


def _time_is_up(error: SandboxError, limits: Limits, started: float) -> bool:
    """Whether the run's own time ran out, rather than that of one rule."""
    if not isinstance(error, LimitExceeded) or error.limit != "time":
        return False
    spent = time.monotonic() - started
    return limits.feed_seconds >= limits.total_seconds or spent >= limits.total_seconds


def _program(setting: RunSetting, state: StateSlice, rules: Sequence[Rule]) -> Program:
    return rule_program(
        setting.project,
        setting.library,
        state,
        rules,
        today=setting.today,
        now=setting.now,
        tables=setting.tables,
    )


def _culprit(error: SandboxError, rules: Iterable[Rule]) -> Rule | None:
    return next((rule for rule in rules if error.feed == f"rules/{rule.name}.py"), None)


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


@dataclass(frozen=True)
class Standing:
    """An active alert, as the comparison needs it."""

    alert_id: int
    rule: str
    origin: str
    dedupe_key: str
    severity: str
    fingerprint: str


@dataclass
class Changes:
    """What an evaluation changes: findings to open, alerts to bring up to date, alerts to clear."""

    opened: list[Finding] = field(default_factory=list)
    changed: list[tuple[Standing, Finding]] = field(default_factory=list)
    cleared: list[Standing] = field(default_factory=list)


def fingerprint(content: Mapping[str, Any]) -> str:
    """SHA-256 over what an alert shows, so that a change of any of it is seen."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def compare(
    findings: Findings,
    standing: Iterable[Standing],
    *,
    fingerprints: Mapping[str, str],
) -> Changes:
    """What must change so that the alerts that stand are what the rules found.

    `standing` holds the active alerts of the rules that were run (or that exist no more), and
    `fingerprints` that of each finding by its dedupe key. What a failed rule held open stays.
    """
    wanted = {finding.dedupe_key: finding for finding in findings.found}
    for rule, reason in findings.failed.items():
        failure = failure_of(rule, reason)
        wanted[failure.dedupe_key] = failure
    changes = Changes()
    for alert in standing:
        finding = wanted.pop(alert.dedupe_key, None)
        if finding is not None:
            if fingerprints[finding.dedupe_key] != alert.fingerprint:
                changes.changed.append((alert, finding))
        elif alert.origin == "failure" or alert.rule not in findings.failed:
            changes.cleared.append(alert)
    changes.opened = list(wanted.values())
    return changes
