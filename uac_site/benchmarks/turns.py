"""The turns of a long conversation between two people, of whom the first is the person."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from uac_site.benchmarks.conversation import WRITTEN, NoData
from uac_site.benchmarks.talk import Turn

BETWEEN_TURNS = timedelta(seconds=20)


@dataclass(frozen=True)
class Sitting:
    """A session: its turns in order."""

    id: str
    turns: tuple[Turn, ...]

    @property
    def ends(self) -> datetime:
        """When its last turn was said."""
        return self.turns[-1].said_at

    def shifted(self, by: timedelta, id: str) -> Sitting:
        """The same at another time."""
        turns = tuple(replace(turn, said_at=turn.said_at + by) for turn in self.turns)
        return Sitting(id, turns)


@dataclass(frozen=True)
class Conversation:
    """Sessions of a person, called by their own name, with somebody else."""

    person: str
    sittings: tuple[Sitting, ...]


def read_conversation(data: Path, name: str) -> Conversation:
    """A conversation such as conv-43. Raises NoData."""
    path = data / "locomo" / f"{name}.json.gz"
    try:
        found = json.loads(gzip.decompress(path.read_bytes()))
    except FileNotFoundError as error:
        raise NoData(f"{path} is missing; say with --data where the evaluation data is") from error
    sittings = []
    for session in found["sessions"]:
        began = datetime.strptime(session["date_time"], WRITTEN).replace(tzinfo=UTC)
        turns = [
            Turn(turn["speaker"], turn["text"], began + number * BETWEEN_TURNS)
            for number, turn in enumerate(session["turns"])
        ]
        sittings.append(Sitting(session["id"], tuple(turns)))
    return Conversation(found["speakers"][0], tuple(sittings))
