"""What is sent to the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Required, TypedDict
from uuid import UUID

Id = UUID | str
When = int | str | datetime
"""A fact's seq or a moment with its zone; as text an ISO 8601 moment with its offset."""


class NewReading(TypedDict, total=False):
    """What a fact means in types."""

    kind: Required[str]
    op: Literal["assert", "update", "retract", "withdraw"]
    id: str | None
    data: Mapping[str, Any]


class NewFact(TypedDict, total=False):
    """One statement about a person; moments with their zone."""

    text: Required[str]
    occurred_at: datetime | str
    source: str
    session: str
    message: int
    metadata: Mapping[str, Any]
    corrects: int
    readings: Sequence[NewReading]


class NewMessage(TypedDict, total=False):
    """One turn of a conversation."""

    role: Required[str]
    content: Required[str]
    said_at: datetime | str
    metadata: Mapping[str, Any]
