"""Where money lies, who may move it, where it should go and what takes it."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from uac import DateSpan, Ref, kind


@kind("accounts", key=("name",))
@dataclass
class Account:
    """An account or card that money can come from or go to."""

    id: str
    name: str  # "joint checking", "the Harbour card"
    institution: Ref["Person"] | None = None
    holder: Ref["Person"] | None = None  # None: the person remembered
    number: str | None = None
    status: Literal["open", "closing", "closed", "frozen"] = "open"
    close_decided_on: date | None = None  # when it was decided or asked for
    closes_on: date | None = None  # the last day it can be used
    closes_within: DateSpan | None = None  # where no day was said: "next week", "in March"


@kind("spending_limits", key=("what",))
@dataclass
class SpendingLimit:
    """The most that may be spent or moved, and who may go beyond it."""

    id: str
    what: str  # "transfers without asking", "hobby budget"
    amount: Decimal
    currency: str = "USD"
    per: Literal["payment", "day", "week", "month", "year"] = "payment"
    account: Ref[Account] | None = None  # None: whatever account
    payee: Ref["Person"] | None = None  # None: whoever is paid
    category: Ref["Subject"] | None = None  # None: whatever it is for
    binds: Ref["Person"] | None = None  # whom it binds; None: everybody
    said_by: Ref["Person"] | None = None
    may_exceed: list[Ref["Person"]] = field(default_factory=list)
    reason: str | None = None
    since: date | None = None
    until: date | None = None  # the last day it holds
    status: Literal["in force", "lifted"] = "in force"


@kind("payments", key=("what", "on"))
@dataclass
class Payment:
    """Money that is to go from one place to another, once or again and again, or has gone."""

    id: str
    what: str  # "Henderson deposit", "rent"
    amount: Decimal | None = None
    currency: str = "USD"
    on: date | None = None  # the day it is made; of a repeated one, the first
    from_account: Ref[Account] | None = None
    to_account: Ref[Account] | None = None
    payee: Ref["Person"] | None = None
    category: Ref["Subject"] | None = None
    ordered_by: Ref["Person"] | None = None  # who wants or makes it; None: the person remembered
    approved_by: list[Ref["Person"]] = field(default_factory=list)
    repeats: Literal["weekly", "fortnightly", "monthly", "quarterly", "yearly"] | None = None
    repeats_until: date | None = None
    # "considering" is an idea, "planned" is intended, "scheduled" will go by itself.
    status: Literal["considering", "planned", "scheduled", "done", "failed", "cancelled"] = (
        "planned"
    )


@kind("payment_instructions", key=())
@dataclass
class PaymentInstruction:
    """What somebody asked to be done about one payment; two may contradict each other."""

    id: str
    payment: Ref[Payment]
    asked_by: Ref["Person"] | None = None  # None: the person remembered
    asked_on: date | None = None
    to_account: Ref[Account] | None = None  # where it should go
    payee: Ref["Person"] | None = None
    from_account: Ref[Account] | None = None
    amount: Decimal | None = None
    currency: str = "USD"
    hold: bool = False  # asked not to make it, or not yet
    status: Literal["standing", "carried out", "withdrawn"] = "standing"


@kind("contracts", key=("name",))
@dataclass
class Contract:
    """Something paid for again and again: a subscription, a lease, a policy, a membership."""

    id: str
    name: str
    provider: Ref["Person"] | None = None
    amount: Decimal | None = None
    currency: str = "USD"
    per: Literal["week", "month", "quarter", "year"] | None = None
    account: Ref[Account] | None = None  # that it is paid from
    started_on: date | None = None
    renews_on: date | None = None  # the next day it goes on by itself unless cancelled before
    trial_ends_on: date | None = None
    # "to cancel" is a decision, "cancelled" is done; what was decided and when it ends differ.
    status: Literal["active", "to cancel", "cancelled"] = "active"
    cancel_decided_on: date | None = None
    ends_on: date | None = None  # the last day it runs and may be charged for


@kind("charges", key=())
@dataclass
class Charge:
    """Money that somebody took or announced to take."""

    id: str
    what: str
    amount: Decimal | None = None
    currency: str = "USD"
    on: date | None = None
    contract: Ref[Contract] | None = None
    account: Ref[Account] | None = None
    payee: Ref["Person"] | None = None
    for_period_from: date | None = None  # the first day it pays for
    status: Literal["announced", "charged", "refunded"] = "charged"
