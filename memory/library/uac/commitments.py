"""The last day of what somebody has to do: said, or counted from another day."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from .deadlines import day_from, period_words
from .text import long_date, shorten

# Words for a day that another record holds, by their beginnings: `delivery`, `delivered`.
_uac_received_words = ("deliver", "receipt", "receiv", "arriv")
_uac_bought_words = ("purchas", "bought", "buying")
_uac_end_words = ("end", "ends", "ended", "ending", "expiry", "expires")


@dataclass(frozen=True)
class CommitmentDeadline:
    """The last day of a commitment and how it is known."""

    commitment: Any
    due: date
    start: date | None  # when the period began
    counted: str = ""  # "30 days after delivery"; empty where the day was said
    anchor: date | None = None
    unknown: str = ""


def is_my_commitment(commitment: Any) -> bool:
    """Whether the person remembered has to do it."""
    return commitment.by_whom is None or commitment.by_whom == "me"


def is_open_commitment(commitment: Any) -> bool:
    """Whether it is neither done nor dropped."""
    return commitment.status == "open" and commitment.done_on is None


def _uac_anchor_name(commitment: Any, engagement: Any) -> str:
    if commitment.counts_from and commitment.counts_from.strip():
        return shorten(commitment.counts_from)
    if engagement is not None:
        return f"“{shorten(engagement.title)}”"
    return "an engagement" if commitment.engagement else "an unnamed day"


def _uac_counts_words(commitment: Any) -> list[str]:
    text = (commitment.counts_from or "").casefold()
    return "".join([c if c.isalpha() else " " for c in text]).split()


def _uac_begins(words: list[str], beginnings: tuple[str, ...]) -> bool:
    return bool([word for word in words if word.startswith(beginnings)])


def _uac_day_elsewhere(commitment: Any, thing: Any, contract: Any) -> date | None:
    # The delivery or purchase of the thing, the end of the contract or of its trial.
    words = _uac_counts_words(commitment)
    day: date | None = None
    if thing is not None and _uac_begins(words, _uac_received_words):
        day = thing.received_on
    elif thing is not None and _uac_begins(words, _uac_bought_words):
        day = thing.bought_on
    elif contract is not None and [word for word in words if word in _uac_end_words]:
        day = contract.trial_ends_on if "trial" in words else contract.ends_on
    return day


def is_to_come(commitment: Any, thing: Any) -> bool:
    """Whether the period counts from the delivery of something that has not been delivered."""
    awaited = thing is not None and thing.status in ("wanted", "ordered")
    if not awaited or thing.received_on is not None or commitment.counts_from_on is not None:
        return False
    return _uac_begins(_uac_counts_words(commitment), _uac_received_words)


def period_anchor(
    commitment: Any, engagement: Any = None, thing: Any = None, contract: Any = None
) -> date | None:
    """The day that the period counts from, None where it is not known which day that is.

    It was said, or is that of the engagement, or one that the thing or the contract holds: the
    records that the commitment refers to, where there are any.
    """
    day: date | None = commitment.counts_from_on
    if day is None and not commitment.engagement:
        day = _uac_day_elsewhere(commitment, thing, contract)
    if day is not None:
        return day
    if engagement is None or engagement.status == "cancelled" or engagement.repeats is not None:
        return None
    day = engagement.on
    return day


def deadline_of(
    commitment: Any, engagement: Any = None, thing: Any = None, contract: Any = None
) -> CommitmentDeadline | None:
    """The last day of a commitment, None where it cannot be told.

    The others are the records that it refers to, where there are any. Where a day was said and
    the period gives another, the earlier counts and the other is named.
    """
    months, days = commitment.offset_months, commitment.offset_days
    said = commitment.due_on
    anchor = period_anchor(commitment, engagement, thing, contract)
    counted = None
    if anchor is not None and (months is not None or days is not None):
        counted = day_from(anchor, months or 0, days or 0)
    words = period_words(_uac_anchor_name(commitment, engagement), months or 0, days or 0)
    if counted is not None and (said is None or counted < said):
        other = f"why {long_date(said)} was said as the last day" if said else ""
        # A day that lies ahead of the deadline is not when the period began.
        began = anchor if anchor is not None and anchor < counted else commitment.said_on
        return CommitmentDeadline(commitment, counted, began, words, anchor, other)
    if said is None:
        return None
    other = ""
    if counted is not None and counted > said:
        other = f"whether {long_date(counted)} holds instead, {words}"
    return CommitmentDeadline(commitment, said, commitment.said_on, unknown=other)
