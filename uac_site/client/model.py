"""What every answer is made of."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")


Item = TypeVar("Item", bound=Answer)


class Page(Answer, Generic[Item]):
    """Some items of a list, and the address of those that follow."""

    items: list[Item]
    next: str | None
