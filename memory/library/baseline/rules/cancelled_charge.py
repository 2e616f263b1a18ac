"""Warns of a charge for a contract that had already ended.

A contract ends on its last day, not on the day on which somebody decided to cancel it: what is
charged in between is owed, and so is what is charged later for a time before the end. Where the
last day of a cancelled contract is not recorded, it has ended once the time that it is paid for at
once (a month where nobody said) has gone by since it was cancelled. What was refunded is settled.
A charge is told for 90 days, which is our choice: until when one can be disputed depends on the
bank and the country, which no record says.
"""

from datetime import date, timedelta

from domains.finance.schema import Account, Charge, Contract
from domains.finance.state import accounts, charges, contracts
from domains.people.state import people
from uac import (
    Alert,
    add_months,
    brief_date,
    fullest,
    gap,
    long_date,
    money,
    names_by_id,
    sentence,
    shorten,
    speaker_words,
)

CHARGE_TOLD = timedelta(days=90)
LAST_DAY = "last day"
MONTHS_PAID_AT_ONCE = {"quarter": 3, "year": 12}  # the others: one


def charge_matters(charge: Charge, today: date) -> bool:
    """Whether the charge is announced, has no day, or was made within the days of telling."""
    if charge.status == "refunded":
        return False
    day = charge.on or charge.for_period_from
    return day is None or day >= today - CHARGE_TOLD


def day_charged_for(charge: Charge) -> date | None:
    """The first day that the charge pays for as far as it is known: that it names, or its own."""
    return charge.for_period_from or charge.on


def charge_detail(
    charge: Charge, contract: Contract, accounts_by_id: dict[str, Account], names: dict[str, str]
) -> str:
    """What was charged, from where, for which time, and when the contract was cancelled."""
    size = f", {money(charge.amount, charge.currency)}" if charge.amount is not None else ""
    when = f" on {long_date(charge.on)}" if charge.on else ", day unknown"
    lines = [f"{shorten(charge.what)}{size}: {charge.status}{when}"]
    if charge.for_period_from is not None:
        lines.append(f"for the time from {long_date(charge.for_period_from)}")
    account = accounts_by_id.get(charge.account or "")
    if account is not None:
        lines.append(f"from {shorten(account.name)}")
    payee = charge.payee or contract.provider
    if payee is not None:
        lines.append(f"by {shorten(speaker_words(names, payee))}")
    lines[-1] += f". {shorten(contract.name)} is recorded as {contract.status}"
    decided = ""
    if contract.cancel_decided_on is not None:
        decided = f" The cancellation was decided on {long_date(contract.cancel_decided_on)}."
    end = f" Its last day: {long_date(contract.ends_on)}." if contract.ends_on else ""
    return f"{', '.join(lines)}.{decided}{end}"


def charged_words(charge: Charge, day: str) -> str:
    """`was charged on Monday, March 2, 2026`, with the time it pays for where that is another."""
    verb = "is announced" if charge.status == "announced" else "was charged"
    if charge.for_period_from is not None and charge.for_period_from != charge.on:
        return f"{verb} for the time from {day}"
    return f"{verb} {'on' if charge.status == 'charged' else 'for'} {day}"


def late_summary(charge: Charge, contract: Contract, day: date, end: date, past: str) -> str:
    """The sentence on a charge after the end; the contract's name alone where room is short.

    `past` says what day the contract ended on: its last one, or the one on which it was cancelled.
    """
    size = f" ({money(charge.amount, charge.currency)})" if charge.amount is not None else ""
    # A text that holds the contract's name needs it no second time.
    told = contract.name.casefold() in charge.what.casefold()
    distance = gap(day, end)
    rest = f"{charged_words(charge, long_date(day))}, {distance} the {past}, {long_date(end)}"

    decided = contract.cancel_decided_on
    cancelled = contract.status == "cancelled" and past == LAST_DAY
    since = f" on {brief_date(decided)}" if decided is not None and decided != end else ""
    over = f"; cancelled{since}" if cancelled else ""

    def brief(_: str, name: str) -> str:
        return f"{name}{size} {rest}{over}"

    def words(what: str, name: str) -> str:
        return f"{what}{size}{'' if told else f' for {name}'} {rest}{over}"

    def marked(_: str, name: str) -> str:
        charged = charged_words(charge, brief_date(day))
        late = f"{distance} the cancelled contract's {past}, {brief_date(end)}"
        return f"{name}{size} {charged}, {late}"

    versions = [words] if told else [words, brief]
    return fullest([*versions, marked] if cancelled else versions, charge.what, contract.name)


def not_owed_words(contract: Contract) -> str:
    """What follows from the end of the contract."""
    if contract.status == "cancelled":
        return "The contract was cancelled: nothing is owed for the time after its last day."
    return "Nothing is owed for the time after the last day of the contract."


def charged_after_end(charge: Charge, contract: Contract, day: date, detail: str) -> list[Alert]:
    """The alert on a charge for a day after the contract's last one, or long after cancelling."""
    end, decided = contract.ends_on, contract.cancel_decided_on
    past = LAST_DAY
    unknown = ["whether the contract was continued"] if contract.status == "active" else []
    if end is None:
        end, past = decided, "day it was cancelled"
        unknown = ["the last day of the contract"]
    if end is None:
        return []
    return [
        Alert(
            severity="warning",
            summary=late_summary(charge, contract, day, end, past),
            evidence=[charge, contract],
            detail=f"{not_owed_words(contract)} {detail}",
            unknown=unknown,
            action=(
                "Ask the provider to withdraw the charge before it is made."
                if charge.status == "announced"
                else "Ask the provider for the money back."
            ),
            due=charge.on if charge.status == "announced" else None,
        )
    ]


def charge_not_checked(charge: Charge, contract: Contract, missing: str, detail: str) -> Alert:
    """Says what is missing to tell whether a charge came after the end of its contract."""

    size = f" ({money(charge.amount, charge.currency)})" if charge.amount is not None else ""

    def words(what: str, name: str) -> str:
        told = contract.name.casefold() in charge.what.casefold()
        subject = f"{what}{size}" if told else f"{what}{size} for {name}"
        return f"Whether {subject} was still owed was not checked: {missing} is not recorded"

    return Alert(
        severity="info",
        summary=sentence(words, charge.what, contract.name),
        evidence=[charge, contract],
        detail=detail,
        grade="not checked",
        unknown=[missing],
        action=f"Record {missing}.",
        key="not checked",
    )


def goes_on(contract: Contract) -> bool:
    """Whether an active contract is said to go on after its last day, so that it has not ended."""
    end, renews = contract.ends_on, contract.renews_on
    # A term that ends and is renewed on the next day or later is no end.
    return contract.status == "active" and end is not None and renews is not None and renews >= end


def surely_over(contract: Contract, day: date) -> bool:
    """Whether what was paid when the contract was cancelled has been used up by the day."""
    decided = contract.cancel_decided_on
    if decided is None:
        return False
    return day > add_months(decided, MONTHS_PAID_AT_ONCE.get(contract.per or "", 1))


def charge_findings(charge: Charge, contract: Contract, detail: str) -> list[Alert]:
    """The alert on one charge for one contract, if any."""
    day, end = day_charged_for(charge), contract.ends_on
    if end is not None:
        if goes_on(contract):
            return []
        if day is None:
            return [charge_not_checked(charge, contract, "the day of the charge", detail)]
        return charged_after_end(charge, contract, day, detail) if day > end else []
    if contract.status != "cancelled":
        return []  # what is to be cancelled still runs
    decided = contract.cancel_decided_on
    if day is not None and decided is not None and day <= decided:
        return []
    if day is not None and surely_over(contract, day):
        return charged_after_end(charge, contract, day, detail)
    return [charge_not_checked(charge, contract, "the last day of the contract", detail)]


def find_charges_after_end(
    every_charge: list[Charge],
    every_contract: list[Contract],
    accounts_by_id: dict[str, Account],
    names: dict[str, str],
    today: date,
) -> list[Alert]:
    """All alerts for these charges, by their ids, whatever their order."""
    by_id = {contract.id: contract for contract in every_contract}
    alerts: list[Alert] = []
    for charge in sorted(every_charge, key=lambda one: one.id):
        contract = by_id.get(charge.contract or "")
        if contract is not None and charge_matters(charge, today):
            detail = charge_detail(charge, contract, accounts_by_id, names)
            alerts.extend(charge_findings(charge, contract, detail))
    return alerts


def check(today: date) -> list[Alert]:
    """The alerts for the recorded charges."""
    known = {account.id: account for account in accounts}
    return find_charges_after_end(charges, contracts, known, names_by_id(people), today)
