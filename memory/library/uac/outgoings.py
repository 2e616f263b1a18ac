"""Payments, charges and orders as one list of money that goes, each sum of money counted once."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

# Failed, cancelled and refunded money has not gone.
_uac_payment_stages = {
    "considering": "idea", "planned": "ahead", "scheduled": "ahead", "done": "done",
}  # fmt: skip
_uac_order_stages = {
    "considering": "idea", "planned": "ahead", "ordered": "ahead", "received": "done",
}  # fmt: skip
_uac_charge_stages = {"announced": "ahead", "charged": "done"}
_uac_same_money_days = 31


@dataclass(frozen=True)
class Outgoing:
    """A payment, a charge or an order (`record`) as money that goes."""

    sort: str  # "payment", "charge" or "order"
    record: Any
    stage: str  # "idea", "ahead" or "done"
    day: date | None  # of what is repeated, the first
    amount: Decimal | None
    currency: str
    mover: str  # who orders it; of a charge, who holds the account; "me" is the person
    account: str | None  # that it comes from
    payee: str | None
    subjects: list[str]  # what it is for, with every wider subject
    allowed_by: list[str]
    repeats: str | None = None
    until: date | None = None
    source: str = ""  # what the account is called that it comes from
    target: str = ""  # and the one that it goes to


def _uac_wider(found: "Iterable[str]", parents: "dict[str, str | None]") -> list[str]:
    # Each once, even where subjects are part of each other in a circle.
    every: list[str] = []
    for one in found:
        at: str | None = one
        while at is not None and at not in every:
            every.append(at)
            at = parents.get(at)
    return every


def _uac_paid(one: Any, parents: "dict[str, str | None]", sources: dict[str, str]) -> Outgoing:
    return Outgoing(
        sort="payment",
        record=one,
        stage=_uac_payment_stages[one.status],
        day=one.on,
        amount=one.amount,
        currency=one.currency,
        mover=one.ordered_by or "me",
        account=one.from_account,
        payee=one.payee,
        subjects=_uac_wider([one.category] if one.category else [], parents),
        allowed_by=one.approved_by,
        repeats=one.repeats,
        until=one.repeats_until,
        source=sources.get(one.from_account or "", ""),
        target=sources.get(one.to_account or "", ""),
    )


def _uac_charged(one: Any, holders: "dict[str, str | None]", sources: dict[str, str]) -> Outgoing:
    return Outgoing(
        sort="charge",
        record=one,
        stage=_uac_charge_stages[one.status],
        day=one.on,
        amount=one.amount,
        currency=one.currency,
        mover=holders.get(one.account) or "me",
        account=one.account,
        payee=one.payee,
        subjects=[],
        allowed_by=[],
        source=sources.get(one.account or "", ""),
    )


def _uac_ordered(one: Any, parents: "dict[str, str | None]") -> Outgoing:
    return Outgoing(
        sort="order",
        record=one,
        stage=_uac_order_stages[one.status],
        day=one.on,
        amount=one.price,
        currency=one.currency,
        mover=one.ordered_by or "me",
        account=None,
        payee=one.seller,
        subjects=_uac_wider(one.involves, parents),
        allowed_by=one.allowed_by,
    )


def outgoings(
    payments: "Iterable[Any]",
    charges: "Iterable[Any]",
    orders: "Iterable[Any]",
    subjects: "Iterable[Any]",
    accounts: "Iterable[Any]",
    since: date = date.min,
) -> list[Outgoing]:
    """All money that went, goes or may go: payments, then charges, then orders, as they stand.

    What failed, was cancelled or refunded is left out, and what was over before `since`; what has
    no day is not.
    """
    parents = {one.id: one.part_of for one in subjects}
    known = list(accounts)
    holders = {one.id: one.holder for one in known}
    sources = {one.id: one.name for one in known}
    found = [
        _uac_paid(one, parents, sources)
        for one in payments
        if one.status in _uac_payment_stages
        and (one.on is None or one.on >= since or _uac_goes_on(one, since))
    ]
    for one in charges:
        if one.status in _uac_charge_stages and (one.on is None or one.on >= since):
            found.append(_uac_charged(one, holders, sources))
    for one in orders:
        if one.status in _uac_order_stages and (one.on is None or one.on >= since):
            found.append(_uac_ordered(one, parents))
    return found


def _uac_goes_on(payment: Any, since: date) -> bool:
    if payment.repeats is None:
        return False
    return payment.repeats_until is None or payment.repeats_until >= since


def _uac_marks(one: Outgoing) -> list[tuple[str, str]]:
    # What two records of the same money have in common beside the amount: one of these.
    marks = [("what", one.record.what.casefold()), *[("about", name) for name in one.subjects]]
    if one.payee is not None:
        marks.append(("payee", one.payee))
    if one.account is not None:
        marks.append(("account", one.account))
    return marks


def _uac_same_money(first: Outgoing, second: Outgoing) -> bool:
    # Of two that share the amount and a mark.
    if first.payee is not None and second.payee is not None and first.payee != second.payee:
        return False
    if first.day is None or second.day is None or first.repeats is not None:
        return True
    return abs((first.day - second.day).days) <= _uac_same_money_days


def _uac_shared_amounts(money_out: list[Outgoing]) -> set[Decimal]:
    # The amounts that records of different sorts have.
    sorts: dict[Decimal, str] = {}
    shared: set[Decimal] = set()
    for one in money_out:
        if one.amount is not None and sorts.setdefault(one.amount, one.sort) != one.sort:
            shared.add(one.amount)
    return shared


def counted_once(money_out: "Iterable[Outgoing]") -> list[Outgoing]:
    """Without each that looks like the same money as one of another sort that comes before it.

    The same money: one amount, at most 31 days apart, one payee, account, subject or wording, and
    not two payees. One payment stands for one order and one charge; a repeated one, for many.
    """
    kept: dict[tuple[str, str, Decimal, str], list[Outgoing]] = {}
    used: set[tuple[str, str, str]] = set()
    result = []
    # What is firm stands for an idea, not the other way round.
    every = sorted(money_out, key=lambda out: out.stage == "idea")
    shared = _uac_shared_amounts(every)
    for one in every:
        if one.amount is None or one.amount not in shared:
            result.append(one)
            continue
        places = [(kind, name, one.amount, one.currency) for kind, name in _uac_marks(one)]
        twins = [
            other
            for place in places
            for other in kept.get(place, [])
            if other.sort != one.sort
            and (other.sort, other.record.id, one.sort) not in used
            and _uac_same_money(other, one)
        ]
        if not twins:
            for place in places:
                kept.setdefault(place, []).append(one)
            result.append(one)
        elif twins[0].repeats is None:
            used.add((twins[0].sort, twins[0].record.id, one.sort))
    return result
