"""What a model is given to read, and what it is shown beside that. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from memory.project.tree import Project


@dataclass(frozen=True)
class Item:
    """A message or a fact without readings; `said_at` is aware, `tries` the answers refused."""

    stream: Literal["message", "fact"]
    seq: int
    text: str
    speaker: str
    session: str
    said_at: datetime
    tries: int = 0


@dataclass(frozen=True)
class Shown:
    """A record that could be meant."""

    kind: str
    record_id: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Material:
    """All that a prompt may draw from; the prompt takes what fits its bound.

    `items` are of one stream, in order; `records` the likeliest first; `earlier` are turns before
    the first item, which have been read.
    """

    items: tuple[Item, ...]
    earlier: tuple[Item, ...]
    records: tuple[Shown, ...]
    counts: Mapping[str, int]
    project: Project
    name: str
    zone: ZoneInfo
