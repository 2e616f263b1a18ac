"""Says of something that has to be done in time why its last day cannot be told.

A period was said, such as 30 days after delivery, but not the day that it counts from, or not how
long it is. Nothing is guessed: the commitment is not checked, and what is missing is named. It is
told from a week after it was said, since such days are often said a little later. Where no day and
no period were said at all there is nothing to check, what counts from the delivery of something
ordered has not begun, and what others have to do is theirs to know.
"""

from datetime import date

from domains.commitments.schema import Commitment
from domains.commitments.state import commitments
from domains.finance.schema import Contract
from domains.finance.state import contracts
from domains.possessions.schema import Thing
from domains.possessions.state import things
from domains.schedule.schema import Engagement
from domains.schedule.state import engagements
from uac import (
    Alert,
    day_from,
    is_my_commitment,
    is_open_commitment,
    is_to_come,
    period_anchor,
    sentence,
    shorten,
)

DAYS_TO_SAY_THE_REST = 7


def is_fresh_commitment(commitment: Commitment, today: date) -> bool:
    """Whether it was said so lately that what is missing may still be said."""
    said = commitment.said_on
    return said is not None and today < day_from(said, 0, DAYS_TO_SAY_THE_REST)


def period_anchor_words(commitment: Commitment, engagement: Engagement | None) -> str:
    """What the period counts from, as it was said; empty where nobody said it."""
    if commitment.counts_from and commitment.counts_from.strip():
        return shorten(commitment.counts_from)
    if engagement is not None:
        return f"“{shorten(engagement.title)}”"
    return "the engagement it counts from" if commitment.engagement else ""


def missing_of_period(
    commitment: Commitment, engagement: Engagement | None, anchor: date | None
) -> str:
    """What is not known of the period, in words; empty where nothing is, or no period was said.

    `anchor` is the day that it counts from, where that is known.
    """
    name = period_anchor_words(commitment, engagement)
    has_length = commitment.offset_days is not None or commitment.offset_months is not None
    if anchor is None:
        if not commitment.counts_from and not commitment.engagement and not has_length:
            return ""
        if engagement is None or engagement.on is None:
            return f"the day of {name}" if name else "the day it counts from"
        if engagement.status == "cancelled":
            return f"whether it still holds after {name} was cancelled"
        if engagement.repeats is not None:
            return f"from which of the days of {name} it counts"
    return "" if has_length else f"how long before or after {name or 'that day'} it is due"


def undated_commitment_alert(
    commitment: Commitment, engagement: Engagement | None, anchor: date | None
) -> list[Alert]:
    """The alert for one open commitment of the person whose last day cannot be told."""
    mine = is_my_commitment(commitment) and is_open_commitment(commitment)
    if commitment.due_on is not None or not mine:
        return []
    missing = missing_of_period(commitment, engagement, anchor)
    if not missing:
        return []

    def words(title: str, lack: str) -> str:
        return f"The last day of “{title}” was not checked: {lack} is not recorded"

    lost = commitment.consequence
    return [
        Alert(
            severity="info",
            summary=sentence(words, commitment.title, missing),
            evidence=[commitment] if engagement is None else [commitment, engagement],
            detail=f"If it is missed: {shorten(lost, 200)}." if lost else "",
            grade="not checked",
            unknown=[missing],
            action=f"Record {missing}, or the last day itself.",
        )
    ]


def find_undated_commitments(
    commitments: list[Commitment],
    engagements: list[Engagement],
    things: list[Thing],
    contracts: list[Contract],
    today: date,
) -> list[Alert]:
    """All alerts for these commitments, whatever their order."""
    known = {engagement.id: engagement for engagement in engagements}
    objects = {thing.id: thing for thing in things}
    terms = {contract.id: contract for contract in contracts}
    alerts: list[Alert] = []
    for commitment in sorted(commitments, key=lambda c: c.id):
        engagement = known.get(commitment.engagement or "")
        thing = objects.get(commitment.thing or "")
        if not is_to_come(commitment, thing) and not is_fresh_commitment(commitment, today):
            contract = terms.get(commitment.contract or "")
            anchor = period_anchor(commitment, engagement, thing, contract)
            alerts.extend(undated_commitment_alert(commitment, engagement, anchor))
    return alerts


def check(today: date) -> list[Alert]:
    """The alerts for the recorded commitments."""
    return find_undated_commitments(commitments, engagements, things, contracts, today)
