"""Warns of a contract that is to be cancelled and soon goes on by itself, or has just done so.

The warning begins a third of the time before the day, 3 to 30 days, counted from the decision to
cancel, or from the start of the contract; of a trial, from whichever gives the earlier day, since
its end may have been told before anybody decided. What nobody wants to cancel renews in silence;
only of a trial that turns into something paid it is said, as information. Where
the person has to do something about the contract by a day not after this one, and the warning of
that stands or is still to come, it is what reminds of it; not what somebody else has to do, what is
done, or what is more than 30 days overdue.
"""

from datetime import date, timedelta

from domains.commitments.schema import Commitment
from domains.commitments.state import commitments
from domains.finance.schema import Contract
from domains.finance.state import contracts
from domains.people.state import people
from domains.schedule.schema import Engagement
from domains.schedule.state import engagements
from uac import (
    Alert,
    CommitmentDeadline,
    day_from,
    deadline_of,
    gap,
    is_my_commitment,
    is_open_commitment,
    lead_from,
    long_date,
    money,
    names_by_id,
    sentence,
    shorten,
    speaker_words,
)

RENEWAL_TOLD = timedelta(days=30)  # how long to speak of a contract that went on unwanted


def next_turn(contract: Contract, today: date) -> tuple[date, bool] | None:
    """The next day on which it goes on, and whether a trial ends then; else the last such day."""
    turns = [(day, True) for day in [contract.trial_ends_on] if day is not None]
    turns += [(day, False) for day in [contract.renews_on] if day is not None]
    ahead = [turn for turn in turns if turn[0] >= today]
    if ahead:
        return min(ahead, key=lambda turn: turn[0])
    return max(turns, key=lambda turn: turn[0]) if turns else None


def price_words(contract: Contract) -> str:
    """`, $15 a month`; nothing where no price is recorded."""
    if contract.amount is None:
        return ""
    per = f" a {contract.per}" if contract.per else ""
    return f", {money(contract.amount, contract.currency)}{per}"


def contract_detail(contract: Contract, day: date | None, names: dict[str, str]) -> str:
    """With whom and since when the contract runs, what was decided, and the price."""
    parts = [f"{shorten(contract.name)}{price_words(contract)}"]
    if contract.provider is not None:
        parts.append(f"with {shorten(speaker_words(names, contract.provider), 40)}")
    if contract.started_on is not None:
        parts.append(f"since {long_date(contract.started_on)}")
    lines = [f"{', '.join(parts)}; recorded as {contract.status}."]
    decided = contract.cancel_decided_on
    if decided is not None:
        far = f", {gap(decided, day)} that day" if day is not None else ""
        lines.append(f"To cancel it was decided on {long_date(decided)}{far}.")
    if contract.ends_on is not None:
        lines.append(f"Its last day is recorded as {long_date(contract.ends_on)}.")
    return " ".join(lines)


def renewal_words(contract: Contract, day: date, trial: bool, today: date) -> str:
    """The sentence on a contract that is to be cancelled."""
    past = day < today
    price = price_words(contract).removeprefix(", ")
    size = f" ({price})" if price else ""
    if trial:
        what = f"{'ended' if past else 'ends'} {long_date(day)}"
        state = "is not recorded as cancelled" if past else "is still to be cancelled"

        def words(name: str) -> str:
            return f"The trial of {name}{size} {what} and {state}"

    else:
        what = f"{'went on' if past else 'goes on'} by itself on {long_date(day)}"

        def words(name: str) -> str:
            return f"{name}{size} was to be cancelled, which is not recorded: it {what}"

    return sentence(words, contract.name)


def unwanted_renewal(contract: Contract, today: date, names: dict[str, str]) -> list[Alert]:
    """The alert on a contract that is to be cancelled, if its day is near, just over or unknown."""
    turn = next_turn(contract, today)
    if turn is None:
        return [undated_renewal(contract, names)] if contract.ends_on is None else []
    day, trial = turn
    start = contract.cancel_decided_on or contract.started_on
    begun = start if start is not None and start <= day else None
    first = lead_from(begun, day)
    if trial and contract.started_on is not None:
        first = min(first, lead_from(contract.started_on, day))
    if today < first or today > day_from(day, 0, RENEWAL_TOLD.days):
        return []
    past = day < today
    return [
        Alert(
            severity="warning",
            summary=renewal_words(contract, day, trial, today),
            evidence=[contract],
            detail=contract_detail(contract, day, names),
            unknown=["whether it was cancelled in time"] if past else ["how early notice is due"],
            action=(
                "Find out whether it was cancelled; if not, cancel it and ask for the money back."
                if past
                else "Cancel it before that day, and record that it is done."
            ),
            key=f"{'trial' if trial else 'renewal'} {day.isoformat()}",
            due=day,
        )
    ]


def undated_renewal(contract: Contract, names: dict[str, str]) -> Alert:
    """Says of a contract to cancel that nobody knows by when."""

    def words(name: str) -> str:
        return f"{name} is to be cancelled, but the day on which it goes on is not recorded"

    return Alert(
        severity="info",
        summary=sentence(words, contract.name),
        evidence=[contract],
        detail=contract_detail(contract, None, names),
        grade="not checked",
        unknown=["the day on which it goes on by itself"],
        action="Record the day on which it goes on, or that it is cancelled.",
        key="not checked",
    )


def paid_after_trial(contract: Contract, today: date, names: dict[str, str]) -> list[Alert]:
    """Says of a trial that it turns into a paid contract, when that day is near."""
    day = contract.trial_ends_on
    if day is None or day < today or today < lead_from(contract.started_on, day):
        return []
    if contract.amount is not None and contract.amount <= 0:
        return []
    if contract.ends_on is not None and contract.ends_on <= day:
        return []  # it ends with the trial

    def words(name: str) -> str:
        return f"The trial of {name} ends {long_date(day)}, then it goes on{price_words(contract)}"

    return [
        Alert(
            severity="info",
            summary=sentence(words, contract.name),
            evidence=[contract],
            detail=contract_detail(contract, day, names),
            unknown=[] if contract.amount is not None else ["what it costs after the trial"],
            action="Decide whether to keep it.",
            key=f"trial {day.isoformat()}",
            due=day,
        )
    ]


def reminds_in_time(deadline: CommitmentDeadline, day: date, today: date) -> bool:
    """Whether what has to be done is due by the day, and not so long ago that it is told no more.

    `commitment_due` speaks of it from at least 3 days before it is due until 30 days after.
    """
    return deadline.due <= day and today <= day_from(deadline.due, 0, RENEWAL_TOLD.days)


def is_reminded(contract: Contract, found: list[CommitmentDeadline], today: date) -> bool:
    """Whether something the person has to do about the contract is told of instead."""
    turn = next_turn(contract, today)
    if turn is None:
        return False
    return bool([one for one in found if reminds_in_time(one, turn[0], today)])


def deadlines_by_contract(
    found: list[Commitment], days: dict[str, Engagement], known: dict[str, Contract]
) -> dict[str, list[CommitmentDeadline]]:
    """What the person has still to do about contracts, where its last day can be told."""
    by_contract: dict[str, list[CommitmentDeadline]] = {}
    for one in found:
        # With a thing beside the contract it is the thing that has to be seen to.
        if one.contract is None or one.thing is not None:
            continue
        if not is_open_commitment(one) or not is_my_commitment(one):
            continue
        deadline = deadline_of(
            one, days.get(one.engagement or ""), contract=known.get(one.contract)
        )
        if deadline is not None:
            by_contract.setdefault(one.contract, []).append(deadline)
    return by_contract


def find_contract_renewals(
    every_contract: list[Contract],
    every_commitment: list[Commitment],
    days: dict[str, Engagement],
    names: dict[str, str],
    today: date,
) -> list[Alert]:
    """All alerts for these contracts, by their ids, whatever their order.

    `days` are the engagements, by their ids, that commitments may count from.
    """
    reminders = deadlines_by_contract(
        every_commitment, days, {contract.id: contract for contract in every_contract}
    )
    alerts: list[Alert] = []
    for contract in sorted(every_contract, key=lambda one: one.id):
        if is_reminded(contract, reminders.get(contract.id, []), today):
            continue
        if contract.status == "to cancel":
            alerts.extend(unwanted_renewal(contract, today, names))
        elif contract.status == "active":
            alerts.extend(paid_after_trial(contract, today, names))
    return alerts


def check(today: date) -> list[Alert]:
    """The alerts for the recorded contracts."""
    days = {engagement.id: engagement for engagement in engagements}
    return find_contract_renewals(contracts, commitments, days, names_by_id(people), today)
