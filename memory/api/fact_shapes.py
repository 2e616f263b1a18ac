"""The bodies of `users/{id}/facts`: what comes in and what goes out."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, RootModel, StrictInt

from memory.api.fields import MAX_BATCH, Label, Metadata, Strict, Text, TrueAt
from memory.api.users import Head


class ReadingIn(Strict):
    """What a fact means in types.

    An `assert` of a kind that is not known yet is kept, and waits for the kind to be approved.
    """

    kind: Annotated[str, Field(description="Such as health.Medication.", max_length=200)]
    op: Literal["assert", "update", "retract", "withdraw"] = "assert"
    id: Annotated[
        str | None,
        Field(description="Which record; made from its key fields when left out.", max_length=200),
    ] = None
    data: dict[str, Any] = {}


class FactIn(Strict):
    """One statement about the person."""

    text: Text
    occurred_at: TrueAt | None = None
    source: Label = ""
    session: Label = ""
    message: Annotated[int | None, Field(description="The seq of the message it is from.")] = None
    metadata: Metadata = {}
    corrects: Annotated[
        StrictInt | None,
        Field(description="The seq of an earlier fact that was wrong; its readings are withdrawn."),
    ] = None
    readings: Annotated[list[ReadingIn], Field(max_length=100)] = []


class FactsIn(Strict):
    """Up to 1,000 statements, stored together or not at all."""

    facts: Annotated[list[FactIn], Field(min_length=1, max_length=MAX_BATCH)]


class FactsPosted(RootModel[FactIn | FactsIn]):
    """One fact as itself, or several as `{"facts": [...]}`."""


class ReadingOut(Strict):
    """A reading as stored, and what it did to its record.

    One that is `waiting` has no record yet, and an empty id.
    """

    seq: int
    kind: str
    op: str
    id: str
    effect: Literal["created", "changed", "unchanged", "removed", "absent", "waiting"]


class AppendedFact(Strict):
    seq: int
    hash: str
    readings: list[ReadingOut]


class EvaluationOut(Strict):
    """Whether the rules have seen these facts; where queued, they will within moments."""

    status: Literal["done", "queued"]
    through_seq: int


class AlertBrief(Strict):
    id: int
    severity: Literal["critical", "warning", "info"]
    status: str
    summary: str
    rule: str


class AlertsChanged(Strict):
    """What the facts opened, changed or cleared."""

    opened: list[AlertBrief]
    changed: list[AlertBrief]
    cleared: list[AlertBrief]


class AppendedOut(Strict):
    """What a post did."""

    user_id: UUID
    facts: list[AppendedFact]
    head: Head
    evaluation: EvaluationOut
    alerts: Annotated[
        AlertsChanged | None, Field(description="Null for a key without the scope alerts:read.")
    ]


class LoggedReading(Strict):
    seq: int
    kind: str
    op: str
    id: str
    data: dict[str, Any]
    origin: Annotated[
        str, Field(description="`app`, `correction`, `placed`, `model` or `confirmed`.")
    ]
    places: Annotated[
        int | None, Field(description="The seq of the waiting reading that this one placed.")
    ]


class FactOut(Strict):
    """A fact as it stands in the log."""

    seq: int
    text: str
    occurred_at: datetime
    recorded_at: datetime
    source: str
    session: str
    message: int | None
    metadata: dict[str, Any]
    corrects: int | None
    hash: str
    readings: list[LoggedReading]


class FactPage(Strict):
    items: list[FactOut]
    next: str | None
