"""Figures, bounds and tables; no database and no clock here."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

MILLI = 1_000


def p50(seconds: Iterable[float]) -> float:
    """The median. Raises statistics.StatisticsError where nothing was measured."""
    return statistics.median(seconds)


def p95(seconds: Iterable[float]) -> float:
    """The value that one measurement in twenty exceeds."""
    return _exceeded_by(5, seconds)


def p99(seconds: Iterable[float]) -> float:
    """The value that one measurement in a hundred exceeds."""
    return _exceeded_by(1, seconds)


def _exceeded_by(percent: int, seconds: Iterable[float]) -> float:
    ordered = sorted(seconds)
    return ordered[max(0, -(-len(ordered) * (100 - percent) // 100) - 1)]


def ratio(value: float, reference: float) -> float:
    """How many times the reference a value is."""
    return value / reference


def ms(seconds: float) -> str:
    """Seconds as milliseconds with two decimals."""
    return f"{seconds * MILLI:.2f}"


def in_order(names: Sequence[str], number: int) -> list[str]:
    """The names, each round beginning with the next, so that none always follows the same one."""
    start = number % len(names)
    return [*names[start:], *names[:start]]


@dataclass(frozen=True)
class Bound:
    """A figure and the limit it must keep; `at_least` where more is better."""

    what: str
    figure: float
    limit: float
    unit: str = ""
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the figure keeps the limit; a figure that is not a number does not."""
        return self.figure >= self.limit if self.at_least else self.figure <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        missed = "" if self.holds else " MISSED"
        return (
            f"{self.what} {_number(self.figure)}{self.unit} ({sign} {_number(self.limit)}){missed}"
        )


def _number(value: float) -> str:
    whole = value == int(value) if abs(value) < 1e15 else False
    return f"{int(value):,}" if whole or abs(value) >= 1_000 else f"{value:.2f}"


def none_of(what: str, count: int) -> Bound:
    """Something that must not be, not once."""
    return Bound(what, float(count), 0.0)


@dataclass
class Result:
    """What one benchmark found on one database."""

    bounds: list[Bound] = field(default_factory=list)
    said: str = ""  # what it comes to in words, where that says more than figures

    @property
    def holds(self) -> bool:
        """Whether there are bounds and every one is kept."""
        return bool(self.bounds) and all(bound.holds for bound in self.bounds)

    @property
    def line(self) -> str:
        """Every figure that has a bound, in a line, and what it comes to at its end."""
        return ". ".join(filter(None, (", ".join(map(str, self.bounds)), self.said)))

    def as_json(self) -> dict[str, Any]:
        """For the process that gathers the results of several databases."""
        return asdict(self)

    @classmethod
    def from_json(cls, result: dict[str, Any]) -> Result:
        """What `as_json` wrote."""
        return cls([Bound(**bound) for bound in result["bounds"]], result["said"])


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A plain table: the first column to the left, figures to the right."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = []
    for row in cells:
        first, *rest = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *rest]).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
