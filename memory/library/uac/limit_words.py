"""A spending limit and the money held against it, in words."""

from datetime import date
from decimal import Decimal
from typing import Any

from .amounts import calendar_words
from .outgoings import Outgoing
from .speakers import speaker_words
from .text import SUMMARY_LIMIT, brief_date, long_date, money, sentence, shorten

_uac_spending_listed = 8


def limit_words(limit: Any, names: dict[str, str]) -> str:
    """`the limit of $500 a month set by Dana`."""
    per = "per payment" if limit.per == "payment" else f"a {limit.per}"
    by = f" set by {shorten(speaker_words(names, limit.said_by), 24)}" if limit.said_by else ""
    if not limit.amount:
        return f"the limit of nothing at all{',' if by else ''}{by}"
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


def _uac_beyond(limit: Any, out: Outgoing, names: dict[str, str]) -> str:
    """`is $20 over the limit of $300 a month`; of a limit of 0, `conflicts with “no transfers”`."""
    idea, done = out.stage == "idea", out.stage == "done"
    if limit.amount:
        over = money((out.amount or Decimal(0)) - limit.amount, out.currency)
        verb = "would be" if idea else "was" if done else "is"
        return f"{verb} {over} over {limit_words(limit, names)}"
    verb = "would conflict" if idea else "conflicted" if done else "conflicts"
    by = f", set by {shorten(speaker_words(names, limit.said_by), 24)}" if limit.said_by else ""
    return f"{verb} with “{shorten(limit.what)}”{by}: nothing may go"


def beyond_words(limit: Any, out: Outgoing, day: date | None, names: dict[str, str]) -> str:
    """The sentence on money that is larger than the limit by itself, or that a limit of 0 forbids.

    Who ordered it, from where it comes, until when the limit holds and who else may go beyond it is
    said where there is room.
    """
    size = money(out.amount or Decimal(0), out.currency)
    when = f" {calendar_words(day, 'day')}" if day is not None else ""
    idea = ", only an idea so far," if out.stage == "idea" else ""
    others = [who for who in limit.may_exceed[:2] if who != limit.said_by]
    above = " or ".join([shorten(speaker_words(names, who), 24) for who in others])
    beyond = _uac_beyond(limit, out, names)

    def words(what: str, mover: str, source: str, tail: str) -> str:
        by = f", ordered by {mover}," if mover else ""
        place = f" from {source}" if source else ""
        return f"{what} ({size}){place}{when}{by}{idea} {beyond}{tail}"

    mover = "" if out.mover == "me" else shorten(speaker_words(names, out.mover), 24)
    source = shorten(out.source, 40)
    tail = f"; only {above} may go beyond it" if above else ""
    end = f" until {brief_date(limit.until)}" if limit.until is not None else ""
    for parts in (
        (mover, source, end + tail),
        (mover, source, tail),
        (mover, "", end + tail),
        (mover, "", tail),
        (mover, source, ""),
        ("", source, ""),
    ):
        if len(words(shorten(out.record.what), *parts)) <= SUMMARY_LIMIT:
            return sentence(words, out.record.what, *parts)
    return sentence(words, out.record.what, mover, "", "")


def outgoing_words(day: date | None, out: Outgoing, names: dict[str, str]) -> str:
    """`Rent, $900, Sunday, March 1, 2026 (scheduled, ordered by Tom)`."""
    amount = money(out.amount, out.currency) if out.amount is not None else "amount unknown"
    when = long_date(day) if day is not None else "day unknown"
    by = "" if out.sort == "charge" else f", ordered by {shorten(speaker_words(names, out.mover))}"
    agreed = [shorten(speaker_words(names, who), 40) for who in out.allowed_by[:3]]
    route = f", from {shorten(out.source, 40)}" if out.source else ""
    route += f" to {shorten(out.target, 40)}" if out.target else ""
    approved = f", approved by {' and '.join(agreed)}" if agreed else ""
    status = f"{out.record.status}{by}{approved}"
    return f"{shorten(out.record.what)}, {amount}{route}, {when} ({status})"


def spending_list(found: list[tuple[date | None, Outgoing]], names: dict[str, str]) -> str:
    """The payments in words, the first of many."""
    words = [outgoing_words(day, out, names) for day, out in found[:_uac_spending_listed]]
    more = len(found) - _uac_spending_listed
    return f"{'; '.join(words)}{f'; and {more} more' if more > 0 else ''}"
