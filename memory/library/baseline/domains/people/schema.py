"""Who matters to the person: people, and the organisations they deal with."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from uac import PartialDate, kind


@kind("people", key=("name",))
@dataclass
class Person:
    """Somebody, or an organisation, that can say, ask, allow, own or owe.

    The id `me` is the person remembered; it can be referred to whether or not a record says more.
    """

    id: str
    name: str  # as it was said: "Katrin", "Dr. Albers", "Harbour Bank"
    relation: str | None = None  # to the person remembered: "daughter", "landlord", "doctor"
    sort: Literal["person", "organisation"] = "person"
    born: PartialDate | None = None
    since: date | None = None  # when they came to know each other, or the dealings began
