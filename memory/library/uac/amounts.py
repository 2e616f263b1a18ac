"""Days on which money moves again and again, and the calendar periods over which it is summed."""

from datetime import date, timedelta

from .text import _uac_months, add_months, long_date

_uac_payment_months = {"monthly": 1, "quarterly": 3, "yearly": 12}
_uac_payment_days = {"weekly": 7, "fortnightly": 14}


def _uac_steps_before(first: date, repeats: str, day: date) -> int:
    # How many steps surely lie before `day`: the next ones are tried one by one.
    if repeats in _uac_payment_days:
        return max((day - first).days // _uac_payment_days[repeats], 0)
    months = (day.year - first.year) * 12 + day.month - first.month
    return max(months // _uac_payment_months[repeats] - 1, 0)


def _uac_payment_day(first: date, repeats: str, step: int) -> date:
    if repeats in _uac_payment_months:
        # Always from the first day: after February the 31st is the 31st again.
        return add_months(first, step * _uac_payment_months[repeats])
    days = step * _uac_payment_days[repeats]
    return first + timedelta(days=days) if days <= (date.max - first).days else date.max


def payment_days(
    first: date, repeats: str | None, until: date | None, start: date, end: date, most: int = 400
) -> list[date]:
    """The days from `start` to `end`, both included, on which it falls, in order, at most `most`.

    `first` is its first day, `repeats` one of `weekly`, `fortnightly`, `monthly`, `quarterly`,
    `yearly`, or None for once; `until` the last day on which it may fall. What began on the 31st
    falls on the last day of shorter months, what began on February 29 on the 28th of other years.
    """
    last = end if until is None else min(end, until)
    if repeats is None:
        # A last day says nothing of what happens once.
        return [first] if start <= first <= end else []
    days: list[date] = []
    step = _uac_steps_before(first, repeats, start)
    day = _uac_payment_day(first, repeats, step)
    while day <= last and len(days) < most:
        if day >= start:
            days.append(day)
        step += 1
        following = _uac_payment_day(first, repeats, step)
        if following <= day:
            break  # the end of the calendar
        day = following
    return days


def first_payment_day(
    first: date, repeats: str | None, until: date | None, start: date
) -> date | None:
    """The first of its days that is not before `start`; None when there is none."""
    days = payment_days(first, repeats, until, start, date.max, 1)
    return days[0] if days else None


def calendar_bounds(day: date, per: str) -> tuple[date, date]:
    """The first and last day of the calendar `day`, `week` (Monday to Sunday), `month` or `year`.

    Any other word is taken as a day.
    """
    if per == "week":
        monday = day - timedelta(days=min(day.weekday(), (day - date.min).days))
        return monday, monday + timedelta(days=min(6, (date.max - monday).days))
    if per == "month":
        first = date(day.year, day.month, 1)
        return first, add_months(date(day.year, 1, 31), day.month - 1)
    if per == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    return day, day


def calendar_words(day: date, per: str) -> str:
    """`on Friday, March 6, 2026`, `in the week of Monday, March 2, 2026`, `in March 2026`."""
    first = calendar_bounds(day, per)[0]
    if per == "week":
        return f"in the week of {long_date(first)}"
    if per == "month":
        return f"in {_uac_months[first.month - 1]} {first.year}"
    return f"in {first.year}" if per == "year" else f"on {long_date(first)}"
