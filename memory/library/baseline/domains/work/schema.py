"""What the person does for a living."""

from dataclasses import dataclass
from typing import Literal

from uac import PartialDate, Ref, kind


@kind("jobs", key=("title",))
@dataclass
class Job:
    """A position, held, offered or left."""

    id: str
    title: str
    employer: Ref["Person"] | None = None  # None: self-employed, or nobody said
    since: PartialDate | None = None
    until: PartialDate | None = None  # the last day, month or year
    hours_a_week: int | None = None
    status: Literal["considering", "offered", "held", "left", "declined"] = "held"
