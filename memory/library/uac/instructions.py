"""What people asked to be done about one payment: in what it differs, and what of it stands."""

from datetime import date
from typing import Any


def _uac_in_order_of_asking(found: list[Any]) -> list[Any]:
    """The instructions by their days, those without a day first."""
    return sorted(found, key=lambda one: (one.asked_on or date.min, one.id))


def leads_elsewhere(first: Any, second: Any, known: dict[str, Any]) -> bool:
    """Whether two places name different destinations; not where one of them names none."""
    if first.to_account is not None and second.to_account is not None:
        return bool(first.to_account != second.to_account)
    if first.payee is not None and second.payee is not None:
        return bool(first.payee != second.payee)
    account, payee = first.to_account or second.to_account, first.payee or second.payee
    holder = known[account].holder if account in known else None
    return holder is not None and payee is not None and holder != payee


def _uac_asks_to_pay(one: Any) -> bool:
    """Whether it says how to make the payment rather than to hold it."""
    named = [one.to_account, one.payee, one.from_account, one.amount]
    return not one.hold and bool([value for value in named if value is not None])


def _uac_other_amount(first: Any, second: Any) -> bool:
    """Whether both name an amount and not the same."""
    if first.amount is None or second.amount is None:
        return False
    return (first.amount, first.currency) != (second.amount, second.currency)


def instruction_faults(first: Any, second: Any, known: dict[str, Any]) -> list[str]:
    """What two instructions disagree about: `where it goes`, `whether it goes`, ..."""
    faults = []
    if (first.hold and _uac_asks_to_pay(second)) or (second.hold and _uac_asks_to_pay(first)):
        faults.append("whether it goes")
    if leads_elsewhere(first, second, known):
        faults.append("where it goes")
    sources = [first.from_account, second.from_account]
    if None not in sources and sources[0] != sources[1]:
        faults.append("which account it comes from")
    if _uac_other_amount(first, second):
        faults.append("how much it is")
    return faults


def payment_faults(payment: Any, one: Any, known: dict[str, Any]) -> list[str]:
    """What the payment as it is recorded does otherwise than one instruction asks."""
    done = payment.status == "done"
    if done and payment.on is not None and one.asked_on is not None and payment.on < one.asked_on:
        return []  # asked when the money had gone
    faults = []
    if one.hold and payment.status in ("scheduled", "done"):
        faults.append("whether it goes")
    if leads_elsewhere(payment, one, known):
        faults.append("where it goes")
    if done:
        return faults
    sources = [payment.from_account, one.from_account]
    if None not in sources and sources[0] != sources[1]:
        faults.append("which account it comes from")
    return [*faults, "how much it is"] if _uac_other_amount(payment, one) else faults


def _uac_last_words(found: list[Any], known: dict[str, Any]) -> list[Any]:
    """One person's instructions without those that a later one of theirs contradicts."""
    kept: list[Any] = []
    for one in _uac_in_order_of_asking(found):
        # Without both days, or on one day, nobody knows which of the two is the later.
        kept = [
            old
            for old in kept
            if old.asked_on is None
            or one.asked_on is None
            or old.asked_on == one.asked_on
            or not instruction_faults(old, one, known)
        ]
        kept.append(one)
    return kept


def standing_voices(found: list[Any], known: dict[str, Any]) -> list[Any]:
    """What stands of the instructions about one payment, each person's last word."""
    by_person: dict[str, list[Any]] = {}
    for one in found:
        by_person.setdefault(one.asked_by or "me", []).append(one)
    kept = [one for own in by_person.values() for one in _uac_last_words(own, known)]
    return _uac_in_order_of_asking(kept)
