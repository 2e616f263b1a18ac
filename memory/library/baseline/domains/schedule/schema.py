"""When the person and what belongs to them is taken."""

from dataclasses import dataclass, field
from datetime import date, time
from typing import Literal

from uac import Ref, kind


@kind("places", key=("name",))
@dataclass
class Place:
    """Somewhere things happen."""

    id: str
    name: str
    address: str | None = None
    part_of: Ref["Place"] | None = None  # the wider place: the building, the town
    home: bool = False  # where the person remembered lives
    timezone: str | None = None  # "Europe/Berlin"; None: not known to differ from the person's
    exclusive: bool = False  # holds one engagement at a time: a meeting room, a court
    since: date | None = None  # the first day one has it: moving in, opening
    until: date | None = None  # the last: moving out, closing


@kind("engagements", key=("title", "on"))
@dataclass
class Engagement:
    """Something that takes people, things or a place for a time."""

    id: str
    title: str
    on: date | None = None  # the day it begins; of a repeated one, the first
    # None: nobody said a time; never midnight. Without an end, its length is not known.
    starts_at: time | None = None
    ends_at: time | None = None  # before `starts_at`: on the day after
    until: date | None = None  # the last day of one that lasts for days
    all_day: bool = False  # said to take the whole day or days
    repeats: Literal["daily", "weekdays", "weekly", "fortnightly", "monthly", "yearly"] | None = (
        None
    )
    repeats_until: date | None = None  # the last day on which it may occur
    not_on: list[date] = field(default_factory=list)  # days on which it does not occur after all
    # What it takes; nobody named means the person remembered.
    people: list[Ref["Person"]] = field(default_factory=list)
    things: list[Ref["Thing"]] = field(default_factory=list)
    place: Ref[Place] | None = None
    involves: list[Ref["Subject"]] = field(default_factory=list)  # what it is about: "seafood"
    allowed_by: list[Ref["Person"]] = field(default_factory=list)  # who agreed to an exception
    # "considering" is an idea, "planned" is intended, "agreed" is promised or confirmed.
    status: Literal["considering", "planned", "agreed", "done", "cancelled"] = "planned"
