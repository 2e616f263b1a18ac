"""The scenarios of `active_service.json`, and whether what was raised is what they wait for. Pure.

A rubric is read by the machine alone: nothing here prints one, or tells which group was missed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from uac_site.benchmarks.conversation import NoData

FILE = "active_service.json"
Rubric = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Session:
    """What the user said, and on which day."""

    number: int
    day: date
    said: str


@dataclass(frozen=True)
class Scenario:
    """Sessions up to the one after which an alert is due; `rubric` is None where none was given."""

    id: str
    sessions: tuple[Session, ...]
    rubric: Rubric | None


def read_scenarios(folder: Path) -> list[Scenario]:
    """The scenarios, in order of the file. Raises NoData."""
    path = folder / FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["scenarios"]
    except FileNotFoundError as error:
        raise NoData(f"{path} is missing; say with --data where the evaluation data is") from error
    return [_scenario(one) for one in found]


def _scenario(written: Mapping[str, Any]) -> Scenario:
    sessions = [
        Session(one["session_id"], date.fromisoformat(one["timestamp"]), one["user"])
        for one in written["sessions"]
        if one["session_id"] <= written["trigger_session"]
    ]
    rubric = written["rubric"]
    return Scenario(
        id=written["id"],
        sessions=tuple(sorted(sessions, key=lambda one: one.number)),
        rubric=rubric["required"] if rubric else None,
    )


def satisfies(rubric: Rubric, text: str) -> bool:
    """Whether a text matches at least one pattern of every group, capital letters aside."""
    return all(
        any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)
        for patterns in rubric.values()
    )


@dataclass(frozen=True)
class Heard:
    """Something that was open: what it says, and the same with the text of its evidence."""

    id: int
    origin: str
    severity: str
    sentence: str
    full: str


FINDING, PROVISIONAL, CONCERN = "finding", "provisional", "concern"
APPROVED = frozenset({FINDING})
WITH_PROVISIONAL = APPROVED | {PROVISIONAL}
WITH_CONCERNS = WITH_PROVISIONAL | {CONCERN}


@dataclass(frozen=True)
class Scored:
    """Of which origins something satisfied the rubric: before it was due, and when it was."""

    early: frozenset[str]
    due: frozenset[str]

    def passes(self, origins: frozenset[str]) -> bool:
        """Whether it was raised when it was due, by one of these origins, and not before."""
        return bool(self.due & origins) and not self.early & origins


def score(
    rubric: Rubric, before: Iterable[Heard], after: Iterable[Heard], *, evidence: bool
) -> Scored:
    """What satisfies a rubric after the trigger session, and what did after an earlier one."""

    def origins(heard: Iterable[Heard]) -> frozenset[str]:
        return frozenset(
            one.origin for one in heard if satisfies(rubric, one.full if evidence else one.sentence)
        )

    return Scored(origins(before), origins(after))


def news(before: Iterable[Heard], after: Iterable[Heard]) -> list[Heard]:
    """What was open after the trigger session and had not been before."""
    known = {one.id for one in before}
    return [one for one in after if one.id not in known and one.origin in WITH_CONCERNS]
