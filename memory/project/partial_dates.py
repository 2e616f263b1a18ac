"""The JSON forms of `PartialDate` and `DateSpan`, checked.

A partial date is `2026`, `2026-03` or `2026-03-21`; a span is
`{"start": "2026-03", "end": null, "approximate": true}` with all three keys once it is checked.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, model_validator

from memory.library.uac.dates import DateSpan, PartialDate

SHAPE = re.compile("[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


def parse_partial(text: str) -> PartialDate:
    """The partial date that its JSON form stands for. Raises ValueError."""
    if not SHAPE.fullmatch(text):
        raise ValueError("write it like 2026, 2026-03 or 2026-03-21")
    try:
        return PartialDate(*map(int, text.split("-")))
    except ValueError:
        raise ValueError(f"there is no such date as {text}") from None


def _checked(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("write it like 2026, 2026-03 or 2026-03-21, in quotes")
    parse_partial(value)
    return value


PartialText = Annotated[str, BeforeValidator(_checked)]


class SpanForm(BaseModel):
    """The JSON form of a span."""

    model_config = ConfigDict(extra="forbid")

    start: PartialText | None = None
    end: PartialText | None = None
    approximate: StrictBool = False

    @model_validator(mode="after")
    def _holds(self) -> SpanForm:
        bounds = [None if text is None else parse_partial(text) for text in (self.start, self.end)]
        DateSpan(bounds[0], bounds[1])  # raises ValueError where it ends before it starts
        self.model_fields_set.update(type(self).model_fields)  # so that what is kept is whole
        return self
