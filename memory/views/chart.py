"""The value of a query as a chart: bars of groups, or columns or a line of a series. Pure.

Only geometry and texts: the template draws them as SVG, whose colours are the style sheet's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

from memory.querying.values import text_of
from memory.views.values import cut

FEWEST, MOST_GROUPS, MOST_POINTS, MOST_COLUMNS = 2, 30, 400, 31
WIDTH, LABELS, VALUES, ROW, BAR = 720.0, 170.0, 90.0, 24.0, 16.0
HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 240.0, 64.0, 12.0, 14.0, 26.0
LONGEST_LABEL, SHOWN_LABELS, STEPS = 26, 8, 4
IN_TIME = re.compile(r"\d{4}(-(\d{2}(-\d{2})?|W\d{2}|Q[1-4]))?")
LARGEST, SMALLEST = 1e15, 1e-300
Pair = tuple[Any, float, str]


@dataclass(frozen=True)
class Mark:
    """A bar, column or point with its texts; lengths are in units of the view box."""

    label: str
    value: str
    x: float
    y: float
    width: float
    height: float
    text_x: float
    text_y: float
    labelled: bool = True


@dataclass(frozen=True)
class Line:
    """A line of the grid at a value."""

    text: str
    at: float


@dataclass(frozen=True)
class Chart:
    """What the template draws; `path` joins the points of a line."""

    sort: Literal["bars", "columns", "line"]
    width: float
    height: float
    zero: float
    marks: tuple[Mark, ...]
    grid: tuple[Line, ...] = ()
    path: str = ""

    @property
    def about(self) -> str:
        """The chart in words, for who does not see it."""
        first, last = self.marks[0], self.marks[-1]
        return (
            f"A chart of {len(self.marks)} values, from {first.label}: {first.value}"
            f" to {last.label}: {last.value}; the table has them all."
        )


def chart_of(value: Any) -> Chart | None:
    """The chart of labelled numbers; None for what is neither groups nor a series."""
    pairs = _pairs(value)
    if len(pairs) < FEWEST:
        return None
    if _in_time([label for label, _, _ in pairs]):
        return _series(sorted(pairs, key=lambda pair: pair[0]))
    return _bars(pairs)


def _pairs(value: Any) -> list[Pair]:
    """Labels with their numbers; none where a part is anything else."""
    match value:
        case dict():
            found = list(value.items())
        case list() | tuple() if all(isinstance(one, list | tuple) for one in value):
            found = [tuple(one) for one in value]
        case list() if all(isinstance(one, dict) for one in value):
            found = [tuple(one.values()) for one in value]
        case _:
            return []
    if any(len(one) != 2 or not _is_label(one[0]) or not _is_number(one[1]) for one in found):
        return []
    labels = [text_of(label) for label, _ in found]
    if len(set(labels)) < len(labels) or len(labels) > MOST_POINTS:
        return []
    return [(label, float(number), text_of(number)) for label, number in found]


def _is_label(value: Any) -> bool:
    return isinstance(value, str | int | date) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    """Whether it is one that can be drawn: neither too large nor infinite nor NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return False
    if isinstance(value, Decimal) and value.is_nan():
        return False  # comparing would raise
    return -LARGEST <= value <= LARGEST


def _in_time(labels: Sequence[Any]) -> bool:
    """Whether the labels are numbers, days, weeks, months, quarters or years, all of one sort."""
    sorts = {type(label) for label in labels}
    if sorts <= {datetime}:
        return len({label.tzinfo is None for label in labels}) == 1
    if sorts <= {int} or sorts <= {date}:
        return True
    return sorts == {str} and all(IN_TIME.fullmatch(label) for label in labels)


def _bars(pairs: Sequence[Pair]) -> Chart | None:
    """A row for each group, the bars from zero to the right or, below it, to the left."""
    if len(pairs) > MOST_GROUPS:
        return None
    low, high = _bounds(pairs)
    room = WIDTH - LABELS - VALUES

    def place(number: float) -> float:
        return LABELS + (number - low) / (high - low) * room

    marks = []
    for row, (label, number, text) in enumerate(pairs):
        x, end = sorted((place(0), place(number)))
        y = row * ROW + (ROW - BAR) / 2
        marks.append(
            Mark(
                cut(text_of(label), LONGEST_LABEL),
                _shown(number, text),
                x=_round(x),
                y=y,
                width=_round(max(end - x, 1.0)),
                height=BAR,
                text_x=_round(end + 6),
                text_y=y + BAR - 4,
            )
        )
    return Chart("bars", WIDTH, len(pairs) * ROW, _round(place(0)), tuple(marks))


def _series(pairs: Sequence[Pair]) -> Chart:
    """Columns from zero, or where they are too many a line."""
    low, high = _bounds(pairs)
    low, high, step = _even(low, high)
    room = HEIGHT - TOP - BOTTOM

    def place(number: float) -> float:
        return TOP + (high - number) / (high - low) * room

    share = (WIDTH - LEFT - RIGHT) / len(pairs)
    every = max(1, math.ceil(len(pairs) / SHOWN_LABELS))
    marks = []
    for number, (label, value, text) in enumerate(pairs):
        top, end = sorted((place(0), place(value)))
        width = share * 0.7
        middle = LEFT + share * (number + 0.5)
        marks.append(
            Mark(
                text_of(label)[:LONGEST_LABEL],
                _shown(value, text),
                x=_round(middle - width / 2),
                y=_round(top),
                width=_round(width),
                height=_round(max(end - top, 1.0)),
                text_x=_round(middle),
                text_y=_round(place(value)),
                labelled=number % every == 0,
            )
        )
    grid = tuple(
        Line(f"{low + step * one:g}", _round(place(low + step * one)))
        for one in range(round((high - low) / step) + 1)
    )
    few = len(pairs) <= MOST_COLUMNS
    path = "" if few else "M" + " L".join(f"{one.text_x} {one.text_y}" for one in marks)
    sort: Literal["columns", "line"] = "columns" if few else "line"
    return Chart(sort, WIDTH, HEIGHT, _round(place(0)), tuple(marks), grid, path)


def _bounds(pairs: Sequence[Pair]) -> tuple[float, float]:
    """The least and the largest number, zero among them."""
    numbers = [number for _, number, _ in pairs]
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    return (low, high) if high - low > SMALLEST else (0.0, 1.0)


def _even(low: float, high: float) -> tuple[float, float, float]:
    """Bounds at whole steps of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / STEPS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough * 0.999)
    return math.floor(low / step) * step, math.ceil(high / step) * step, step


def _shown(number: float, text: str) -> str:
    """A number beside its mark, in no more than twelve letters where that does."""
    return text if len(text) <= 12 else f"{number:,.2f}" if abs(number) < 1e9 else f"{number:.3g}"


def _round(length: float) -> float:
    return round(length, 1)
