"""How grave what waits for a person is: a rank to sort by, the gravest first. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

DANGERS = ("critical", "warning", "info", "none")
"""A rank is a place in this row; `none`: no alert comes of it."""
NONE = len(DANGERS) - 1


def gravest(severities: Iterable[str]) -> int:
    """The rank of the gravest of these severities."""
    return min((DANGERS.index(one) for one in severities if one in DANGERS), default=NONE)


def counted(findings: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many of these findings there are of each severity, the gravest first."""
    counts = Counter(one["severity"] for one in findings)
    return {one: counts[one] for one in DANGERS if counts[one]}
