"""Warns of payments and contracts on an account that is closed, closing or frozen by then.

An account can be used through the day on which it closes; where only some days were said, up to the
first of them. Only what is still ahead counts, money from the account as much as money to it. Where
the day of the closing is not recorded, what comes again and again will meet it; of what comes once
one can only say that it was not checked. Never critical: a payment that fails can be made again.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from domains.finance.schema import Account, Contract, Payment
from domains.finance.state import accounts, contracts, payments
from uac import (
    Alert,
    brief_date,
    day_from,
    day_span,
    earliest_day,
    first_payment_day,
    fullest,
    gap,
    latest_day,
    long_date,
    money,
    shorten,
    span_words,
)

OTHER_ACCOUNTS_NAMED = 3


@dataclass
class AccountUse:
    """A record that needs an account: what it is called, and on which day it first does in vain."""

    record: Payment | Contract
    label: str
    verb: str  # "is paid from" or "goes to"
    day: date | None  # None: not recorded
    state: str  # its status in words, with the day and how often
    idea: bool
    weak: bool  # it matters little that it fails


def ends_usable(account: Account) -> bool:
    """Whether the account is closed, closing or frozen, or has a last day."""
    return account.status != "open" or last_usable_day(account) is not None


def last_usable_day(account: Account) -> date | None:
    """The last day on which it can surely be used; None where nobody said when it closes."""
    within = account.closes_within
    if account.closes_on is not None or within is None:
        return account.closes_on
    if within.start is not None:
        return day_from(earliest_day(within.start), 0, -1)
    return latest_day(within.end) if within.end is not None else None


def still_usable(account: Account, day: date) -> bool:
    """Whether the account can surely be used on a day."""
    if account.status == "frozen":
        return False
    last = last_usable_day(account)
    return last is not None and day <= last


def closing_words(account: Account) -> str:
    """`whose last day is Tuesday, March 31, 2026`, `which is to close March 3 to 9, 2026`."""
    if account.status == "frozen":
        return "which is frozen"
    if account.closes_on is not None:
        return f"whose last day is {long_date(account.closes_on)}"
    within = account.closes_within
    if within is not None and within.start is not None and within.end is not None:
        about = "about " if within.approximate else ""
        days = day_span(earliest_day(within.start), latest_day(within.end))
        return f"which {closes_verb(account)} {about}{days}"
    if within is not None:
        return f"which {closes_verb(account)} {span_words(within)}"
    return "which is closed" if account.status == "closed" else "which is closing, day unknown"


def closes_verb(account: Account) -> str:
    """What was said of its closing, as a verb before the days."""
    return "was closed" if account.status == "closed" else "is to close"


def day_in_vain(payment: Payment, account: Account, today: date) -> list[date | None]:
    """The first day after the account's last one; None unknown, [] when there is none ahead."""
    if payment.on is None:
        return [None]
    ahead = first_payment_day(payment.on, payment.repeats, payment.repeats_until, today)
    if ahead is None:
        return []
    last_day = last_usable_day(account)
    if last_day is None or account.status == "frozen":
        # All that is ahead; what is repeated has no day that would stay the first.
        return [payment.on if payment.repeats is None else None]
    after = last_day + timedelta(days=1) if last_day < date.max else date.max
    late = first_payment_day(
        payment.on, payment.repeats, payment.repeats_until, max(after, payment.on)
    )
    last = first_payment_day(payment.on, payment.repeats, payment.repeats_until, max(after, today))
    return [late] if late is not None and last is not None else []


def payment_use(payment: Payment, account: Account, today: date, verb: str) -> list[AccountUse]:
    """The payment as a use of the account, if it is ahead and the account may not serve by then."""
    if payment.status not in ("considering", "planned", "scheduled"):
        return []
    # Of a repeated payment the recorded day is the first, which has often passed.
    again = f" {payment.repeats}" if payment.repeats else ""
    link = "from" if payment.repeats else "for"
    when = f" {link} {long_date(payment.on)}" if payment.on else ""
    return [
        AccountUse(
            record=payment,
            label=payment.what,
            verb=verb,
            day=day,
            state=f"{payment.status}{again}{when}",
            idea=payment.status == "considering",
            weak=False,
        )
        for day in day_in_vain(payment, account, today)
    ]


def contract_use(contract: Contract, account: Account, today: date) -> list[AccountUse]:
    """The contract as a use of the account, unless it ends while the account can be used."""
    end = contract.ends_on
    if contract.status == "cancelled" or (end is not None and end < today):
        return []
    if end is not None and still_usable(account, end):
        return []
    # The day on which it goes on by itself is known; those of other charges are nowhere said.
    renews = contract.renews_on
    known = renews is not None and renews >= today and not still_usable(account, renews)
    until = f", until {long_date(end)}" if end is not None else ""
    return [
        AccountUse(
            record=contract,
            label=contract.name,
            verb="is paid from",
            day=renews if known else None,
            state=f"{contract.status}{until}",
            idea=False,
            weak=contract.status == "to cancel",
        )
    ]


def size_words(record: Payment | Contract) -> str:
    """` ($1,500 monthly)`, ` ($15 a month)`; nothing where no amount is recorded."""
    if record.amount is None:
        return ""
    per = f" a {record.per}" if isinstance(record, Contract) and record.per else ""
    again = f" {record.repeats}" if isinstance(record, Payment) and record.repeats else ""
    return f" ({money(record.amount, record.currency)}{per}{again})"


def comes_again(use: AccountUse) -> bool:
    """Whether the account is needed again and again, so that its closing is met some day."""
    if isinstance(use.record, Payment):
        return use.record.repeats is not None and use.record.repeats_until is None
    return not use.weak and use.record.ends_on is None


def use_detail(use: AccountUse, account: Account, others: list[Account]) -> str:
    """What follows, status, amount and day of the use, what was decided, and other accounts."""
    size = ""
    if use.record.amount is not None:
        size = f", {money(use.record.amount, use.record.currency)}"
    lines = []
    if account.status == "frozen":
        lines.append("Nothing moves on a frozen account until it is released.")
    else:
        lost = "is returned" if use.verb == "goes to" else "is refused, so that it stays unpaid"
        lines.append(f"After the last day of {shorten(account.name)} the money {lost}.")
    lines.append(f"{shorten(use.label)}{size}: {use.state}.")
    if account.close_decided_on is not None:
        lines.append(f"The closing was decided on {long_date(account.close_decided_on)}.")
    if account.closes_on is not None:
        lines.append(f"The account can be used through {long_date(account.closes_on)}.")
    elif account.closes_within is not None:
        lines.append(
            f"{shorten(account.name)} {closes_verb(account)} {span_words(account.closes_within)}."
        )
    elif account.status == "closing":
        lines.append("On which day the account closes is not recorded.")
    if others:
        named = [shorten(other.name, 40) for other in others[:OTHER_ACCOUNTS_NAMED]]
        lines.append(f"Still open: {', '.join(named)}.")
    return " ".join(lines)


def accounts_left(every: list[Account], account: Account) -> list[Account]:
    """The person's other accounts that stay open, by their names."""
    mine = account.holder or "me"
    left = [one for one in every if one.id != account.id and not ends_usable(one)]
    return sorted([one for one in left if (one.holder or "me") == mine], key=lambda one: one.name)


def use_unknown(use: AccountUse, account: Account) -> list[str]:
    """What nobody has said and would change the judgement."""
    unknown = []
    if isinstance(use.record, Contract):
        if use.day is None:
            unknown.append("the day of its next charge")
    elif use.record.on is None:
        unknown.append("the day of the payment")
    if account.status == "frozen":
        unknown.append("until when the account is frozen")
    elif account.closes_on is None:
        unknown.append("the last day of the account")
    return unknown


def comes_first_unknown(use: AccountUse, account: Account) -> bool:
    """Whether a day is missing without which nobody can say what comes first."""
    if account.status in ("closed", "frozen"):
        return False
    if last_usable_day(account) is None:
        return use.idea or not comes_again(use)
    return not isinstance(use.record, Contract) and use.record.on is None


def outcome_words(use: AccountUse, account: Account) -> str:
    """What becomes of the money on the day; empty where that is not sure, or matters little."""
    if use.idea or use.weak or account.status == "frozen" or comes_first_unknown(use, account):
        return ""
    return "it is returned" if use.verb == "goes to" else "it fails"


def use_summary(use: AccountUse, account: Account) -> str:
    """The sentence on one use of one account, with both days where they are known."""
    size = size_words(use.record)
    tail = closing_words(account)
    end = f": {outcome_words(use, account)}"
    if (
        account.status == "closing"
        and last_usable_day(account) is None
        and not comes_first_unknown(use, account)
    ):
        tail, end = "which is closing", ": it will fail once that is closed"
    if use.day is not None and account.closes_on is not None and account.status != "frozen":
        last = account.closes_on
        tail = f"{gap(use.day, last)} its last day, {long_date(last)}"
    would = "would go to" if use.verb == "goes to" else "would be paid from"

    def plain_words(label: str, name: str, *, brief: bool = False) -> str:
        on = f" on {(brief_date if brief else long_date)(use.day)}" if use.day is not None else ""
        if use.idea:
            return f"{label}{size}, only an idea so far, {would} {name}{on}, {tail}"
        return f"{label}{size} {use.verb} {name}{on}, {tail}"

    def words(label: str, name: str) -> str:
        return f"{plain_words(label, name)}{end}"

    def brief_words(label: str, name: str) -> str:
        return f"{plain_words(label, name, brief=True)}{end}"

    versions = [words, brief_words] if end != ": " else []
    return fullest([*versions, plain_words], use.label, account.name)


def use_alert(use: AccountUse, account: Account, others: list[Account], today: date) -> Alert:
    """The alert on one use of one account; `others` are those that stay open."""
    unchecked = comes_first_unknown(use, account)
    return Alert(
        severity="info" if unchecked or use.weak else "warning",
        summary=use_summary(use, account),
        evidence=[use.record, account],
        detail=use_detail(use, account, others),
        grade="not checked" if unchecked else "",
        unknown=use_unknown(use, account),
        action=(
            "Record the missing day, or move it to another account."
            if unchecked
            else "Send the money to another account."
            if use.verb == "goes to"
            else "See that it is cancelled before that day."
            if use.weak
            else "Have it paid from another account."
        ),
        key=use.verb,
        due=use.day if use.day is not None and use.day >= today else None,
    )


def find_closed_account_uses(
    every_account: list[Account],
    every_payment: list[Payment],
    every_contract: list[Contract],
    today: date,
) -> list[Alert]:
    """All alerts for these accounts, those of payments first, whatever their order."""
    closing = {account.id: account for account in every_account if ends_usable(account)}
    uses: list[tuple[AccountUse, Account]] = []
    for payment in sorted(every_payment, key=lambda one: one.id):
        for name, verb in ((payment.from_account, "is paid from"), (payment.to_account, "goes to")):
            if name in closing:
                found = payment_use(payment, closing[name], today, verb)
                uses.extend([(use, closing[name]) for use in found])
    for contract in sorted(every_contract, key=lambda one: one.id):
        if contract.account in closing:
            account = closing[contract.account]
            uses.extend([(use, account) for use in contract_use(contract, account, today)])
    return [
        use_alert(use, account, accounts_left(every_account, account), today)
        for use, account in uses
    ]


def check(today: date) -> list[Alert]:
    """The alerts for the recorded accounts."""
    return find_closed_account_uses(accounts, payments, contracts, today)
