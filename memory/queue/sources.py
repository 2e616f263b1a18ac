"""Where the items of the queue come from: whoever has something to decide registers a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.db.models import CharField, Expression, F, QuerySet, SmallIntegerField, Value
from django.db.models.functions import Cast

from memory.access import Somebody
from memory.models import MemoryUser
from memory.queue.asked import Asked
from memory.rights import Right

COLUMNS = ("what", "key", "grave", "since")


@dataclass(frozen=True)
class Entry:
    """One item of the queue: its source, its key there, the rank of its danger, since when."""

    what: str
    key: str
    grave: int
    since: datetime


class Row(Protocol):
    """An entry with all that its line shows; `template` draws it as `row`."""

    @property
    def template(self) -> str: ...
    @property
    def person(self) -> MemoryUser: ...


class Source(Protocol):
    """One kind of items: those of the people to whom somebody has `right`."""

    name: str
    right: Right

    def waiting(self) -> QuerySet[Any]:
        """All that nobody has decided, whomever it is about, as `entries` made of it."""

    def asked(self, somebody: Somebody, asked: Asked) -> QuerySet[Any] | None:
        """The items that somebody may decide and asks for, as `entries`; None: there can be none.

        Each has the person as `user`; filters of the person, and of danger, are not its concern.
        """

    def rows(self, keys: Sequence[str], now: datetime) -> Mapping[str, Row]:
        """The rows of these items by key, in a number of queries that does not grow with them."""


def entries(
    found: QuerySet[Any], what: str, *, grave: Expression | F, since: str = "created_at"
) -> QuerySet[Any]:
    """A table's rows with the columns that every source has."""
    return found.order_by().annotate(  # type: ignore[no-any-return]
        what=Value(what, CharField()),
        key=Cast("pk", CharField()),
        grave=Cast(grave, SmallIntegerField()),
        since=F(since),
    )


_sources: list[Source] = []


def register(source: Source) -> None:
    """Add a source, in place of the one that had its name."""
    _sources[:] = [*(one for one in _sources if one.name != source.name), source]


def sources() -> Sequence[Source]:
    """Every source, in the order in which they came."""
    return tuple(_sources)
