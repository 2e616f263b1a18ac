"""The reference tables on pages: browse, search, and one row with where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.access import NotFound
from memory.library.reference import load
from memory.library.table_rows import Source
from memory.rights import Right
from memory.views.pages import number_of, staff_page
from memory.views.reference_index import Index, Row, index, is_reviewed
from memory.views.reference_words import TYPES, label_of, row_words, title_of, type_words

PAGE = 50
LONGEST = 100
SHOWN_NAMES = 4
SHOWN_LINKS = 6
SHOWN_BELOW = 30
BELOW = {
    "drug": "Drugs that belong to it",
    "product": "Products that contain it",
    "class": "Classes within it",
    "group": "Groups that it belongs to",
    "pair": "Interactions that name it",
    "caution": "Cautions that name it",
    "cross": "Cross-reactivities that name it",
}
RELATIONS = (
    ("general", "A form of"),
    ("stands_for", "The bare word may mean"),
    ("classes", "Classes"),
    ("ingredients", "Ingredients"),
    ("parent", "Part of"),
    ("first_class", "One side, of the"),
    ("first", "One side"),
    ("second_class", "The other side, of the"),
    ("second", "The other side"),
    ("members", "Members"),
)


@dataclass(frozen=True)
class Link:
    """Another row, by its name."""

    row_id: str
    title: str


@dataclass(frozen=True)
class Links:
    """Rows that a row names, or that name it; `more` are not listed."""

    words: str
    links: tuple[Link, ...]
    more: int = 0
    type: str = ""


@dataclass(frozen=True)
class Line:
    """A row in the list."""

    row: Row
    title: str
    also: str
    hidden_names: int
    kind: str
    relations: tuple[Links, ...]
    source: Source

    @property
    def reviewed(self) -> bool:
        """Whether somebody has reviewed the row."""
        return is_reviewed(self.row["reviewer"])


@require_safe
@staff_page(Right.CODE_READ)
def tables(request: HttpRequest) -> HttpResponse:
    """The rows that answer `?q=`, of a `type`, of a `file`, that mention the row `in`."""
    known, asked = index(), _asked(request.GET)
    found = known.search(asked["q"], type_=asked["type"], file=asked["file"], within=asked["in"])
    pages = Paginator(found, PAGE)
    page: Page[Row] = pages.get_page(number_of(request.GET.get("page")) or 1)
    context = {
        "page": page,
        "lines": [_line(row) for row in page],
        "asked": asked,
        "filtered": any(asked.values()),
        "within": _link(asked["in"]) if asked["in"] else None,
        "query": _query(asked),
        "types": [(name, TYPES[name][1], known.types[name]) for name in TYPES if known.types[name]],
        "total": len(known.entries),
        **_age(known, timezone.localdate()),
    }
    return render(request, "memory/tables.html", context)


@require_safe
@staff_page(Right.CODE_READ)
def table_row(request: HttpRequest, row_id: str) -> HttpResponse:
    """One row: all that it says, where that comes from, and the rows that name it."""
    row = load().row(row_id)
    if row is None:
        raise NotFound
    known = index()
    context = {
        "row": row,
        "title": title_of(row),
        "kind": type_words(row["type"]),
        "words": row_words(row),
        "names": list(row.get("names", ()))[1:],
        "relations": _relations(row, limit=None),
        "below": _below(known, row_id),
        "source": _source(row),
        "reviewed": is_reviewed(row["reviewer"]),
        "digest": known.digest,
        "days": (timezone.localdate() - row["date"]).days,
    }
    return render(request, "memory/table_row.html", context)


def _asked(query: QueryDict) -> dict[str, str]:
    """What the address asks for; what cannot be is taken for not asked."""
    given = {
        name: query.get(name, "").replace("\0", "").strip()[:LONGEST]
        for name in ("q", "type", "file", "in")
    }
    return given | {
        "type": given["type"] if given["type"] in TYPES else "",
        "file": given["file"] if given["file"] in load().files else "",
    }


def _query(asked: dict[str, str]) -> str:
    """The query string that asks the same again, for the links between pages."""
    query = QueryDict(mutable=True)
    query.update({name: value for name, value in asked.items() if value})
    return query.urlencode()


def _age(known: Index, today: date) -> dict[str, Any]:
    return {
        "files": [(file, file.days(today)) for file in known.files],
        "oldest": (oldest := min(known.files, key=lambda file: file.table.date)),
        "oldest_days": oldest.days(today),
        "unreviewed": [file for file in known.files if not file.reviewed],
        "digest": known.digest,
    }


def _line(row: Row) -> Line:
    also = list(row.get("names", ()))[1:]
    return Line(
        row=row,
        title=title_of(row),
        also=", ".join(also[:SHOWN_NAMES]),
        hidden_names=max(len(also) - SHOWN_NAMES, 0),
        kind=type_words(row["type"]),
        relations=_relations(row, limit=SHOWN_LINKS),
        source=_source(row),
    )


def _relations(row: Row, *, limit: int | None) -> tuple[Links, ...]:
    """The rows that a row names, by what they are to it."""
    found = []
    for field, words in RELATIONS:
        value = row.get(field) or []
        named = [value] if isinstance(value, str) else list(value)
        if named:
            found.append(_links(words, named, limit or len(named)))
    return tuple(found)


def _below(known: Index, row_id: str) -> tuple[Links, ...]:
    """The rows that name this one, by their type."""
    by_type: dict[str, list[str]] = {}
    for other in known.mentioned_by.get(row_id, ()):
        by_type.setdefault(load().rows[other]["type"], []).append(other)
    below = [
        _links(words, by_type[type_], SHOWN_BELOW, type_)
        for type_, words in BELOW.items()
        if type_ in by_type
    ]
    through = known.through_groups(row_id)
    if through:
        below.append(_links("Interactions and cautions by its groups", through, len(through)))
    return tuple(below)


def _links(words: str, row_ids: Sequence[str], limit: int, type_: str = "") -> Links:
    links = tuple(map(_link, row_ids[:limit]))
    return Links(words, links, len(row_ids) - len(links), type_)


def _link(row_id: str) -> Link:
    return Link(row_id, label_of(row_id))


def _source(row: Row) -> Source:
    return load().files[row["file"]].sources[row["source"]]
