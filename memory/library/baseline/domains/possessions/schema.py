"""What the person or somebody near owns."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from uac import Ref, kind


@kind("things", key=("name",))
@dataclass
class Thing:
    """An object that can be used, bought, lent, repaired or returned."""

    id: str
    name: str  # as it was said: "the blue car", "dishwasher"
    model: str | None = None
    owner: Ref["Person"] | None = None  # None: the person remembered, or nobody said
    seller: Ref["Person"] | None = None
    bought_on: date | None = None
    received_on: date | None = None
    price: Decimal | None = None
    currency: str = "USD"
    status: Literal["wanted", "ordered", "owned", "lent", "returned", "sold", "lost"] = "owned"
