"""`as_of`: what was known at an earlier moment, asked for in the same way everywhere."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from pydantic import Field, PlainValidator, WithJsonSchema
from rest_framework.request import Request

from memory.api.base import query_moment
from memory.api.fields import Strict, parse_query_moment
from memory.api.problems import Problem
from memory.models import MemoryUser
from memory.then import NotYet, Then, When, check_past, then

NAME = "as_of"
MOST = 2**31 - 1
ABOUT = "A fact's seq, or a moment with its offset: what was known then."
AS_OF = OpenApiParameter(NAME, str, description=ABOUT)


def _as_of(value: Any) -> When:
    if isinstance(value, str):
        return parse_query_moment(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise ValueError("give the seq of a fact, or a moment such as 2026-11-21T20:14:00Z")
    return value


AsOf = Annotated[
    Any,
    PlainValidator(_as_of),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": MOST},
                {"type": "string", "format": "date-time"},
            ],
            "description": ABOUT,
        }
    ),
]
"""The same in a body: a number is a seq."""


class AsOfOut(Strict):
    """What an answer about an earlier moment holds for."""

    moment: datetime
    fact_seq: int = Field(description="The last fact that had been recorded.")
    reading_seq: int
    version: str = Field(description="Digest of the person's project of then.")
    today: date = Field(description="The person's date of then.")


def when_of(request: Request, user: MemoryUser) -> When | None:
    """The moment or seq that a query string asks for, if any. Raises Problem (400)."""
    text = request.query_params.get(NAME)
    if text is None:
        return None
    when: When | None
    if text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= MOST:
        when = int(text)
    else:
        when = query_moment(request, NAME)
    assert when is not None
    try:
        check_past(user, when, now=timezone.now())
    except NotYet as error:
        raise _not_yet(error) from error
    return when


def then_of(request: Request, user: MemoryUser) -> Then | None:
    """The person as of what a query string asks for, if it does. Raises Problem (400)."""
    when = when_of(request, user)
    return None if when is None else known_then(user, when)


def known_then(user: MemoryUser, when: When) -> Then:
    """The person at a moment that somebody asks for. Raises Problem (400)."""
    try:
        return then(user, when, now=timezone.now())
    except NotYet as error:
        raise _not_yet(error) from error


def _not_yet(error: NotYet) -> Problem:
    return Problem(400, "Not yet", f"{NAME}: {error}. Leave it out for what is known now.")


def then_json(known: Then | None) -> dict[str, Any] | None:
    """What an answer holds for, as `AsOfOut` has it; None for now."""
    if known is None:
        return None
    return {
        "moment": known.moment,
        "fact_seq": known.fact_seq,
        "reading_seq": known.reading_seq,
        "version": known.code.project.digest,
        "today": known.today.isoformat(),
    }
