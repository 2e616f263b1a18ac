"""Where the person travels, and the documents for it."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from uac import Ref, kind


@kind("trips", key=("destination", "departs_on"))
@dataclass
class Trip:
    """A journey the person made, is about to make or thinks about."""

    id: str
    destination: str  # as it was said, often a city
    country: str | None = None  # the country of the destination
    departs_on: date | None = None
    returns_on: date | None = None
    # "considering" is an idea, "planning" is intended, "booked" is paid for or confirmed.
    status: Literal["considering", "planning", "booked", "done", "cancelled"] = "planning"
    passport_country: str | None = None  # whose passport the person said they will use
    # The papers the person said this trip is made on.
    passport: Ref["Passport"] | None = None
    visa: Ref["Visa"] | None = None
    documents: list[Ref["Document"]] = field(default_factory=list)


@kind("passports", key=("issuing_country",))
@dataclass
class Passport:
    """A passport of the person."""

    id: str
    issuing_country: str | None = None
    number: str | None = None
    issued_on: date | None = None
    expires_on: date | None = None  # the last day it is valid


@kind("visas", key=("country",))
@dataclass
class Visa:
    """A permission to enter a country or area, asked for or received."""

    id: str
    country: str  # or an area such as "Schengen"
    # None means that nobody said; how many entries are left is worked out from the trips.
    entries: Literal["single", "multiple"] | None = None
    valid_from: date | None = None
    expires_on: date | None = None  # the last day it is valid
    status: Literal["applied", "granted", "refused", "cancelled"] = "granted"
