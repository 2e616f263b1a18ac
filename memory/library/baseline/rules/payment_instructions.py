"""Warns of instructions about one payment that contradict each other, or the payment itself.

Of one person the later word counts: it replaces what they said before, as a change of mind, and
nothing is said of it. Of different people no word outranks another, and the alert names them all.
A destination that differs is critical while the money can still be kept, because it rarely comes
back; a wish to hold a payment that will go by itself, or another amount, is a warning. Accounts and
payees are compared by reference only, an account and a payee only where it is recorded who holds
the account.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from domains.finance.schema import Account, Payment, PaymentInstruction
from domains.finance.state import accounts, payment_instructions, payments
from domains.people.state import people
from uac import (
    Alert,
    first_payment_day,
    gap,
    instruction_faults,
    leads_elsewhere,
    long_date,
    money,
    names_by_id,
    payment_faults,
    sentence,
    shorten,
    speaker_words,
    standing_voices,
)

OVERDUE_PAYMENT_TOLD = timedelta(days=30)  # one that is still planned long after its day is stale
WRONG_PAYMENT_TOLD = timedelta(days=90)  # how long to speak of money that went elsewhere


@dataclass
class PaymentVoices:
    """A payment with what each person wants of it now, and the names of accounts and people."""

    payment: Payment
    voices: list[PaymentInstruction]
    accounts: dict[str, Account]
    names: dict[str, str]


def payment_matters(payment: Payment, today: date) -> bool:
    """Whether the payment is still to be made, or went so lately that it can be followed up."""
    if payment.status in ("failed", "cancelled"):
        return False
    if payment.on is None:
        return True
    told = WRONG_PAYMENT_TOLD if payment.status == "done" else OVERDUE_PAYMENT_TOLD
    start = max(payment.on, today - told)
    return first_payment_day(payment.on, payment.repeats, payment.repeats_until, start) is not None


def account_words(account: str, known: dict[str, Account]) -> str:
    """The name of an account that is on record."""
    return known[account].name if account in known else "an account no longer on record"


def wish_words(one: PaymentInstruction, case: PaymentVoices) -> str:
    """What an instruction asks for: `to New Harbour account`, `to hold it`."""
    parts = ["to hold it"] if one.hold else []
    if one.to_account is not None:
        parts.append(f"to {shorten(account_words(one.to_account, case.accounts), 40)}")
    elif one.payee is not None:
        parts.append(f"to {shorten(speaker_words(case.names, one.payee), 40)}")
    if one.from_account is not None:
        parts.append(f"from {shorten(account_words(one.from_account, case.accounts), 40)}")
    if one.amount is not None:
        parts.append(f"of {money(one.amount, one.currency)}")
    return " ".join(parts) or "to make it"


def asked_words(one: PaymentInstruction, case: PaymentVoices) -> str:
    """`Tom asked on Monday, March 2, 2026 for it to go to the joint account`."""
    who = speaker_words(case.names, one.asked_by)
    when = f" on {long_date(one.asked_on)}" if one.asked_on else " on an unknown day"
    want = wish_words(one, case)
    tail = want if one.hold or want == "to make it" else f"for it to go {want}"
    return f"{shorten(who, 40)} asked{when} {tail}"


def recorded_words(case: PaymentVoices) -> str:
    """The payment as it is recorded, in one sentence."""
    one = case.payment
    size = f" of {money(one.amount, one.currency)}" if one.amount is not None else ""
    first = "from" if one.repeats else "for"
    when = f" {first} {long_date(one.on)}" if one.on else ", day unknown"
    to = ""
    if one.to_account is not None:
        to = f" to {shorten(account_words(one.to_account, case.accounts), 40)}"
    elif one.payee is not None:
        to = f" to {shorten(speaker_words(case.names, one.payee), 40)}"
    if one.from_account is not None:
        to = f" from {shorten(account_words(one.from_account, case.accounts), 40)}{to}"
    by = shorten(speaker_words(case.names, one.ordered_by), 40)
    again = f", {one.repeats}" if one.repeats else ""
    return f"The payment{size}{to} is recorded as {one.status}{when}{again}, ordered by {by}."


def instruction_severity(payment: Payment, faults: list[str]) -> str:
    """Critical where money is about to go elsewhere than somebody asked."""
    ahead = payment.status in ("planned", "scheduled")
    return "critical" if ahead and "where it goes" in faults else "warning"


def instruction_alert(
    case: PaymentVoices,
    severity: str,
    summary: str,
    found: list[PaymentInstruction],
    faults: list[str],
    key: str,
) -> Alert:
    """An alert on a payment and instructions about it; `faults` say what they differ in."""
    payment, idea = case.payment, case.payment.status == "considering"
    lines = [f"{asked_words(one, case)}." for one in found[:6]]
    dates = [one.asked_on for one in found if one.asked_on is not None]
    if len(dates) > 1 and dates[0] != dates[-1]:
        lines.append(f"The first word is {gap(dates[0], dates[-1])} the last.")
    lines.append(recorded_words(case))
    lines.append(f"What differs: {', '.join(faults)}.")
    askers = [shorten(speaker_words(case.names, one.asked_by), 40) for one in found]
    unknown = [f"when {askers[n]} asked" for n in range(len(found)) if found[n].asked_on is None]
    if len(found) > 1 and len(set(askers)) == 1:
        unknown.append(f"what {askers[0]} said last")
    return Alert(
        severity=severity,
        summary=summary,
        evidence=[*found[:40], payment],
        detail=shorten(" ".join(lines), 1900),
        unknown=unknown[:10],
        action=(
            "Settle with those who asked where the money belongs, and follow up what has gone."
            if payment.status == "done"
            else "Settle with those who asked before this is more than an idea."
            if idea
            else "Do not let the money go before those who asked have agreed."
        ),
        key=key,
        due=payment.on if payment.repeats is None and payment.status != "done" else None,
    )


def goes_where_nobody_asked(case: PaymentVoices) -> bool:
    """Whether those who name a destination agree on one, and the payment goes to another."""
    named = [one for one in case.voices if one.to_account is not None or one.payee is not None]
    agreed = not [one for one in named[1:] if leads_elsewhere(named[0], one, case.accounts)]
    elsewhere = [one for one in named if leads_elsewhere(case.payment, one, case.accounts)]
    return bool(named) and agreed and len(elsewhere) == len(named)


def contradictions(case: PaymentVoices) -> list[Alert]:
    """The alert on a payment about which the standing instructions disagree, if they do."""
    faults: list[str] = []
    involved: list[str] = []
    people_apart = False
    for number, first in enumerate(case.voices):
        for second in case.voices[number + 1 :]:
            found = instruction_faults(first, second, case.accounts)
            if found:
                faults.extend([one for one in found if one not in faults])
                involved.extend([first.id, second.id])
                people_apart |= (first.asked_by or "me") != (second.asked_by or "me")
    if not faults:
        return []
    if goes_where_nobody_asked(case):
        faults.append("where it goes")
    apart = [one for one in case.voices if one.id in involved]
    first, last = apart[0], apart[-1]

    def words(what: str, one: str, wish: str, other: str, other_wish: str) -> str:
        return (
            f"{what}: {one} asked{day_words(first)}: {wish}; "
            f"{other} asked{day_words(last)}: {other_wish}"
        )

    speakers = [speaker_words(case.names, one.asked_by) for one in (first, last)]
    wishes = [wish_words(one, case) for one in (first, last)]
    severity = instruction_severity(case.payment, faults) if people_apart else "warning"
    summary = sentence(words, case.payment.what, speakers[0], wishes[0], speakers[1], wishes[1])
    return [instruction_alert(case, severity, summary, apart, faults, "between instructions")]


def day_words(one: PaymentInstruction) -> str:
    """` on Monday, March 2, 2026`, or nothing."""
    return f" on {long_date(one.asked_on)}" if one.asked_on else ""


def against_record(case: PaymentVoices) -> list[Alert]:
    """The alert on a payment that is recorded otherwise than what stands asks, if it is."""
    payment = case.payment
    found = [(one, payment_faults(payment, one, case.accounts)) for one in case.voices]
    apart = [one for one, faults in found if faults]
    if not apart:
        return []
    every: list[str] = []
    for _, faults in found:
        every.extend([fault for fault in faults if fault not in every])
    last, elsewhere = apart[-1], "where it goes" in every
    going = "made" if payment.status == "done" else payment.status
    place = ""
    if elsewhere and payment.to_account is not None:
        place = account_words(payment.to_account, case.accounts)
    elif elsewhere and payment.payee is not None:
        place = speaker_words(case.names, payment.payee)

    def words(what: str, place: str, who: str, wish: str) -> str:
        to = f" to {place}" if place else f" for {long_date(payment.on)}" if payment.on else ""
        return f"{what}, {going}{to}, is not as {who} asked{day_words(last)}: {wish}"

    summary = sentence(
        words,
        payment.what,
        place,
        speaker_words(case.names, last.asked_by),
        wish_words(last, case),
    )
    severity = instruction_severity(payment, every)
    return [instruction_alert(case, severity, summary, apart, every, "against the payment")]


def find_instruction_conflicts(
    found: list[PaymentInstruction],
    every_payment: list[Payment],
    known: dict[str, Account],
    names: dict[str, str],
    today: date,
) -> list[Alert]:
    """All alerts for these instructions, payment by payment, whatever their order."""
    by_payment: dict[str, list[PaymentInstruction]] = {}
    for one in found:
        if one.status == "standing":
            by_payment.setdefault(one.payment, []).append(one)
    alerts: list[Alert] = []
    for payment in sorted(every_payment, key=lambda one: one.id):
        about = by_payment.get(payment.id, [])
        if about and payment_matters(payment, today):
            case = PaymentVoices(payment, standing_voices(about, known), known, names)
            between = contradictions(case) if payment.status != "done" else []
            alerts.extend(between or against_record(case))
    return alerts


def check(today: date) -> list[Alert]:
    """The alerts for the recorded instructions."""
    if not payment_instructions:
        return []
    known = {account.id: account for account in accounts}
    return find_instruction_conflicts(
        payment_instructions, payments, known, names_by_id(people), today
    )
