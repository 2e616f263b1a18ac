"""When a pregnancy is over, and which drugs are taken in it."""

from datetime import date, timedelta
from typing import Any

from .dates import latest_day
from .taking import Taking

_uac_overdue_days = 28  # so long after the due date one that is still recorded may be over


def pregnancy_is_over(pregnancy: Any, today: date) -> bool:
    """Whether it ended; the last day itself is the first day after."""
    ended = pregnancy.ended_on is not None and pregnancy.ended_on <= today
    return bool(pregnancy.status == "ended" or ended)


def birth_due_by(pregnancy: Any) -> date | None:
    """The day on which it is due; where only the month was said, the last day of that."""
    day: date | None = pregnancy.due_on
    if day is None and pregnancy.due_in is not None:
        return latest_day(pregnancy.due_in)
    return day


def pregnancy_is_overdue(pregnancy: Any, today: date) -> bool:
    """Whether it should have ended by now."""
    due = birth_due_by(pregnancy)
    late = due is not None and today > due + timedelta(days=_uac_overdue_days)
    return bool(late and pregnancy.status == "pregnant")


def _uac_last_pregnant_day(pregnancy: Any) -> date:
    """The day on which it ends as far as anybody said; the last of all days where nobody did."""
    due = birth_due_by(pregnancy)
    if pregnancy.status == "pregnant" and due is not None:
        return due + timedelta(days=_uac_overdue_days)
    ended: date | None = pregnancy.ended_on
    return ended or date(9999, 12, 31)


def taken_in_pregnancy(taking: Taking, pregnancy: Any) -> bool:
    """Whether the drug is taken on a day of the pregnancy that still lies ahead."""
    since = pregnancy.since
    begun = since is None or taking.last >= latest_day(since)
    return not taking.over and begun and taking.first <= _uac_last_pregnant_day(pregnancy)
