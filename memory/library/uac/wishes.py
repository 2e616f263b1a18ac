"""Orders, engagements and payments as one list of what is wanted or about to happen."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .calendar import occurrences_between
from .text import add_months, money

if TYPE_CHECKING:
    from collections.abc import Iterable

_uac_over = ("done", "received", "cancelled", "failed")


@dataclass
class Intended:
    """An order, engagement or payment: what it involves, for whom and how firmly."""

    record: Any
    title: str
    subjects: list[str]  # as recorded
    people: list[str]
    place: str | None
    things: list[str]
    for_whom: list[str]
    wanted_by: str | None  # of an engagement nobody says
    allowed_by: list[str]
    status: str
    open_ends: list[str]  # what of "person" and "place" nobody said
    vague: bool = False  # whether the person takes part is not said
    until: date | None = None  # the last day of one that lasts for days
    repeats: str | None = None
    repeats_until: date | None = None
    not_on: list[date] = field(default_factory=list)
    amount: Decimal | None = None  # the price of an order, the amount of a payment


def _uac_wish_of_order(one: Any) -> Intended:
    """An order as a wish."""
    return Intended(
        record=one,
        title=one.what,
        subjects=one.involves,
        people=[one.seller] if one.seller else [],
        place=None,
        things=[one.thing] if one.thing else [],
        for_whom=one.for_whom or ["me"],
        wanted_by=one.ordered_by or "me",
        allowed_by=one.allowed_by,
        status=one.status,
        open_ends=[] if one.seller else ["person"],
        amount=one.price,
    )


def _uac_wish_of_engagement(one: Any) -> Intended:
    """An engagement as a wish; where only others are named, the person may still take part."""
    return Intended(
        record=one,
        title=one.title,
        subjects=one.involves,
        people=one.people,
        place=one.place,
        things=one.things,
        for_whom=one.people or ["me"],
        wanted_by=None,
        allowed_by=one.allowed_by,
        status=one.status,
        open_ends=[] if one.place else ["place"],
        vague=bool(one.people) and "me" not in one.people,
        until=one.until,
        repeats=one.repeats,
        repeats_until=one.repeats_until,
        not_on=one.not_on,
    )


def _uac_wish_of_payment(one: Any) -> Intended:
    """A payment as a wish of the one who makes it."""
    payer = one.ordered_by or "me"
    return Intended(
        record=one,
        title=one.what,
        subjects=[one.category] if one.category else [],
        people=[one.payee] if one.payee else [],
        place=None,
        things=[],
        for_whom=[payer],
        wanted_by=payer,
        allowed_by=one.approved_by,
        status=one.status,
        open_ends=[] if one.payee else ["person"],
        amount=one.amount,
        repeats=one.repeats,
        repeats_until=one.repeats_until,
    )


def price_of_wish(wish: Intended) -> str:
    """` ($15,000)`, or nothing where no amount is recorded."""
    return f" ({money(wish.amount, wish.record.currency)})" if wish.amount is not None else ""


def first_day_of(
    wish: Intended, since: date | None, until: date | None, today: date
) -> tuple[bool, date | None]:
    """Whether the wish falls in the days from `since` to `until`, and on which of them first.

    Nothing before today counts. Without a day it falls in any days that are not over.
    """
    on = wish.record.on
    first = max(since or today, today)
    last = until or date.max
    if on is None:
        return last >= today, None
    if first > last:
        return False, None
    if wish.repeats is not None:
        return _uac_first_of_repeated(wish, on, first, last)
    day = max(on, first)
    return day <= min(max(wish.until or on, on), last), day


def _uac_first_of_repeated(
    wish: Intended, on: date, first: date, last: date
) -> tuple[bool, date | None]:
    """The first day from `first` to `last` on which an engagement or a payment comes again."""
    start = max(first, on)
    # Far enough for one that comes once a year, and for some that are left out.
    months = 60 if wish.repeats in ("monthly", "quarterly", "yearly") else 3
    near = min(last, add_months(start, months))
    days = occurrences_between(on, wish.repeats, start, near, wish.repeats_until, wish.not_on)
    return (True, days[0]) if days else (False, None)


def wishes_of(
    orders: "Iterable[Any]", engagements: "Iterable[Any]", payments: "Iterable[Any]"
) -> list[Intended]:
    """Each order, engagement and payment that is neither over nor called off, by its id."""
    wishes = [_uac_wish_of_order(one) for one in orders if one.status not in _uac_over]
    wishes += [_uac_wish_of_engagement(one) for one in engagements if one.status not in _uac_over]
    wishes += [_uac_wish_of_payment(one) for one in payments if one.status not in _uac_over]
    return sorted(wishes, key=lambda wish: wish.record.id)
