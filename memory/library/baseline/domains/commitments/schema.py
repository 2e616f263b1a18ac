"""What has to be done by a day."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from uac import Ref, kind


@kind("commitments", key=("title",))
@dataclass
class Commitment:
    """Something to be done in time; the day was said, or follows from another day."""

    id: str
    title: str  # "return the router", "cancel the trial"
    due_on: date | None = None  # the last day, where it was said
    # Said as a period: "within 30 days of delivery", "60 days before the lease ends".
    counts_from: str | None = None  # what the period counts from: "delivery", "end of the lease"
    counts_from_on: date | None = None
    offset_days: int | None = None  # days after that day; below zero, before it
    offset_months: int | None = None  # months, counted before the days
    engagement: Ref["Engagement"] | None = None  # the period counts from the day it is on
    thing: Ref["Thing"] | None = None  # it may count from its delivery or purchase
    contract: Ref["Contract"] | None = None  # or from its end, or its trial's
    document: Ref["Document"] | None = None
    owed_to: Ref["Person"] | None = None
    by_whom: Ref["Person"] | None = None  # who has to do it; None: the person remembered
    said_on: date | None = None  # the day it was said; a stated day counts from it
    consequence: str | None = None  # when it is missed: "the refund is lost"
    status: Literal["open", "done", "dropped"] = "open"
    done_on: date | None = None
    appointment: Ref["Engagement"] | None = None  # at which it is to be done: an inspection
