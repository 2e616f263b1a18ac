"""The last year of a person as a small chart: where each week, month and day lies on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count
from django.db.models.functions import TruncWeek

from memory.models import CodeVersion, Fact, MemoryUser
from memory.views.axis import Label

WEEKS = 53
LEFT, WIDTH = 70.0, 1_020.0
STEP = WIDTH / WEEKS
BASE, TALL = 44.0, 36.0
MOST_VERSIONS = 200
NARROWEST_MONTH = 30.0


@dataclass(frozen=True)
class Bar:
    """A week's facts: the bar's corner and height, and the words for it."""

    x: float
    y: float
    height: float
    words: str


@dataclass(frozen=True)
class Approved:
    """The versions of the person's code that were approved in one week."""

    x: float
    count: int
    last: int
    words: str


@dataclass(frozen=True)
class Year:
    """The chart of the 53 weeks that end with today's; `x` maps a day onto it."""

    first: date
    today: date
    bars: tuple[Bar, ...]
    months: tuple[Label, ...]
    total: int
    versions: tuple[Approved, ...] = ()

    def x(self, day: date) -> float | None:
        """Where a day lies; None for one outside the year."""
        days = (day - self.first).days
        if days < 0 or day > self.today:
            return None
        return round(LEFT + days * STEP / 7, 1)


def year_of(person: MemoryUser, now: datetime) -> Year:
    """The year that ends on the person's today."""
    today = person.local_date(now)
    first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    counts = _facts_by_week(person, first)
    most = max(counts.values(), default=1)
    bars = tuple(
        _bar(week, counts[day], most, day)
        for week in range(WEEKS)
        if counts.get(day := first + timedelta(weeks=week))
    )
    return Year(
        first, today, bars, _months(first, today), sum(counts.values()), _versions(person, first)
    )


def _versions(person: MemoryUser, first: date) -> tuple[Approved, ...]:
    """The newest versions, by the week in which they were approved."""
    start = datetime(first.year, first.month, first.day, tzinfo=person.zone)
    rows = CodeVersion.objects.filter(user=person, approved_at__gte=start).order_by("-number")
    weeks: dict[int, list[int]] = {}
    for number, at in rows.values_list("number", "approved_at")[:MOST_VERSIONS]:
        weeks.setdefault((person.local_date(at) - first).days // 7, []).append(number)
    return tuple(_approved(week, numbers) for week, numbers in sorted(weeks.items()))


def _approved(week: int, numbers: list[int]) -> Approved:
    last, least = max(numbers), min(numbers)
    which = f"version {last}" if last == least else f"versions {least} to {last}"
    x = round(LEFT + week * STEP + 2, 1)
    return Approved(x, len(numbers), last, f"{which} of the code approved")


def _facts_by_week(person: MemoryUser, first: date) -> Mapping[date, int]:
    start = datetime(first.year, first.month, first.day, tzinfo=person.zone)
    weeks = (
        Fact.objects.filter(user=person, occurred_at__gte=start)
        .annotate(week=TruncWeek("occurred_at", tzinfo=person.zone))
        .values("week")
        .annotate(count=Count("seq"))
        .values_list("week", "count")
        .order_by()
    )
    return {moment.date(): count for moment, count in weeks}


def _bar(week: int, count: int, most: int, day: date) -> Bar:
    height = max(round(TALL * count / most, 1), 2.0)
    facts = "1 fact" if count == 1 else f"{count} facts"
    words = f"{facts} in the week of {day.day} {day:%b} {day.year}"
    return Bar(round(LEFT + week * STEP + 3, 1), BASE - height, height, words)


def _months(first: date, today: date) -> tuple[Label, ...]:
    labels: list[Label] = []
    for week in range(WEEKS):
        day = first + timedelta(weeks=week)
        before = day - timedelta(weeks=1)
        x = LEFT + week * STEP
        room = LEFT + WIDTH - x > NARROWEST_MONTH * 2
        if day.month != before.month and room:
            text = f"{day:%b} {day.year}" if day.month == 1 or not labels else f"{day:%b}"
            labels.append(Label(round(x, 1), text))
    return (*labels, Label(LEFT + WIDTH, "now"))
