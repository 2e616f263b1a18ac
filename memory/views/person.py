"""The page of one person: a banner, and a tab at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory import access
from memory.log import FactFilter, page_of_facts
from memory.models import MemoryUser, Record
from memory.retrieval.search import LONGEST_QUERY
from memory.rights import Right
from memory.then import then
from memory.views.banner import banner_of
from memory.views.console import console
from memory.views.days import day_of, last_moment_of
from memory.views.held_rows import held_rows
from memory.views.pages import number_of, staff_page
from memory.views.sentences import lines_of, page_before
from memory.views.tables import (
    kinds_by_domain,
    newest_tables,
    page_of_kind,
    tables_then,
)
from memory.views.year import year_of

Context = dict[str, Any]
NOTES = "notes.Note"
OVERVIEW_RECORDS = 6
OVERVIEW_FACTS = 6
OVERVIEW_HELD = 3
STATE_RECORDS = 30
KIND_RECORDS = 200


@require_safe
@staff_page(Right.STATE_READ)
def person(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """The whole page."""
    return render(request, "memory/person.html", page_of(request, user_id, _tab(request)))


@require_safe
@staff_page(Right.STATE_READ)
def person_fragment(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """The parts of the page that change while it is open."""
    return render(request, "memory/person_live.html", page_of(request, user_id, _tab(request)))


def _tab(request: HttpRequest) -> str:
    asked = request.GET.get("tab", "")
    return asked if asked in TABS else "overview"


def page_of(request: HttpRequest, user_id: UUID, tab: str) -> Context:
    """What the person's page shows with one of its tabs open. Raises access.NotFound."""
    now = timezone.now()
    someone = access.memory_user(request.user, user_id, Right.STATE_READ)
    counts = Record.objects.filter(user=someone).count_by_kind()
    return {
        "now": now,
        "person": someone,
        "banner": banner_of(someone),
        "tab": tab,
        "template": f"memory/tab_{tab}.html",
        "counts": counts,
        "records": sum(counts.values()),
        **TABS[tab](request, someone, counts, now),
    }


def _overview(
    request: HttpRequest, someone: MemoryUser, counts: dict[str, int], now: datetime
) -> Context:
    latest = page_of_facts(
        someone, FactFilter(), after=None, limit=OVERVIEW_FACTS, newest_first=True
    )
    tables = newest_tables(someone, counts, limit=OVERVIEW_RECORDS)
    held = access.held_readings(request.user).held()
    return {
        "year": year_of(someone, now),
        "latest": lines_of(someone, latest),
        "held": held_rows(held.filter(user=someone).order_by("held_at")[:OVERVIEW_HELD]),
        "tables": [table for table in tables if table.kind.full_name != NOTES],
    }


def _facts(
    request: HttpRequest, someone: MemoryUser, counts: dict[str, int], now: datetime
) -> Context:
    return {"page": page_before(someone, number_of(request.GET.get("before")))}


def _state(
    request: HttpRequest, someone: MemoryUser, counts: dict[str, int], now: datetime
) -> Context:
    kind = request.GET.get("kind", "").replace("\0", "")
    day = day_of(request.GET.get("known_on", ""))
    if day is not None and (moment := last_moment_of(day, someone)) < now:
        tables, counts = tables_then(
            then(someone, moment, now=now), kind=kind, limit=KIND_RECORDS if kind else STATE_RECORDS
        )
        return {
            "tables": tables,
            "only": kind,
            "known_on": day,
            "known_records": sum(counts.values()),
        }
    if kind not in counts:
        return {"tables": newest_tables(someone, counts, limit=STATE_RECORDS)}
    after = number_of(request.GET.get("after"))
    tables = page_of_kind(someone, counts, kind=kind, after=after, limit=KIND_RECORDS)
    full = bool(tables) and len(tables[0].rows) == KIND_RECORDS
    return {"tables": tables, "only": kind, "next": tables[0].last_reading if full else None}


def _alerts(
    request: HttpRequest, someone: MemoryUser, counts: dict[str, int], now: datetime
) -> Context:
    return {}  # the alerts themselves are the template's: the memory knows nothing of them


def _query(
    request: HttpRequest, someone: MemoryUser, counts: dict[str, int], now: datetime
) -> Context:
    return console(someone, counts)


def _search(
    request: HttpRequest, someone: MemoryUser, counts: dict[str, int], now: datetime
) -> Context:
    return {"kinds": kinds_by_domain(counts), "longest": LONGEST_QUERY}


TABS: dict[str, Callable[[HttpRequest, MemoryUser, dict[str, int], datetime], Context]] = {
    "overview": _overview,
    "facts": _facts,
    "state": _state,
    "alerts": _alerts,
    "search": _search,
    "query": _query,
}
