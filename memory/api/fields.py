"""Field types that several resources share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from memory.project.payload import iso

MAX_TEXT = 1_000_000
MAX_BATCH = 1_000
MAX_PAGE = 200
FUTURE = timedelta(days=1)
"""How far a clock may be ahead of ours in saying when something was true or said."""
FIRST = datetime(1, 1, 2, tzinfo=UTC)
LAST = datetime(9999, 12, 30, tzinfo=UTC)


class Strict(BaseModel):
    """A body in which every name must be known."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("write something; it is empty")
    return value


def _in_utc(moment: datetime) -> datetime:
    """The same moment in UTC: PostgreSQL refuses offsets of 16 hours and more."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("in UTC this is outside the years 1 to 9999; send another date") from None


def _in_every_zone(moment: datetime) -> datetime:
    """The same moment, which has a date wherever the person is: it is shown in their zone."""
    if not FIRST <= moment <= LAST:
        raise ValueError("this is not a date in every time zone; send one after 0001-01-01")
    return moment


Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT), AfterValidator(_not_blank)]
Label = Annotated[str, Field(max_length=200)]
Metadata = Annotated[dict[str, Any], Field(description="Free JSON, kept as it came.")]
WITH_OFFSET = iso("2026-11-21T20:14", shown="2026-11-21T20:14:00Z, with its offset")
Moment = Annotated[
    AwareDatetime,
    WITH_OFFSET,
    AfterValidator(_in_utc),
    Field(description="ISO 8601 with an offset, such as 2026-11-21T20:14:00Z."),
]
TrueAt = Annotated[Moment, AfterValidator(_in_every_zone)]
"""When something was true or said, to be stored and shown again."""
_MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)


def parse_query_moment(text: str) -> datetime:
    """A moment from a query string. Raises pydantic.ValidationError."""
    return _MOMENT.validate_strings(text.replace(" ", "+"))
