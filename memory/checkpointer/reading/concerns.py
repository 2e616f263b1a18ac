"""Which of a model's concerns can be shown, and what is wrong with the others. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from memory.checkpointer.reading.answer import MOST_CONCERNS, FoundConcern
from memory.checkpointer.reading.item import Item
from memory.checkpointer.reading.quotes import quote_problem

Path = tuple[str | int, ...]
Wrong = tuple[Path, str]
"""Where a concern is wrong, from `concerns` on, and why."""


def concerns_in(
    said: Any, items: Mapping[int, Item], shown: Collection[tuple[str, str]]
) -> tuple[list[FoundConcern], list[Wrong]]:
    """The concerns that are right, of whatever a model has answered, and what is wrong.

    `shown` are the records of the prompt, by kind and id.
    """
    if not isinstance(said, list):
        return [], [] if said is None else [(("concerns",), "it is a list, empty as a rule")]
    right: list[FoundConcern] = []
    wrong: list[Wrong] = []
    for place, one in enumerate(said[:MOST_CONCERNS]):
        try:
            concern = FoundConcern.model_validate(one)
        except ValidationError as error:
            odd: list[Wrong] = [(found["loc"], found["msg"]) for found in error.errors()]
        else:
            odd = list(_odd(concern, items, shown))
            right += [] if odd else [concern]
        wrong += [(("concerns", place, *path), detail) for path, detail in odd]
    if len(said) > MOST_CONCERNS:
        wrong.append((("concerns",), f"there are {len(said)}; keep the {MOST_CONCERNS} gravest"))
    return right, wrong


def _odd(
    concern: FoundConcern, items: Mapping[int, Item], shown: Collection[tuple[str, str]]
) -> Iterator[Wrong]:
    item = items.get(concern.number)
    if item is None:
        yield ("number",), f"there is no number {concern.number}"
    elif detail := quote_problem(concern.quote, item.text):
        yield ("quote",), detail
    if not concern.summary.strip():
        yield ("summary",), "write something; it is empty"
    for place, one in enumerate(concern.records):
        if (one.kind, one.id) not in shown:
            named = f"{one.kind} {one.id!r} is none of the records that you were shown"
            yield ("records", place), f"{named}; name one of those, or leave the concern out"
