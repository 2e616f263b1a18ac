"""Days on a line: where each lies, which of them are named under it, and room between marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

LABEL_ROOM = 64.0
DAYS_A_STEP = (1, 2, 7, 14)
MONTHS_A_STEP = (1, 2, 3, 6, 12, 24, 60, 120)


@dataclass(frozen=True)
class Label:
    """A word under a line."""

    x: float
    text: str


@dataclass(frozen=True)
class Axis:
    """The days from `first` to `last` on a line from `left` to `right`, in units of the picture."""

    first: date
    last: date
    left: float
    right: float

    def x(self, day: date) -> float:
        """Where a day lies; one outside lies at the nearer end."""
        days = max((self.last - self.first).days, 1)
        part = min(max((day - self.first).days / days, 0.0), 1.0)
        return round(self.left + part * (self.right - self.left), 1)

    def labels(self) -> tuple[Label, ...]:
        """Days or months by their names, with room between them."""
        if self.first == self.last:
            return (Label(self.left, _day(self.first)),)
        for days, marks in self._steps():
            gap = days * (self.right - self.left) / (self.last - self.first).days
            if gap >= LABEL_ROOM:
                return tuple(Label(self.x(day), words) for day, words in marks)
        return (Label(self.left, _day(self.first)),)

    def _steps(self) -> Iterator[tuple[int, list[tuple[date, str]]]]:
        """Ever fewer marks: the days at least between two of them, and each with its words."""
        for step in DAYS_A_STEP:
            count = (self.last - self.first).days // step + 1
            days = [self.first + timedelta(days=step * n) for n in range(min(count, 100))]
            yield step, [(day, _day(day)) for day in days]
        for step in MONTHS_A_STEP:
            yield 28 * step, list(self._months(step))

    def _months(self, step: int) -> Iterator[tuple[date, str]]:
        number = self.first.year * 12 + self.first.month - 1
        number += -number % step
        named = False
        while (day := date(number // 12, number % 12 + 1, 1)) <= self.last:
            if day >= self.first:
                yield day, f"{day:%b} {day.year}" if day.month == 1 or not named else f"{day:%b}"
                named = True
            number += step


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"


def spread(places: Sequence[float], *, gap: float, right: float) -> list[float]:
    """The places in order, moved apart until `gap` lies between any two, none beyond `right`.

    Where there is not room for all, those on the left stand closer together.
    """
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + gap) if moved else place)
    for at in reversed(range(len(moved))):
        end = right if at + 1 == len(moved) else moved[at + 1] - gap
        moved[at] = min(moved[at], end)
    return [round(place, 1) for place in moved]
