"""What the person and those around them want and forbid, and what is ordered or intended."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from uac import Ref, kind


@kind("subjects", key=("name",))
@dataclass
class Subject:
    """What orders, wishes and prohibitions are about: "shrimp", "seafood", "budget airlines"."""

    id: str
    name: str
    part_of: Ref["Subject"] | None = None  # the wider one: shrimp is part of seafood


@kind("prohibitions", key=())
@dataclass
class Prohibition:
    """What must not be, said by somebody for somebody. It names at least one thing it is about."""

    id: str
    what: str  # in words: "no seafood for the children"
    subject: Ref[Subject] | None = None
    substance: str | None = None  # a drug or a class of drugs
    person: Ref["Person"] | None = None  # nothing with or from them
    place: Ref["Place"] | None = None
    thing: Ref["Thing"] | None = None
    for_whom: list[Ref["Person"]] = field(default_factory=list)  # empty: the person remembered
    said_by: Ref["Person"] | None = None  # None: the person remembered
    reason: str | None = None
    since: date | None = None
    until: date | None = None  # the last day it holds
    strict: bool = True  # False: rather not
    allowed_by: list[Ref["Person"]] = field(default_factory=list)  # who may make an exception
    status: Literal["in force", "lifted"] = "in force"


@kind("preferences", key=())
@dataclass
class Preference:
    """What somebody likes or would rather have."""

    id: str
    what: str
    subject: Ref[Subject] | None = None
    attitude: Literal["loves", "likes", "dislikes", "hates"] | None = None
    of_whom: Ref["Person"] | None = None  # None: the person remembered
    reason: str | None = None
    since: date | None = None
    until: date | None = None


@kind("orders", key=("what", "on"))
@dataclass
class Order:
    """Something bought, ordered, booked or intended for somebody."""

    id: str
    what: str  # "shrimp platter for the party"
    involves: list[Ref[Subject]] = field(default_factory=list)
    thing: Ref["Thing"] | None = None
    seller: Ref["Person"] | None = None
    for_whom: list[Ref["Person"]] = field(default_factory=list)  # empty: the person remembered
    ordered_by: Ref["Person"] | None = None  # None: the person remembered
    allowed_by: list[Ref["Person"]] = field(default_factory=list)  # who agreed to an exception
    on: date | None = None  # the day it is for
    price: Decimal | None = None
    currency: str = "USD"
    # "considering" is an idea, "planned" is intended, "ordered" is placed.
    status: Literal["considering", "planned", "ordered", "received", "cancelled"] = "planned"
