"""The shape of what a model answers when it has read: nothing else is looked at. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MOST_FACTS, MOST_READINGS, MOST_DOUBTS = 30, 20, 10


def _storable(text: str) -> str:
    """Text that both databases take."""
    if "\0" in text:
        raise ValueError("text may not hold NUL; remove it")
    return text


def _storable_data(value: dict[str, Any]) -> dict[str, Any]:
    """Data whose every text both databases take, nested no deeper than any kind is."""
    level: list[Any] = [value]
    for _ in range(20):
        for one in level:
            if isinstance(one, str):
                _storable(one)
        inner = [one for one in level if isinstance(one, dict | list)]
        if not inner:
            return value
        level = [
            part
            for one in inner
            for part in ([*one.keys(), *one.values()] if isinstance(one, dict) else one)
        ]
    raise ValueError("it is nested too deeply")


Text = Annotated[str, AfterValidator(_storable)]
Short = Annotated[Text, Field(max_length=200)]
Words = Annotated[Text, Field(min_length=1, max_length=4_000)]


class Strict(BaseModel):
    """An object in which every name must be known."""

    model_config = ConfigDict(extra="forbid")


class FoundReading(Strict):
    """What a fact says of one record; `withdraw` is not for a model."""

    kind: Short
    op: Literal["assert", "update", "retract"]
    id: Short | None = None
    data: Annotated[dict[str, Any], AfterValidator(_storable_data)] = {}


class FoundFact(Strict):
    """One statement that a message makes, and the words it rests on."""

    text: Words
    quote: Words
    speaker: Short
    occurred_at: Short | None = None
    status: Literal["considering", "planned", "agreed", "done"] | None = None
    readings: Annotated[list[FoundReading], Field(max_length=MOST_READINGS)] = []
    fit: Literal["exact", "partial", "none"]
    needs: Literal["kind", "rule", "nothing"]
    doubts: Annotated[
        list[Annotated[Text, Field(max_length=500)]], Field(max_length=MOST_DOUBTS)
    ] = []


class FoundIn(Strict):
    """What one message says: facts, or why there is nothing to remember."""

    number: int
    facts: Annotated[list[FoundFact], Field(max_length=MOST_FACTS)] = []
    nothing_to_remember: Annotated[Text, Field(max_length=300)] | None = None


class ReadAnswer(Strict):
    """One entry for each message."""

    messages: Annotated[list[FoundIn], Field(max_length=200)]
