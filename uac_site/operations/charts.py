"""Bars of a chart as numbers for SVG. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.views.stacks import Bar, stacked
from uac_site.operations.figures.hours import Day, Hour

STEP = 20


@dataclass(frozen=True)
class Column:
    """An hour: its bars, and the same in words."""

    x: int
    bars: Sequence[Bar]
    words: str


@dataclass(frozen=True)
class Chart:
    """A day as columns; `most` is what the top line stands for."""

    title: str
    sorts: Sequence[str]
    totals: Sequence[tuple[str, int]]
    columns: Sequence[Column]
    most: int
    marks: Sequence[tuple[int, str]]


def chart_of(day: Day) -> Chart:
    """The chart of a day, each column as high as its hour's share of the busiest one."""
    most = max((hour.total for hour in day.hours), default=0)
    totals = [(sort, sum(hour.counts[sort] for hour in day.hours)) for sort in day.sorts]
    columns = [_column(place, hour, day.sorts, most) for place, hour in enumerate(day.hours)]
    marks = [
        (place * STEP, f"{hour.begins:%H:%M}")
        for place, hour in enumerate(day.hours)
        if hour.begins.hour % 6 == 0
    ]
    return Chart(day.what, day.sorts, totals, columns, most, marks)


def _column(place: int, hour: Hour, sorts: Sequence[str], most: int) -> Column:
    bars = stacked(place * STEP, hour.counts, sorts, most)
    said = ", ".join(f"{hour.counts[sort]:,} {sort}" for sort in sorts if hour.counts[sort])
    return Column(place * STEP, bars, f"{hour.begins:%H:%M} UTC: {said or 'none'}")
