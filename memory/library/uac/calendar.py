"""Which days something repeated falls on, and the stretches of time that are surely taken."""

from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import TYPE_CHECKING, Any

from .text import add_months, clock

if TYPE_CHECKING:
    from collections.abc import Iterable

_uac_day_steps = {"daily": 1, "weekdays": 1, "weekly": 7, "fortnightly": 14}
_uac_month_steps = {"monthly": 1, "quarterly": 3, "yearly": 12}
_uac_day_minutes = 1440
_uac_zero_day = date(2000, 1, 1)
_uac_most_days = 366  # of one that lasts for days with hours on each
# How surely a stretch is taken: by the clock, as whole days, or at some time in it.
BY_CLOCK = 2
WHOLE_DAYS = 1
SOME_TIME = 0


def occurs_on(
    day: date,
    on: date,
    repeats: str | None,
    repeats_until: date | None = None,
    not_on: list[date] | None = None,
) -> bool:
    """Whether something that began on `on` falls on a day.

    `repeats` is None, "daily", "weekdays" (Monday to Friday), "weekly", "fortnightly", "monthly",
    "quarterly" or "yearly". In a month without that day it falls on the month's last day: the
    31st on April 30, February 29 on the 28th; `stands_in` tells such days.
    """
    if repeats is None:
        return day == on and day not in (not_on or [])
    if day < on or (repeats_until is not None and day > repeats_until) or day in (not_on or []):
        return False
    if repeats in _uac_day_steps:
        if repeats == "weekdays":
            return day.weekday() < 5
        return (day - on).days % _uac_day_steps[repeats] == 0
    months = (day.year - on.year) * 12 + day.month - on.month
    return months % _uac_month_steps[repeats] == 0 and add_months(on, months) == day


def occurrences_between(
    on: date,
    repeats: str | None,
    first: date,
    last: date,
    repeats_until: date | None = None,
    not_on: list[date] | None = None,
) -> list[date]:
    """The days from `first` to `last`, both included, on which it falls (see `occurs_on`)."""
    if repeats is None:
        days = [on] if first <= on <= last else []
    else:
        until = last if repeats_until is None else min(last, repeats_until)
        days = _uac_repeated(on, repeats, max(first, on), until)
    return [day for day in days if day not in not_on] if not_on else days


def _uac_repeated(on: date, repeats: str, start: date, last: date) -> list[date]:
    if start > last:
        return []
    if repeats in _uac_day_steps:
        step = _uac_day_steps[repeats]
        skip = -(start - on).days % step
        count = ((last - start).days - skip) // step + 1
        days = [start + timedelta(days=skip + step * i) for i in range(max(count, 0))]
        return [day for day in days if day.weekday() < 5] if repeats == "weekdays" else days
    step = _uac_month_steps[repeats]
    lowest = (start.year - on.year) * 12 + start.month - on.month
    highest = (last.year - on.year) * 12 + last.month - on.month
    found = [add_months(on, m) for m in range(lowest + -lowest % step, highest + 1, step)]
    return [day for day in found if start <= day <= last]


def stands_in(day: date, on: date, repeats: str | None) -> bool:
    """Whether a day stands in for one that its month does not have: April 30 for the 31st."""
    return repeats in _uac_month_steps and day.day != on.day


def busy_minutes(starts_at: time | None, ends_at: time | None) -> tuple[int, int] | None:
    """The minutes that are surely taken, from the midnight that begins the day; the end excluded.

    An end before the start is on the day after. Where only one end is known, or both are the
    same, it is that one minute; where neither is, None.
    """
    if starts_at is None and ends_at is None:
        return None
    start = None if starts_at is None else starts_at.hour * 60 + starts_at.minute
    end = None if ends_at is None else ends_at.hour * 60 + ends_at.minute
    if start is None:
        end = end or _uac_day_minutes
        return end - 1, end
    if end is None or end == start:
        return start, start + 1
    return start, end if end > start else end + _uac_day_minutes


def repeat_words(repeats: str) -> str:
    """`every week` for "weekly"."""
    return {
        "daily": "every day", "weekdays": "Monday to Friday", "weekly": "every week",
        "fortnightly": "every two weeks", "monthly": "every month", "yearly": "every year",
    }[repeats]  # fmt: skip


@dataclass
class TimeStretch:
    """A time that a record takes, in minutes since a fixed midnight; the end is excluded."""

    start: int
    end: int
    level: int  # BY_CLOCK, WHOLE_DAYS or SOME_TIME
    record: Any
    day: date  # the day on which this occurrence begins


def day_of_minute(minute: int) -> date:
    """The day that a minute of a stretch belongs to."""
    return _uac_zero_day + timedelta(days=minute // _uac_day_minutes)


def clock_of_minute(minute: int) -> str:
    """The time of day of a minute of a stretch, in words."""
    rest = minute % _uac_day_minutes
    return clock(time(rest // 60, rest % 60))


def _uac_nights(record: Any) -> int:
    return 0 if record.until is None else max((record.until - record.on).days, 0)


def _uac_shape(record: Any) -> list[tuple[int, int, int]]:
    """(start, end, level) of one occurrence, in minutes from the midnight that begins its day."""
    nights = _uac_nights(record)
    whole = (nights + 1) * _uac_day_minutes
    if record.all_day:
        return [(0, whole, WHOLE_DAYS)]
    busy = busy_minutes(record.starts_at, record.ends_at)
    if busy is None:
        # One that lasts for days may begin late on the first and end early on the last.
        inner = (_uac_day_minutes, whole - _uac_day_minutes, WHOLE_DAYS)
        return [*([inner] if nights > 1 else []), (0, whole, SOME_TIME)]
    return _uac_timed_shape(busy, nights, record.starts_at is None, record.ends_at is None)


def _uac_timed_shape(
    busy: tuple[int, int], nights: int, no_start: bool, no_end: bool
) -> list[tuple[int, int, int]]:
    start, end = busy
    if nights == 0:
        return [(start, end, BY_CLOCK)]
    whole = (nights + 1) * _uac_day_minutes
    if no_start or no_end:
        at = nights * _uac_day_minutes if no_start else 0
        return [(at + start, at + end, BY_CLOCK), (0, whole, SOME_TIME)]
    # From the first start to the last end, or these hours on each day: they agree on the hours.
    days = nights + 1 if end <= _uac_day_minutes else nights
    hours = [
        (day * _uac_day_minutes + start, day * _uac_day_minutes + end, BY_CLOCK)
        for day in range(min(days, _uac_most_days))
    ]
    return [*hours, (start, whole, SOME_TIME)]


def repeats_horizon(today: date) -> date:
    """How far repeated ones are followed: to the end of the month after next.

    The end of a month, so that what is said of them does not change every day.
    """
    later = add_months(today, 3)
    return later - timedelta(days=later.day)


def _uac_far_days(records: "list[Any]", edge: date) -> list[date]:
    """The days beyond the look ahead on or just before which single ones begin."""
    single = [record.on for record in records if record.repeats is None and record.on > edge]
    days = [day for on in single for day in (on - timedelta(days=1), on)]
    return sorted({day for day in days if day > edge})


def _uac_days_of(record: Any, first: date, edge: date, far: list[date]) -> list[date]:
    if record.repeats is None:
        return [] if record.on in record.not_on else [record.on]
    on, repeats, until, but = record.on, record.repeats, record.repeats_until, record.not_on
    first -= timedelta(days=min(_uac_nights(record) + 1, 31))
    soon = occurrences_between(on, repeats, first, edge, until, but)
    return soon + [day for day in far if occurs_on(day, on, repeats, until, but)]


def stretches_ahead(records: "Iterable[Any]", today: date) -> dict[str, list[TimeStretch]]:
    """What is not over yet of each record, by its id, in minutes of the records' own clocks.

    A record has the fields `id`, `on`, `until`, `starts_at`, `ends_at`, `all_day`, `repeats`,
    `repeats_until` and `not_on`; one without `on` takes no known time. Repeated ones are followed
    to `repeats_horizon`, and beyond it on the days of single ones.
    """
    dated = [record for record in records if record.on is not None]
    edge = repeats_horizon(today)
    far = _uac_far_days(dated, edge)
    found: dict[str, list[TimeStretch]] = {}
    for record in dated:
        shape = _uac_shape(record)
        line: list[TimeStretch] = []
        for day in _uac_days_of(record, today, edge, far):
            base = (day - _uac_zero_day).days * _uac_day_minutes
            line += [TimeStretch(base + s, base + e, level, record, day) for s, e, level in shape]
        now = (today - _uac_zero_day).days * _uac_day_minutes
        found[record.id] = [stretch for stretch in line if stretch.end > now]
    return found


def meetings_in(line: "Iterable[TimeStretch]") -> list[tuple[TimeStretch, TimeStretch]]:
    """Every two stretches of different records that overlap, the earlier start first."""
    met: list[tuple[TimeStretch, TimeStretch]] = []
    running: list[TimeStretch] = []
    for new in sorted(line, key=lambda s: (s.start, s.end, s.record.id)):
        running = [old for old in running if old.end > new.start]
        met += [(old, new) for old in running if old.record.id != new.record.id]
        running.append(new)
    return met
