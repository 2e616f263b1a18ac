"""A kind with a field of every type, and values for it, as Python and as JSON."""

from __future__ import annotations

import dataclasses
from datetime import date, time, timedelta, timezone
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from memory.project.bundle import without_project_imports
from memory.project.schema import Kind, parse_schema
from memory.project.shipped import library

SOURCE = '''"""Everything there is."""

from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Literal

from uac import Ref, kind


@dataclass
class Dose:
    amount: float
    unit: str = "mg"
    since: date | None = None


@kind("things", key=())
@dataclass
class Thing:
    """One of them."""

    id: str
    text: str
    count: int = 0
    flag: bool = False
    ratio: float = 0.5
    day: date | None = None
    moment: datetime | None = None
    clock: time | None = None
    price: Decimal | None = None
    size: Literal["small", "large"] = "small"
    rank: Literal[1, 2, 3] | None = None
    tags: list[str] = field(default_factory=list)
    by_name: dict[str, int] = field(default_factory=dict)
    dose: Dose | None = None
    doses: list[Dose] = field(default_factory=list)
    other: Ref[Thing] | None = None
'''
THING: Kind = parse_schema("things", SOURCE)[0]

NAMES: dict[str, Any] = {}
_KIND = "".join(module.source for module in library().that_provide(()))
exec(without_project_imports(_KIND) + without_project_imports(SOURCE), NAMES)
Thing, Dose = NAMES["Thing"], NAMES["Dose"]

HOSTILE = [
    "", "'", '"', "'''", '"""', "\\", "\\n", "\n", "\r\n", "\t", "\x1b[0m", "\x7f", "{}", "%s",
    "\u202eevil\u202c", "\u2066\u2069", "\u200b", "\ufeff", "\u2028\u2029", "\x0c\x0b\x1c\x85",
    "\U0001f600\U0001f469\u200d\U0001f467", "e\u0301", "１２３", "٣", "ｉｄ", "# comment",
    "')]\nimport os", "'); x = (",
    "\\N{DIGIT ONE}", "\\x41", "__import__('os')", "None", "f'{x}'", "\U0010ffff",
]  # fmt: skip
TEXT = st.sampled_from(HOSTILE) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20
)
OFFSETS = st.none() | st.integers(-23 * 60, 23 * 60).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PRICES = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12)
DOSES = st.builds(Dose, FLOATS, st.sampled_from(["mg", "µg"]) | TEXT, st.none() | st.dates())
THINGS = st.builds(
    Thing,
    id=TEXT.filter(bool),
    text=TEXT,
    count=st.integers(-(2**70), 2**70),
    flag=st.booleans(),
    ratio=FLOATS,
    day=st.none() | st.dates(),
    moment=st.none() | st.datetimes(timezones=OFFSETS),
    clock=st.none() | st.times(),
    price=st.none() | PRICES,
    size=st.sampled_from(["small", "large"]),
    rank=st.sampled_from([None, 1, 2, 3]),
    tags=st.lists(TEXT, max_size=3),
    by_name=st.dictionaries(TEXT, st.integers(), max_size=3),
    dose=st.none() | DOSES,
    doses=st.lists(DOSES, max_size=2),
    other=st.none() | TEXT,
)


def as_json(value: Any) -> Any:
    """A value as an app would send it."""
    match value:
        case date() | time():
            return value.isoformat()
        case Decimal():
            return str(value)
        case list():
            return [as_json(part) for part in value]
        case dict():
            return {name: as_json(part) for name, part in value.items()}
    if dataclasses.is_dataclass(value):
        return {
            field.name: as_json(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    return value
