"""Words for dates, times, money and spans, and sentences that fit their limit."""

import unicodedata
from datetime import date, time
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Spelt out rather than taken from strftime, which follows the process's locale.
_uac_weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_uac_months = [
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
]  # fmt: skip
_uac_signs = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_uac_joiners = "\u200c\u200d"
SUMMARY_LIMIT = 140


def long_date(day: date) -> str:
    """`Tuesday, January 21, 2025`."""
    weekday = _uac_weekdays[day.weekday()]
    return f"{weekday}, {_uac_months[day.month - 1]} {day.day}, {day.year}"


def brief_date(day: date) -> str:
    """`January 21, 2025`, for a sentence that has no room for the weekday."""
    return f"{_uac_months[day.month - 1]} {day.day}, {day.year}"


def day_span(first: date, last: date) -> str:
    """`March 3 to 7, 2026`, `March 30 to April 2, 2026`, `December 30, 2025 to January 2, 2026`."""
    start, end = f"{_uac_months[first.month - 1]} {first.day}", f"{last.day}, {last.year}"
    if first.year != last.year:
        start += f", {first.year}"
    if (first.year, first.month) != (last.year, last.month):
        end = f"{_uac_months[last.month - 1]} {end}"
    return f"{start} to {end}"


def clock(moment: time) -> str:
    """`2:00 PM`."""
    half = "AM" if moment.hour < 12 else "PM"
    return f"{(moment.hour + 11) % 12 + 1}:{moment.minute:02d} {half}"


def money(amount: Decimal, currency: str = "USD") -> str:
    """`$5,000`, `-$5.50`, `5,000 CHF`: cents only where there are any."""
    places = "0" if currency == "JPY" else "2"
    digits = f"{abs(amount):,.0f}" if places == "0" else f"{abs(amount):,.2f}"
    digits = digits.removesuffix(".00")
    minus = "-" if amount < 0 and digits.strip("0.,") else ""
    sign = _uac_signs.get(currency)
    return f"{minus}{sign}{digits}" if sign else f"{minus}{digits} {currency}"


def _uac_month_end(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def add_months(day: date, months: int) -> date:
    """The same day `months` later; the month's last day where that day does not exist.

    Stays within the dates Python can hold.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    if year > 9999:
        return date(9999, 12, 31)
    if year < 1:
        return date(1, 1, 1)
    return date(year, month, min(day.day, _uac_month_end(year, month)))


def _uac_count(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


def _uac_span(start: date, end: date) -> str:
    days = (end - start).days
    if days < 60:
        return _uac_count(days, "day")
    months = (end.year - start.year) * 12 + end.month - start.month
    if add_months(start, months) > end:
        months -= 1
    exact = add_months(start, months) == end
    # The nearer whole month: past its middle the next one is closer.
    if not exact and (end - add_months(start, months)).days > 15:
        months += 1
    if months % 12 == 0:
        words = _uac_count(months // 12, "year")
    elif months > 24:
        exact = False
        words = _uac_count((months + 6) // 12, "year")
    else:
        words = _uac_count(months, "month")
    return words if exact else f"about {words}"


def gap(first: date, second: date) -> str:
    """How `first` lies to `second`: `6 days before`, `the same day`, `about 3 months after`."""
    if first == second:
        return "the same day"
    if first < second:
        return f"{_uac_span(first, second)} before"
    return f"{_uac_span(second, first)} after"


def _uac_visible(character: str) -> bool:
    # Control and direction characters could reorder or hide the sentence around a name.
    return character in _uac_joiners or unicodedata.category(character) not in ("Cc", "Cf", "Cs")


def shorten(text: str, limit: int = 60) -> str:
    """The text on one line, cut with an ellipsis to at most `limit` characters."""
    if not (text.isascii() and text.isprintable()):
        text = "".join([c if _uac_visible(c) else " " for c in text])
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: max(limit - 1, 0)].rstrip() + "…"


def sentence(make: "Callable[..., str]", *names: str) -> str:
    """`make(*names)` with the names shortened until the sentence fits a summary.

    Begins with a capital letter.
    """
    text = ""
    for limit in (140, 80, 60, 52, 44, 39, 34, 30, 26, 23, 20, 17, 14, 11, 9):
        text = make(*[shorten(name, limit) for name in names])
        if len(text) <= SUMMARY_LIMIT:
            break
    text = shorten(text, SUMMARY_LIMIT)
    return (text[:1].upper() + text[1:])[:SUMMARY_LIMIT]


def fullest(versions: "Sequence[Callable[..., str]]", *names: str) -> str:
    """The first of these sentences that fits a summary with its names whole, else the last one.

    `versions` say less and less; names are shortened in the last one only (see `sentence`).
    """
    for make in versions:
        text = make(*[shorten(name, SUMMARY_LIMIT) for name in names])
        if len(text) <= SUMMARY_LIMIT:
            return text[:1].upper() + text[1:]
    return sentence(versions[-1], *names)
