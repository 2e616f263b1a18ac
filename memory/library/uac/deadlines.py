"""Days that are counted from another day, and how long before a day to speak of it."""

from datetime import date, timedelta

from .text import _uac_count, add_months

_uac_least_lead = 3
_uac_most_lead = 30


def _uac_shifted(day: date, days: int) -> date:
    # Stays within the dates Python can hold.
    if days > (date.max - day).days:
        return date.max
    if -days > (day - date.min).days:
        return date.min
    return day + timedelta(days=days)


def day_from(anchor: date, months: int = 0, days: int = 0) -> date:
    """The day `months` and then `days` after the anchor; below zero, before it.

    One month after January 31 is the last day of February: where the month has no such day, its
    last day counts. Stays within the dates Python can hold.
    """
    return _uac_shifted(add_months(anchor, months), days)


def lead_days(start: date | None, due: date) -> int:
    """How many days before `due` to begin to speak of it: a third of the time from `start` to it.

    At least 3 and at most 30 days. The most also where nobody said when the time began: a word
    too early costs less than one too late.
    """
    if start is None:
        return _uac_most_lead
    return min(max((due - start).days // 3, _uac_least_lead), _uac_most_lead)


def lead_from(start: date | None, due: date) -> date:
    """The first day on which to speak of `due`, see `lead_days`."""
    return _uac_shifted(due, -lead_days(start, due))


def period_words(what: str, months: int = 0, days: int = 0) -> str:
    """`30 days after delivery`, `2 months and 5 days before the move`, `the day of the move`."""
    if not months and not days:
        return f"the day of {what}"
    side = "after" if (months or days) > 0 else "before"
    first, second = _uac_count(abs(months), "month"), _uac_count(abs(days), "day")
    if not months or not days:
        return f"{first if months else second} {side} {what}"
    if (months > 0) == (days > 0):
        return f"{first} and {second} {side} {what}"
    return f"{first} {side} {what}, less {second}"
