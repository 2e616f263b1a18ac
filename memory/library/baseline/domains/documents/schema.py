"""Papers and cards that allow something for a time; passports and visas are under travel."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from uac import Ref, kind


@kind("documents", key=("name",))
@dataclass
class Document:
    """A licence, card, permit, certificate or policy."""

    id: str
    name: str  # "driving licence", "travel insurance"
    issuer: Ref["Person"] | None = None
    holder: Ref["Person"] | None = None  # None: the person remembered
    number: str | None = None
    issued_on: date | None = None
    valid_from: date | None = None
    expires_on: date | None = None  # the last day it is valid
    entries: Literal["single", "multiple"] | None = None  # of a permit to enter
    # Who sees to a new one: "holder" has to, "automatic" comes by itself, "none" ends for good.
    renewal: Literal["holder", "automatic", "none"] | None = None
    status: Literal["applied", "valid", "refused", "lost", "returned", "replaced"] = "valid"
