"""Alerts as text that two sides can compare byte by byte: the server and an exported project."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date

SEVERITIES = ("critical", "warning", "info")


@dataclass(frozen=True)
class CanonicalAlert:
    """What a rule found; `evidence` holds the kind and the id of each record it rests on."""

    severity: str
    summary: str
    rule: str
    detail: str = ""
    grade: str = ""
    action: str = ""
    basis: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    evidence: tuple[tuple[str, str], ...] = ()
    due: date | None = None

    @property
    def line(self) -> str:
        """One line of JSON in ASCII, the names in the order above."""
        evidence = [{"kind": kind, "id": record_id} for kind, record_id in self.evidence]
        due = self.due.isoformat() if self.due else None
        return json.dumps({**asdict(self), "evidence": evidence, "due": due}, separators=(",", ":"))


def canonical_text(alerts: Iterable[CanonicalAlert]) -> str:
    """The alerts, a line each: the gravest first, then by rule, then by the line itself."""
    ordered = sorted(
        alerts, key=lambda alert: (SEVERITIES.index(alert.severity), alert.rule, alert.line)
    )
    return "".join(f"{alert.line}\n" for alert in ordered)
