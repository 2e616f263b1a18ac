"""What the person does again and again, or is fond of."""

from dataclasses import dataclass
from typing import Literal

from uac import PartialDate, kind


@kind("habits", key=("what",))
@dataclass
class Habit:
    """Something done regularly: a sport, a hobby, smoking, an evening walk."""

    id: str
    what: str
    how_often: str | None = None  # as it was said: "twice a week"
    since: PartialDate | None = None
    until: PartialDate | None = None
    status: Literal["intended", "current", "given up"] = "current"
