"""How much time is left to act on an alert, in words. Pure.

A rule names the last day; how far it is depends on the day of whoever looks, and so is no part of
the alert: nothing opens again because a night has passed.
"""

from __future__ import annotations

from datetime import date


def time_left(due: date | None, today: date) -> str:
    """`3 days left`, `last day`, `1 day overdue`; empty where no day is named."""
    if due is None:
        return ""
    days = (due - today).days
    if days == 0:
        return "last day"
    count = f"{abs(days):,} day{'' if abs(days) == 1 else 's'}"
    return f"{count} left" if days > 0 else f"{count} overdue"
