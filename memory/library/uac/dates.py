"""Dates of which only a part is known, and spans between them.

The functions that compare never guess: the `surely_...` ones hold for every day that the words
allow, the `possibly_...` ones for at least one. What is neither is unknown, and a rule must say so.
"""

from dataclasses import dataclass
from datetime import date

from .text import _uac_months, add_months, long_date


@dataclass(frozen=True)
class PartialDate:
    """As much of a date as was said: a year, a month or a day."""

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.month is None and self.day is not None:
            raise ValueError("a day without its month is no date")
        month = 1 if self.month is None else self.month
        date(self.year, month, 1 if self.day is None else self.day)  # refuses what is no date


def earliest_day(when: "date | PartialDate") -> date:
    """The first day that the words allow."""
    if isinstance(when, PartialDate):
        return date(when.year, when.month or 1, when.day or 1)
    return when


def latest_day(when: "date | PartialDate") -> date:
    """The last day that the words allow."""
    if not isinstance(when, PartialDate):
        return when
    if when.day is not None:
        return earliest_day(when)
    # The 31st where the month has one, else the month's last day.
    return add_months(date(when.year, 1, 31), (when.month or 12) - 1)


def surely_before(first: "date | PartialDate", second: "date | PartialDate") -> bool:
    """Whether `first` lies before `second` on whatever days both were."""
    return latest_day(first) < earliest_day(second)


def surely_after(first: "date | PartialDate", second: "date | PartialDate") -> bool:
    """Whether `first` lies after `second` on whatever days both were."""
    return surely_before(second, first)


def possibly_before(first: "date | PartialDate", second: "date | PartialDate") -> bool:
    """Whether `first` may lie before `second`."""
    return earliest_day(first) < latest_day(second)


def possibly_after(first: "date | PartialDate", second: "date | PartialDate") -> bool:
    """Whether `first` may lie after `second`."""
    return possibly_before(second, first)


def possibly_same_day(first: "date | PartialDate", second: "date | PartialDate") -> bool:
    """Whether both may be the same day; sure only when both are whole dates."""
    return not surely_before(first, second) and not surely_after(first, second)


def date_words(when: "date | PartialDate") -> str:
    """`2026`, `March 2026` or `Saturday, March 21, 2026`."""
    if not isinstance(when, PartialDate):
        return long_date(when)
    if when.month is None:
        return str(when.year)
    if when.day is None:
        return f"{_uac_months[when.month - 1]} {when.year}"
    return long_date(earliest_day(when))


@dataclass(frozen=True)
class DateSpan:
    """A time with a beginning and an end, both included; None where it is open or not known."""

    start: PartialDate | None
    end: PartialDate | None
    approximate: bool = False  # the bounds were said as "about", "around"

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and surely_after(self.start, self.end):
            raise ValueError("a span cannot end before it starts")


def surely_within(day: "date | PartialDate", span: DateSpan) -> bool:
    """Whether the day lies in the span on whatever days they were; never of an approximate one."""
    if span.approximate or span.start is None or span.end is None:
        return False
    return earliest_day(day) >= latest_day(span.start) and latest_day(day) <= earliest_day(span.end)


def possibly_within(day: "date | PartialDate", span: DateSpan) -> bool:
    """Whether the day may lie in the span; always of an approximate one, whose bounds are soft."""
    if span.approximate:
        return True
    early = span.start is not None and surely_before(day, span.start)
    late = span.end is not None and surely_after(day, span.end)
    return not early and not late


def span_words(span: DateSpan) -> str:
    """`March 2026 to May 2026`, `since March 2026`, `until 2026`; `about` before a soft one."""
    about = "about " if span.approximate else ""
    if span.start is None and span.end is None:
        return "at an unknown time"
    if span.start is None or span.end is None:
        known = span.start or span.end
        words = date_words(known) if known is not None else ""
        return f"{'until' if span.start is None else 'since'} {about}{words}"
    if span.start == span.end:
        return about + date_words(span.start)
    return f"{about}{date_words(span.start)} to {date_words(span.end)}"
