"""Compare what the rules found with the alerts that stand; no database here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from alerts.evaluation.engine import Finding, Findings, failure_of


@dataclass(frozen=True)
class Standing:
    """A current alert, as the comparison needs it."""

    alert_id: int
    rule: str
    origin: str
    dedupe_key: str
    severity: str
    status: str
    summary: str
    fingerprint: str


@dataclass
class Changes:
    """What an evaluation changes: findings to open, alerts whose cause came back before anybody had
    acknowledged that it was gone, alerts to bring up to date, and alerts to clear."""

    opened: list[Finding] = field(default_factory=list)
    recurred: list[tuple[Standing, Finding]] = field(default_factory=list)
    changed: list[tuple[Standing, Finding]] = field(default_factory=list)
    cleared: list[Standing] = field(default_factory=list)


def fingerprint(content: Mapping[str, Any]) -> str:
    """SHA-256 over what an alert shows, so that a change of any of it is seen.

    What it does not have counts as if there were no such column.
    """
    had = {name: value for name, value in content.items() if value is not None}
    text = json.dumps(had, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def compare(
    findings: Findings,
    standing: Iterable[Standing],
    *,
    fingerprints: Mapping[str, str],
) -> Changes:
    """What must change so that the alerts that stand are what the rules found.

    `standing` holds the current alerts of the rules that were run (or that exist no more), and
    `fingerprints` that of each finding by its dedupe key. What a failed rule held open stays.
    """
    wanted = {finding.dedupe_key: finding for finding in findings.found}
    for rule, reason in findings.failed.items():
        failure = failure_of(rule, reason)
        wanted[failure.dedupe_key] = failure
    changes = Changes()
    for alert in standing:
        finding = wanted.pop(alert.dedupe_key, None)
        if alert.status == "cleared":
            if finding is not None:
                changes.recurred.append((alert, finding))
        elif finding is not None:
            if fingerprints[finding.dedupe_key] != alert.fingerprint:
                changes.changed.append((alert, finding))
        elif alert.origin == "failure" or alert.rule not in findings.failed:
            changes.cleared.append(alert)
    changes.opened = list(wanted.values())
    return changes
