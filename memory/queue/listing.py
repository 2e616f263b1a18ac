"""The queue itself: the items of all sources in one order, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils import timezone

from memory import access
from memory.access import Somebody
from memory.models import CarePlacement
from memory.project.danger import DANGERS
from memory.queue.asked import Asked
from memory.queue.sources import COLUMNS, Entry, Row, sources

PAGE = 25


@dataclass(frozen=True)
class Line:
    """An entry beside the row that draws it."""

    entry: Entry
    row: Row


def page_of(somebody: Somebody, asked: Asked, number: str | None) -> Page[Any]:
    """A page of entries, those of the last page where there are not so many."""
    return Paginator(_found(somebody, asked), PAGE).get_page(number)


def count_of(somebody: Somebody) -> int:
    """How much waits for somebody; one query."""
    return _found(somebody, Asked()).count()


def lines_of(page: Iterable[Any], now: datetime) -> list[Line]:
    """The lines of a page's entries in their order; an item that is gone meanwhile is left out."""
    found = [Entry(*one) for one in page]
    rows: dict[tuple[str, str], Row] = {}
    for source in sources():
        keys = [one.key for one in found if one.what == source.name]
        if keys:
            rows |= {(source.name, key): row for key, row in source.rows(keys, now).items()}
    return [Line(one, rows[place]) for one in found if (place := (one.what, one.key)) in rows]


def _found(somebody: Somebody, asked: Asked) -> QuerySet[Any]:
    parts = [
        _narrowed(part, somebody, asked).values_list(*COLUMNS)
        for source in sources()
        if asked.kind in ("", source.name) and (part := source.asked(somebody, asked)) is not None
    ]
    if not parts:
        return access.proposals(None).values_list("pk")
    first, *others = parts
    return first.union(*others, all=True).order_by(*_order(asked))


def _order(asked: Asked) -> tuple[str, ...]:
    if asked.order == "oldest":
        return ("since", "key")
    return ("grave", "-since", "key") if asked.is_open else ("-since", "key")


def _narrowed(found: QuerySet[Any], somebody: Somebody, asked: Asked) -> QuerySet[Any]:
    if asked.danger:
        found = found.filter(grave=DANGERS.index(asked.danger))
    if asked.sought:
        found = found.filter(
            Q(user__display_name__icontains=asked.sought)
            | Q(user__external_id__icontains=asked.sought)
        )
    if asked.team:
        placed = CarePlacement.objects.at(timezone.now()).filter(
            team=asked.team, team__in=access.own_teams(somebody)
        )
        found = found.filter(user__in=placed.values("user"))
    return found
