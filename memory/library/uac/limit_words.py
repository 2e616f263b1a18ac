"""A spending limit and the money held against it, in words."""

from datetime import date
from typing import Any

from .outgoings import Outgoing
from .speakers import speaker_words
from .text import long_date, money, shorten

_uac_spending_listed = 8


def limit_words(limit: Any, names: dict[str, str]) -> str:
    """`the limit of $500 a month set by Dana`."""
    per = "per payment" if limit.per == "payment" else f"a {limit.per}"
    by = f" set by {shorten(speaker_words(names, limit.said_by), 24)}" if limit.said_by else ""
    return f"the limit of {money(limit.amount, limit.currency)} {per}{by}"


def limit_terms(limit: Any, names: dict[str, str]) -> str:
    """Who set the limit, from when to when, whom it binds, why, and who may go beyond it."""
    most = limit_words(limit, names).removeprefix("the limit of ")
    parts = [f"The limit: {shorten(limit.what)}, {most}"]
    if limit.since is not None:
        parts.append(f"in force since {long_date(limit.since)}")
    if limit.until is not None:
        parts.append(f"until {long_date(limit.until)}")
    if limit.binds is not None:
        parts.append(f"for {shorten(speaker_words(names, limit.binds), 40)}")
    if limit.reason:
        parts.append(f"because of: {shorten(limit.reason, 120)}")
    above = [shorten(speaker_words(names, who), 40) for who in limit.may_exceed[:4]]
    return f"{', '.join(parts)}. May go beyond it: {' or '.join(above) or 'nobody on record'}."


def outgoing_words(day: date | None, out: Outgoing, names: dict[str, str]) -> str:
    """`Rent, $900, Sunday, March 1, 2026 (scheduled, ordered by Tom)`."""
    amount = money(out.amount, out.currency) if out.amount is not None else "amount unknown"
    when = long_date(day) if day is not None else "day unknown"
    by = "" if out.sort == "charge" else f", ordered by {shorten(speaker_words(names, out.mover))}"
    agreed = [shorten(speaker_words(names, who), 40) for who in out.allowed_by[:3]]
    approved = f", approved by {' and '.join(agreed)}" if agreed else ""
    return f"{shorten(out.record.what)}, {amount}, {when} ({out.record.status}{by}{approved})"


def spending_list(found: list[tuple[date | None, Outgoing]], names: dict[str, str]) -> str:
    """The payments in words, the first of many."""
    words = [outgoing_words(day, out, names) for day, out in found[:_uac_spending_listed]]
    more = len(found) - _uac_spending_listed
    return f"{'; '.join(words)}{f'; and {more} more' if more > 0 else ''}"
