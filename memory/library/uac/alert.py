"""What a rule returns."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any


@dataclass
class Alert:
    """One finding of a rule, resting on records of the state."""

    severity: str  # "info", "warning" or "critical"
    summary: str  # the rule's sentence, at most 140 characters
    evidence: list[Any]  # the records it rests on, in reading order
    detail: str = ""  # effect and reason, at most 2,000 characters
    grade: str = ""  # "exact", "same class", "cross-reactive", "not checked" or ""
    basis: list[str] = field(default_factory=list)  # ids of the reference-table rows used
    unknown: list[str] = field(default_factory=list)  # what is not known, in words
    action: str = ""  # one suggested action
    key: str = ""  # tells apart two alerts of one rule over the same evidence
    # The last day to act. How many days are left is added where the alert is shown: text that
    # counted them would be another alert every day.
    due: date | None = None
