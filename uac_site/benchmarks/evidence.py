"""Long conversations with questions about them, and the turns in which each answer stands."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from uac_site.benchmarks.conversation import WRITTEN, NoData, Sentence
from uac_site.benchmarks.turns import BETWEEN_TURNS

CATEGORIES = {
    1: "several turns",
    2: "when",
    3: "with common knowledge",
    4: "one turn",
    5: "unanswerable",
}
TURN = re.compile(r"D:?(\d+):0*(\d+)")


@dataclass(frozen=True)
class Question:
    """What is asked, and the places of the turns that answer it: numbers in the conversation.

    `answer` is the wanted one, empty where there is none.
    """

    text: str
    category: int
    evidence: frozenset[int]
    answer: str = ""


@dataclass(frozen=True)
class Told:
    """A turn as the API takes it, and its session."""

    body: dict[str, str]
    session: str


@dataclass(frozen=True)
class Conversation:
    """Its turns from 1 on, the facts that were extracted from it, and questions."""

    id: str
    turns: Sequence[Told]
    facts: Sequence[Sentence]
    questions: Sequence[Question]
    speaker: str = ""
    """The first of the two."""

    def sessions_of(self, places: Iterable[int]) -> set[str]:
        """The sessions of some turns."""
        return {self.turns[place - 1].session for place in places}


def read_conversations(data: Path) -> list[Conversation]:
    """All conversations of the folder. Raises NoData."""
    paths = sorted((data / "locomo").glob("conv-*.json.gz"))
    if not paths:
        raise NoData(f"no conversation is in {data / 'locomo'}; say with --data where they are")
    return [_conversation(json.loads(gzip.decompress(path.read_bytes()))) for path in paths]


def _conversation(found: dict[str, Any]) -> Conversation:
    turns, places = [], {}
    for session in found["sessions"]:
        began = datetime.strptime(session["date_time"], WRITTEN).replace(tzinfo=UTC)
        for number, turn in enumerate(session["turns"]):
            turns.append(_told(turn, session["id"], began + number * BETWEEN_TURNS))
            places[turn["id"]] = len(turns)
    facts = [
        Sentence(
            one["text"],
            datetime.strptime(one["date_time"], WRITTEN).replace(tzinfo=UTC),
            one["session"],
        )
        for one in found["extracted_facts"]
    ]
    questions = [
        Question(one["question"], one["category"], evidence, str(one["answer"] or ""))
        for one in found["questions"]
        if (evidence := _evidence(one["evidence"], places))
    ]
    return Conversation(found["id"], turns, facts, questions, found["speakers"][0])


def _told(turn: dict[str, str], session: str, said_at: datetime) -> Told:
    """Who speaks is the turn's role; what a picture shows is not posted."""
    body = {"role": turn["speaker"], "content": turn["text"], "said_at": said_at.isoformat()}
    return Told(body, session)


def _evidence(written: Iterable[str], places: dict[str, int]) -> frozenset[int]:
    """The turns named, as `D1:3`; a few are written `D1:3; D2:4`, and a few name no turn."""
    named = {f"D{session}:{turn}" for text in written for session, turn in TURN.findall(text)}
    return frozenset(places[name] for name in named if name in places)


def recall(wanted: Collection[Any], found: Iterable[Any]) -> float:
    """The part of what was wanted that was found."""
    return len({*wanted} & {*found}) / len(wanted)


@dataclass
class Tally:
    """Recalls by name and category."""

    def __post_init__(self) -> None:
        self._all: dict[tuple[str, int], list[float]] = defaultdict(list)

    def add(self, name: str, category: int, value: float) -> None:
        """Count one question."""
        self._all[name, category].append(value)

    def mean(self, name: str, category: int | None = None) -> float:
        """Over the questions of a category, or over all; not a number where there are none."""
        values = [
            value
            for (one, of), some in self._all.items()
            if one == name and category in (None, of)
            for value in some
        ]
        return sum(values) / len(values) if values else float("nan")

    def count(self, name: str, category: int | None = None) -> int:
        """How many questions."""
        return sum(
            len(some)
            for (one, of), some in self._all.items()
            if one == name and category in (None, of)
        )


def long_history(conversations: Sequence[Conversation], count: int) -> list[Told]:
    """Turns of all conversations, one after the other and over again, until there are `count`."""
    turns: list[Told] = []
    around = 0
    while len(turns) < count:
        for conversation in conversations:
            turns += [
                Told(_later(turn.body, around), f"{conversation.id} {turn.session} {around}")
                for turn in conversation.turns
            ]
        around += 1
    return turns[:count]


def _later(body: dict[str, str], around: int) -> dict[str, str]:
    said_at = datetime.fromisoformat(body["said_at"]) + around * timedelta(days=1)
    return {**body, "said_at": said_at.isoformat()}
