"""The shape of what a model answers to a question: nothing else is looked at. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from memory.checkpointer.model.answers import Shape

MOST_QUOTES = 40
LONGEST_CODE = 8_000
LONGEST_QUESTION = 2_000
VALUE = "{value}"
"""Where a sentence has the value of its query."""


def _storable(text: str) -> str:
    """Text without NUL, which no page and no database takes."""
    if "\0" in text:
        raise ValueError("text may not hold NUL; remove it")
    return text


def _brief(schema: dict[str, Any]) -> None:
    """Leave out of a JSON schema what repeats the names: each prompt has it."""
    for part in (schema, *schema.get("properties", {}).values()):
        for name in ("title", "description"):
            part.pop(name, None)


class Strict(BaseModel):
    """An object that has every one of its names and no other."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_brief)


class Quote(Strict):
    """Words copied from an excerpt; `item` names the one thing among many that they tell of."""

    excerpt: int
    quote: Annotated[str, Field(max_length=1_000), AfterValidator(_storable)]
    item: Annotated[str, Field(max_length=100), AfterValidator(_storable)]


class Written(Strict):
    """An answer: a query with a sentence for its value, a sentence with quotes, or neither."""

    how: Literal["query", "text", "unknown"]
    code: Annotated[str, Field(max_length=LONGEST_CODE), AfterValidator(_storable)]
    sentence: Annotated[str, Field(max_length=1_500), AfterValidator(_storable)]
    quotes: Annotated[list[Quote], Field(max_length=MOST_QUOTES)]


SHAPE = Shape(Written, name="answer")
