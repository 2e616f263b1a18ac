"""The shape of what a model answers when it is asked for code: nothing else is looked at. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from memory.checkpointer.reading.answer import Short, Strict, Text, storable_data

MOST_FILES, MOST_READINGS, LONGEST_SOURCE = 24, 60, 60_000

Path = Annotated[Text, Field(max_length=120)]


class ProposedFile(Strict):
    """A file of the person's own, whole."""

    path: Path
    source: Annotated[Text, Field(max_length=LONGEST_SOURCE)]


class ProposedReading(Strict):
    """What one of the given facts says of a record of the proposed kinds."""

    fact: int
    kind: Short
    op: Literal["assert", "update", "retract"]
    id: Short | None = None
    data: Annotated[dict[str, Any], AfterValidator(storable_data)] = {}


class CannotMeet(Strict):
    """A need that no code is written for, and why."""

    need: int
    why: Annotated[Text, Field(min_length=1, max_length=500)]


class StructureAnswer(Strict):
    """Files to add, replace and remove, and the readings that place what waits."""

    files: Annotated[list[ProposedFile], Field(max_length=MOST_FILES)] = []
    removed: Annotated[list[Path], Field(max_length=MOST_FILES)] = []
    readings: Annotated[list[ProposedReading], Field(max_length=MOST_READINGS)] = []
    summary: Annotated[Text, Field(max_length=2_000)] = ""
    cannot: Annotated[list[CannotMeet], Field(max_length=MOST_FILES)] = []
