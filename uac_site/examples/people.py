"""The example people as written down in TOML: who they are, their words, their stories."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

FOLDER = Path(__file__).resolve().parent
Words = dict[str, tuple[str, ...]]


class Written(BaseModel):
    """A table of a TOML file in which every name must be known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ReadingText(Written):
    """A reading whose texts may hold `{day:-20}`: twenty days before today."""

    kind: str
    op: Literal["assert", "update", "retract"] = "assert"
    id: str | None = None
    data: dict[str, Any] = {}


class Line(Written):
    """A sentence of ordinary life that may be drawn on any day its months and weekdays allow."""

    text: str
    said: str = ""
    topic: str
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()


class Event(Written):
    """Something that happened on one day; `said` is how the person told it in a chat."""

    ago: int
    at: str
    source: str
    text: str
    said: str = ""
    reply: str = ""
    topic: str = ""
    readings: tuple[ReadingText, ...] = ()


class Reply(Written):
    """What the assistant answers when nothing special was said."""

    text: str


class Everyday(Written):
    """What all people share."""

    words: Words
    lines: tuple[Line, ...]
    replies: tuple[Reply, ...]


class Person(Written):
    """One invented person."""

    external_id: str
    name: str
    first_name: str
    pronouns: tuple[str, str, str]
    timezone: str
    team: str
    facts_a_week: int
    words: Words
    lines: tuple[Line, ...]
    story: tuple[Event, ...]

    @model_validator(mode="before")
    @classmethod
    def join_words(cls, data: dict[str, Any]) -> dict[str, Any]:
        """TOML needs a second table for the words that stand below the lines."""
        words = dict(data["words"])
        words.update(words.pop("more", {}))
        return {**data, "words": words}


def read_everyday() -> Everyday:
    """The lines, words and replies that all people share."""
    return Everyday.model_validate(_read(FOLDER / "everyday.toml"))


def read_people() -> list[Person]:
    """Every example person, in order of their files' names."""
    return [
        Person.model_validate(_read(path)) for path in sorted((FOLDER / "people").glob("*.toml"))
    ]


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
