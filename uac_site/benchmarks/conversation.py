"""The facts that the benchmarks post: the sentences extracted from one long conversation."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from uac_site.env import BASE_DIR

DATA = BASE_DIR.parent / "shared" / "data"
CONVERSATION = Path("locomo") / "conv-43.json.gz"
WRITTEN = "%I:%M %p on %d %B, %Y"


class NoData(FileNotFoundError):
    """The evaluation data is not where it was looked for."""


@dataclass(frozen=True)
class Sentence:
    """One extracted fact: what it says, when it was said, in which session."""

    text: str
    said_at: datetime
    session: str

    def body(self, *readings: dict[str, Any]) -> dict[str, Any]:
        """The body of a post that appends it."""
        return {
            "text": self.text,
            "occurred_at": self.said_at.isoformat(),
            "session": self.session,
            "readings": list(readings),
        }

    def floor(self, person: UUID) -> dict[str, Any]:
        """The body of a post that puts it on the floor."""
        return {
            "person": str(person),
            "text": self.text,
            "occurred_at": self.said_at.isoformat(),
        }

    @property
    def note(self) -> dict[str, Any]:
        """A reading of it as a note, a kind that no rule reads."""
        return {"kind": "notes.Note", "data": {"text": self.text, "topic": self.session}}


def read_sentences(data: Path) -> list[Sentence]:
    """The conversation's facts, in order. Raises NoData."""
    path = data / CONVERSATION
    try:
        raw = gzip.decompress(path.read_bytes())
    except FileNotFoundError as error:
        raise NoData(f"{path} is missing; say with --data where the evaluation data is") from error
    return [
        Sentence(
            fact["text"],
            datetime.strptime(fact["date_time"], WRITTEN).replace(tzinfo=UTC),
            fact["session"],
        )
        for fact in json.loads(raw)["extracted_facts"]
    ]
