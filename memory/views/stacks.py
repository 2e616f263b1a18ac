"""Stacked columns as numbers for SVG: one for each hour or day, a bar for each sort. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEIGHT = 96
LEAST = 2.0  # so that one among thousands is seen


@dataclass(frozen=True)
class Bar:
    """A part of a column: where it stands, and which sort it counts."""

    x: float
    y: float
    height: float
    sort: str


def stacked(x: float, counts: Mapping[str, int], sorts: Sequence[str], most: int) -> list[Bar]:
    """The bars of a column on the ground line `HEIGHT`, one upon the other in the order of `sorts`;
    a column of `most` reaches the top line."""
    bars, top = [], float(HEIGHT)
    for sort in sorts:
        if count := counts[sort]:
            height = max(LEAST, round(HEIGHT * count / most, 1))
            top = max(0.0, round(top - height, 1))
            bars.append(Bar(x, top, height, sort))
    return bars
