"""The shape of what a model answers when it has read: nothing else is looked at. Pure."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SkipValidation

MOST_FACTS, MOST_READINGS, MOST_DOUBTS, MOST_CONCERNS = 30, 20, 10, 3


def _storable(text: str) -> str:
    """Text that both databases take."""
    if "\0" in text:
        raise ValueError("text may not hold NUL; remove it")
    return text


def storable_data(value: dict[str, Any]) -> dict[str, Any]:
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
Short = Annotated[str, Field(max_length=200), AfterValidator(_storable)]
Words = Annotated[str, Field(min_length=1, max_length=4_000), AfterValidator(_storable)]


def _brief(schema: dict[str, Any]) -> None:
    """Leave out of a JSON schema what repeats the names, and lengths that no answer reaches by
    right: each prompt has it. What is too long is refused all the same."""
    fields = schema.get("properties", {}).values()
    inner = [part for one in fields for part in (*one.get("anyOf", ()), one.get("items", {}))]
    for part in (schema, *fields, *inner):
        for name in ("title", "description", "default", "maxLength", "minLength"):
            part.pop(name, None)


class Strict(BaseModel):
    """An object in which every name must be known."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_brief)


class FoundReading(Strict):
    """What a fact says of one record; `withdraw` is not for a model."""

    kind: Short
    op: Literal["assert", "update", "retract"]
    id: Short | None = None
    data: Annotated[dict[str, Any], AfterValidator(storable_data)] = {}


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


class NamedRecord(Strict):
    """A record by its kind and id."""

    kind: Short
    id: Short


class FoundConcern(Strict):
    """A conflict between a message and records that were shown; no more than a warning."""

    number: int
    quote: Words
    summary: Annotated[str, Field(min_length=1, max_length=140), AfterValidator(_storable)]
    why: Annotated[str, Field(max_length=500), AfterValidator(_storable)]
    severity: Literal["warning", "info"]
    records: Annotated[list[NamedRecord], Field(min_length=1, max_length=5)]


class ReadAnswer(Strict):
    """One entry for each message; conflicts apart.

    Concerns are as they came: `concerns.py` looks at each, so that a bad one costs no fact.
    """

    messages: Annotated[list[FoundIn], Field(max_length=200)]
    concerns: Annotated[
        SkipValidation[list[FoundConcern]], Field(json_schema_extra={"maxItems": MOST_CONCERNS})
    ] = []

    def about(self, numbers: Collection[int]) -> ReadAnswer:
        """What it says of some messages; concerns are looked at again by whoever needs them."""
        kept = [one for one in self.messages if one.number in numbers]
        return self.model_copy(update={"messages": kept})
