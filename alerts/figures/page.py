"""The page of figures: alerts by day, how soon they are acknowledged, how often overridden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from alerts import access
from alerts.figures.counts import (
    MOST_TIMED,
    SEVERITIES,
    DayCount,
    RuleRate,
    by_wait,
    opened_by_day,
    override_rates,
    waits,
)
from alerts.templatetags.alerts import rule_words
from memory.rights import Right
from memory.views.chart import Chart, chart_of
from memory.views.pages import staff_page
from memory.views.stacks import Bar, stacked

SPANS = (7, 30, 90)
USUAL = 30
RULES_SHOWN = 15
STEP = {7: 110, 30: 28, 90: 9}  # units from column to column
MARKS = 6  # days that are named under the columns


@dataclass(frozen=True)
class Column:
    """A day: its bars, the same in words, and its name where it stands under the chart."""

    x: int
    bars: Sequence[Bar]
    words: str
    name: str


@dataclass(frozen=True)
class DayChart:
    """The days as columns; `most` is what the top line stands for."""

    columns: Sequence[Column]
    most: int
    step: int

    @property
    def bar(self) -> int:
        """How wide a column is drawn."""
        return min(self.step * 4 // 5, 40)

    @property
    def width(self) -> int:
        """Of all columns together."""
        return len(self.columns) * self.step


@dataclass(frozen=True)
class Waited:
    """How long alerts waited until somebody acknowledged them."""

    counts: Sequence[tuple[str, int]]
    total: int
    half: timedelta | None
    most: timedelta | None

    @property
    def capped(self) -> bool:
        """Whether there may be more than were timed."""
        return self.total == MOST_TIMED


@require_safe
@staff_page(Right.ALERTS_READ)
def figures_page(request: HttpRequest) -> HttpResponse:
    """Three charts, each with its table, over `?days=` 7, 30 or 90."""
    days, now = _days(request.GET.get("days", "")), timezone.now()
    events = access.events(request.user)
    opened = opened_by_day(events, days=days, now=now)
    waited = _waited(waits(events, days=days, now=now))
    rates = override_rates(events, days=days, now=now)
    context = {
        "days": days,
        "spans": SPANS,
        "sorts": SEVERITIES,
        "opened": [day for day in reversed(opened) if day.total],
        "totals": [(sort, sum(day.counts[sort] for day in opened)) for sort in SEVERITIES],
        "chart": day_chart(opened),
        "waited": waited,
        "waited_chart": chart_of(dict(waited.counts)) if waited.total else None,
        "rates": rates[:RULES_SHOWN],
        "more_rates": max(0, len(rates) - RULES_SHOWN),
        "rates_chart": _rates_chart(rates[:RULES_SHOWN]),
    }
    return render(request, "alerts/figures.html", context)


def day_chart(opened: Sequence[DayCount]) -> DayChart:
    """The chart of so many days, each column as high as its day's share of the busiest one."""
    most = max((day.total for day in opened), default=0)
    step = STEP[len(opened)]
    every = max(1, len(opened) // MARKS)
    last = len(opened) - 1
    columns = [
        Column(
            place * step,
            stacked(place * step, day.counts, SEVERITIES, most),
            _words(day),
            f"{day.day.day} {day.day:%b}" if (last - place) % every == 0 else "",
        )
        for place, day in enumerate(opened)
    ]
    return DayChart(columns, most, step)


def _words(day: DayCount) -> str:
    said = ", ".join(
        f"{day.counts[one]:,} {one}" for one in reversed(SEVERITIES) if day.counts[one]
    )
    return f"{day.day.day} {day.day:%b %Y}: {said or 'none'}"


def _waited(waited: Sequence[timedelta]) -> Waited:
    half = waited[(len(waited) - 1) // 2] if waited else None
    most = waited[-(-len(waited) * 95 // 100) - 1] if waited else None
    return Waited(by_wait(waited), len(waited), half, most)


def _rates_chart(rates: Sequence[RuleRate]) -> Chart | None:
    return chart_of({rule_words(one.rule): one.percent for one in rates})


def _days(asked: str) -> int:
    """A span that there is; whatever else is asked for is the usual one."""
    return next((days for days in SPANS if str(days) == asked), USUAL)
