"""Short dialogues of doctor and patient, read: the allergies and drugs beside the clinician's note.

Whether they are right is judged by reading, and written down in `dialogues.toml` with the digest
of what was judged: a judgement of another state counts for nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.models import HeldReading
from uac_site.benchmarks.conversation import NoData
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Bound, Result, none_of
from uac_site.benchmarks.recorded import Stage, chosen, staged
from uac_site.benchmarks.talk import Talker, Turn, introduced

NAME = "dialogues"
FILE = "doctor_patient.json"
JUDGEMENTS = Path(__file__).resolve().parent / "dialogues.toml"
KINDS = ("health.Allergy", "health.Medication", "health.Intake", "notes.Note")
"""Where it may have come; what is denied, or has no name, is a note."""
HELD = "held"
BEGAN = datetime(2026, 1, 15, 9, tzinfo=UTC)  # the data has no dates
BETWEEN_TURNS = timedelta(seconds=20)
SPEAKER = re.compile(r"([A-Z][A-Za-z_]*\d?): ")
DIGEST_LENGTH = 12


@dataclass(frozen=True)
class Dialogue:
    """What was said, and what the clinician noted of it."""

    id: str
    note: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Known:
    """What came into the state: of each kind, the fields that have a value; and what is held."""

    records: Mapping[str, Sequence[Mapping[str, Any]]]
    unread: Sequence[str] = ()

    @property
    def digest(self) -> str:
        """Of the records, in any order."""
        every = sorted(json.dumps([kind, one], sort_keys=True) for kind, one in self._each())
        return hashlib.sha256("\n".join(every).encode()).hexdigest()[:DIGEST_LENGTH]

    def _each(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for kind, some in self.records.items():
            for one in some:
                yield kind, one


@dataclass(frozen=True)
class Judgement:
    """Allergies and drugs of a dialogue, counted by reading; `state` is what was judged.

    What each count means stands in `dialogues.toml`.
    """

    id: str
    state: str
    found: int = 0
    missed: int = 0
    invented: int = 0
    wrong_person: int = 0
    negation_missed: int = 0
    negation_kept: int = 0
    inexact: int = 0
    why: str = ""


COUNTS = tuple(one.name for one in fields(Judgement) if one.type == "int")


def run(inside: Inside) -> Result:
    """Post, read, show, and add the judgements up."""
    dialogues = read_dialogues(inside.options.data)
    ids = chosen(inside, [one.id for one in dialogues])
    asked = [one for one in dialogues if one.id in ids]
    known: dict[str, Known] = {}
    with staged(inside, NAME, stages=("read",)) as stage:
        for dialogue in asked:
            known[dialogue.id] = _read(stage, dialogue)
            _show(inside, dialogue, known[dialogue.id])
        told = stage.player.told
    return report(known, read_judgements(), told)


def read_dialogues(folder: Path) -> list[Dialogue]:
    """The dialogues, in order of the file. Raises NoData."""
    path = folder / FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["dialogues"]
    except FileNotFoundError as error:
        raise NoData(f"{path} is missing; say with --data where the evaluation data is") from error
    return [Dialogue(one["id"], one["note"], tuple(turns_of(one["dialogue"]))) for one in found]


def turns_of(text: str) -> Iterator[Turn]:
    """The turns of a dialogue, a line each: `Guest_family: Yes.`"""
    for number, line in enumerate(text.splitlines()):
        speaker = SPEAKER.match(line)
        if speaker is None:
            raise ValueError(f"line {number + 1} names no speaker")
        role = speaker[1].lower().replace("_", " ")
        yield Turn(role, line[speaker.end() :], BEGAN + number * BETWEEN_TURNS)


def read_judgements(path: Path = JUDGEMENTS) -> list[Judgement]:
    """The judgements as written down."""
    return [Judgement(**one) for one in tomllib.loads(path.read_text())["judged"]]


def _read(stage: Stage, dialogue: Dialogue) -> Known:
    stage.record_as(dialogue.id)
    person = introduced(stage.client, dialogue.id, {"display_name": "the patient"})
    person.say(dialogue.turns, "visit")
    records = {kind: [_told(one["data"]) for one in person.records(kind)] for kind in KINDS}
    return Known({**records, HELD: list(_held(person))}, person.unread())


def _held(person: Talker) -> Iterator[dict[str, Any]]:
    """What would change a record of these kinds, and waits for somebody to confirm it."""
    held = HeldReading.objects.held().filter(user=person.id, kind__in=KINDS)
    for one in held.order_by("pk"):
        yield {"op": one.op, "kind": one.kind, "id": one.record_id, "data": one.data}


def _told(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that say something; an id says nothing more than the fields."""
    return {name: value for name, value in data.items() if name != "id" and value not in (None, [])}


def _show(inside: Inside, dialogue: Dialogue, known: Known) -> None:
    inside.say(f"\n{dialogue.id} ({known.digest}): {dialogue.note}")
    for kind, some in known.records.items():
        for one in some:
            inside.say(f"  {kind}: {json.dumps(one, ensure_ascii=False)}")
    for reason in known.unread:
        inside.say(f"  not read: {reason}")


def report(known: Mapping[str, Known], judgements: Sequence[Judgement], told: str) -> Result:
    """What the judgements come to; each dialogue has one, of the state that it has now."""
    by_id = {one.id: one for one in judgements}
    judged = [by_id[id] for id, one in known.items() if id in by_id]
    valid = [one for one in judged if one.state == known[one.id].digest]
    sums = ", ".join(
        f"{name.replace('_', ' ')} {sum(getattr(one, name) for one in valid)}" for name in COUNTS
    )
    bounds = [
        Bound("dialogues judged", len(valid), len(known), at_least=True),
        none_of("judgements of another state", len(judged) - len(valid)),
        none_of("turns not read", sum(len(one.unread) for one in known.values())),
    ]
    return Result(bounds, f"{sums}; {told}")
