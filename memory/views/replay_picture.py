"""The replay of a proposal's rules as a picture: what each would have held open, and when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from memory.views.axis import Axis, Label
from memory.views.values import cut, day_words

LEFT, RIGHT = 165.0, 750.0
ROW, PAD, TOP, BELOW = 14.0, 8.0, 6.0, 26.0
NARROWEST = 7.0
MOST_LANES = 12
MOST_ROWS = 8  # of one rule before, or now
LONGEST_NAME = 22


@dataclass(frozen=True)
class ReplayStep:
    """What the rules would have said once a fact was recorded; without one, today."""

    seq: int | None
    on: date
    opened: tuple[Mapping[str, Any], ...]
    cleared: tuple[Mapping[str, Any], ...]
    gone: tuple[Mapping[str, Any], ...]
    more: int
    left_out: int


@dataclass(frozen=True)
class Span:
    """A finding from the day it opened to the day it cleared; None: it stands today."""

    finding: Mapping[str, Any]
    opened: date
    cleared: date | None


@dataclass(frozen=True)
class Bar:
    """A span as it is drawn; `fact` is the newest that it rests on."""

    x: float
    y: float
    width: float
    severity: str
    stands: bool
    before: bool
    words: str
    fact: int | None


@dataclass(frozen=True)
class Lane:
    """What one rule would have held open, and what it did; `more` spans have no room."""

    rule: str
    y: float
    height: float
    bars: tuple[Bar, ...]
    more: int
    both: bool
    middle: float


@dataclass(frozen=True)
class ReplayPicture:
    """A lane for each rule over the days of the log; `more` rules have no lane."""

    lanes: tuple[Lane, ...]
    labels: tuple[Label, ...]
    height: float
    more: int
    words: str

    @property
    def compares(self) -> bool:
        """Whether something of the rules that are there now is drawn."""
        return any(bar.before for lane in self.lanes for bar in lane.bars)


def picture_of(
    now: Sequence[ReplayStep], before: Sequence[ReplayStep] = ()
) -> ReplayPicture | None:
    """The spans of the rules as proposed, and of those that they would replace; None without any.

    The steps are in order and end today.
    """
    proposed, had = _by_rule(now), _by_rule(before)
    rules = sorted({*proposed, *had}, key=lambda rule: (-_weight(rule, proposed, had), rule))
    if not rules:
        return None
    today = now[-1].on
    days = [one.opened for spans in (*proposed.values(), *had.values()) for one in spans]
    axis = Axis(min(*days, today - timedelta(days=1)), today, LEFT, RIGHT)
    lanes, y = [], TOP
    for rule in rules[:MOST_LANES]:
        lane = _lane(rule, axis, y, proposed.get(rule, []), had.get(rule, []))
        lanes.append(lane)
        y += lane.height
    count = sum(map(len, proposed.values()))
    words = f"{count} {'alert' if count == 1 else 'alerts'} over the past log"
    more = max(len(rules) - MOST_LANES, 0)
    return ReplayPicture(tuple(lanes), axis.labels(), y + BELOW, more, words)


def _weight(rule: str, *spans: Mapping[str, Sequence[Span]]) -> int:
    return sum(len(some.get(rule, ())) for some in spans)


def _by_rule(steps: Sequence[ReplayStep]) -> dict[str, list[Span]]:
    """The spans of each rule in the order in which they opened."""
    found: dict[str, list[Span]] = defaultdict(list)
    standing: dict[str, tuple[Mapping[str, Any], date]] = {}
    for step in steps:
        for one in step.cleared:
            finding, opened = standing.pop(one["key"], (one, steps[0].on))
            found[finding["rule"]].append(Span(finding, opened, step.on))
        for one in step.opened:
            standing[one["key"]] = one, step.on
    for finding, opened in standing.values():
        found[finding["rule"]].append(Span(finding, opened, None))
    return {rule: sorted(spans, key=lambda one: one.opened) for rule, spans in found.items()}


def _lane(rule: str, axis: Axis, y: float, now: Sequence[Span], before: Sequence[Span]) -> Lane:
    rows, more = _rows(now, axis)
    old_rows, old_more = _rows(before, axis)
    middle = y + PAD / 2 + ROW * len(rows)
    bars = [
        *_bars(rows, axis, y + PAD / 2, before=False),
        *_bars(old_rows, axis, middle, before=True),
    ]
    height = PAD + ROW * max(len(rows) + len(old_rows), 1)
    both = bool(rows and old_rows)
    return Lane(cut(rule, LONGEST_NAME), y, height, tuple(bars), more + old_more, both, middle)


def _rows(spans: Sequence[Span], axis: Axis) -> tuple[list[list[Span]], int]:
    """The spans in as few rows as hold them beside each other, and how many find no row."""
    rows: list[list[Span]] = []
    more = 0
    for span in spans:
        start, _ = _ends(span, axis)
        free = next((row for row in rows if sum(_ends(row[-1], axis)) + 2 <= start), None)
        if free is not None:
            free.append(span)
        elif len(rows) < MOST_ROWS:
            rows.append([span])
        else:
            more += 1
    return rows, more


def _ends(span: Span, axis: Axis) -> tuple[float, float]:
    """Where a span begins, and how wide it is drawn."""
    start = min(axis.x(span.opened), axis.right - NARROWEST)
    end = axis.x(span.cleared) if span.cleared else axis.right
    return start, round(max(end - start, NARROWEST), 1)


def _bars(rows: Sequence[Sequence[Span]], axis: Axis, top: float, *, before: bool) -> Iterator[Bar]:
    for place, row in enumerate(rows):
        for span in row:
            x, width = _ends(span, axis)
            facts = [seq for one in span.finding["evidence"] for seq in one["facts"]]
            yield Bar(
                x=x,
                y=top + ROW * place + 2,
                width=width,
                severity=span.finding["severity"],
                stands=span.cleared is None,
                before=before,
                words=_words(span, before=before),
                fact=max(facts, default=None),
            )


def _words(span: Span, *, before: bool) -> str:
    until = f"to {day_words(span.cleared)}" if span.cleared else "and stands today"
    whose = "as the rule is now" if before else "as proposed"
    said = cut(str(span.finding["summary"]), 200)
    return f"{span.finding['severity']}: {said}, from {day_words(span.opened)} {until}, {whose}"
