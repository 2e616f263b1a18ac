"""What waits for a structure, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from memory.project.fold import Op
from memory.project.tree import Project


class Waiting(Protocol):
    """A reading whose kind is not known, or has been outgrown, as it was sent.

    `fallback_id` is the id of its record where neither the data nor a key names one.
    """

    @property
    def seq(self) -> int: ...
    @property
    def fact_seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def op(self) -> Op: ...
    @property
    def data(self) -> dict[str, Any]: ...
    @property
    def fallback_id(self) -> str: ...


@dataclass(frozen=True)
class Placed:
    """What a waiting reading says once its kind is there: the record, and the fields it names."""

    seq: int
    fact_seq: int
    kind: str
    record_id: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Unplaced:
    """A reading that goes on waiting, and why."""

    seq: int
    fact_seq: int
    kind: str
    reason: str


@dataclass(frozen=True)
class Structured:
    """A project in which as much as possible of what waits has a place.

    `new` and `widened` name the kinds that were added and changed, `renames` the JSON names whose
    fields are called otherwise, by kind (and by dataclass nested in one).
    """

    project: Project
    new: tuple[str, ...]
    widened: tuple[str, ...]
    placed: tuple[Placed, ...]
    unplaced: tuple[Unplaced, ...]
    renames: Mapping[str, Mapping[str, str]]
