"""Search on a person's page: what was said, with the words marked, by a form that goes by POST."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from memory import access
from memory.actions.catch_up import catch_up
from memory.models import MemoryUser, Stream
from memory.retrieval.documents import STREAMS
from memory.retrieval.narrowing import Known, Narrowing, known_at, known_now
from memory.retrieval.paging import NoSuchPage, cursor_of, from_cursor
from memory.retrieval.search import DEEPEST, LONGEST_QUERY, Asked, Hits, Query, search
from memory.rights import Right
from memory.views.days import begin_of, day_of, end_of, last_moment_of
from memory.views.pages import staff_page
from memory.views.person import page_of

PAGE = 20
LONGEST_LABEL = 200
Context = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """What was asked for, as the form shows it again; days are the person's own."""

    q: str = ""
    kind: str = ""
    session: str = ""
    source: str = ""
    since: date | None = None
    until: date | None = None
    known_on: date | None = None

    @property
    def narrowed(self) -> bool:
        """Whether anything but words is set."""
        return self != Form(q=self.q)

    @property
    def stated(self) -> Mapping[str, str]:
        """The fields that hold something, by name, for another page of the same."""
        return {name: str(value) for name, value in vars(self).items() if value}

    @property
    def domain(self) -> str:
        """Whose kinds are all meant, `health.`; empty where one kind or none is."""
        return self.kind[:-1] if self.kind.endswith(".") else ""

    def narrowing(self, person: MemoryUser) -> Narrowing:
        """The filters of it."""
        return Narrowing(
            kind="" if self.domain else self.kind,
            domain=self.domain,
            session=self.session,
            source=self.source,
            occurred_from=begin_of(self.since, person),
            occurred_to=end_of(self.until, person),
        )

    def known(self, person: MemoryUser, streams: list[Stream]) -> Known:
        """Everything, or what was known when a day ended."""
        if self.known_on is None:
            return known_now(person, streams)
        return known_at(person, streams, last_moment_of(self.known_on, person))


def form_of(posted: QueryDict) -> Form:
    """The form as it was sent; what is no date counts as none."""
    words = {name: _words(posted, name) for name in ("kind", "session", "source")}
    days = {name: day_of(posted.get(name, "")) for name in ("since", "until", "known_on")}
    return Form(
        q=posted.get("q", "").replace("\0", "")[:LONGEST_QUERY],
        kind=words["kind"],
        session=words["session"],
        source=words["source"],
        since=days["since"],
        until=days["until"],
        known_on=days["known_on"],
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.FACTS_READ)
def person_search(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Search facts, and messages for whoever may read them.

    Who comes back to the address (from the login, say) finds the empty form.
    """
    person = access.memory_user(request.user, user_id, Right.FACTS_READ)
    if request.method != "POST":
        return redirect(f"{reverse('person', args=[person.pk])}?tab=search")
    form = form_of(request.POST)
    context = page_of(request, user_id, "search")
    found = _found(request, person, form) if form.q.strip() else {}
    return render(request, "memory/person.html", {**context, "form": form, **found})


def _found(request: HttpRequest, person: MemoryUser, form: Form) -> Context:
    may_read = access.may(request.user, Right.MESSAGES_READ)
    streams = [*STREAMS] if may_read else [Stream.FACT]
    offset, known = _page(request.POST.get("at", ""), form.known(person, streams))
    query = Query(form.q)
    narrowing = form.narrowing(person)
    hits = search(person, Asked(query, known, narrowing, offset=offset, limit=PAGE))
    catch_up(user=person, hits=hits, now=timezone.now())
    return {
        "query": query,
        "reads_messages": may_read,
        "hits": hits,
        "first": offset + 1,
        "last": offset + len(hits.items),
        "more_at": cursor_of(offset + PAGE, known) if _goes_on(hits, offset) else "",
    }


def _goes_on(hits: Hits, offset: int) -> bool:
    return hits.more and offset + PAGE < DEEPEST


def _page(text: str, known: Known) -> tuple[int, Known]:
    """Where a further page begins, and what was known at the first one; else the first."""
    try:
        return from_cursor(text, known)
    except NoSuchPage:
        return 0, known


def _words(posted: QueryDict, name: str) -> str:
    return posted.get(name, "").replace("\0", "").strip()[:LONGEST_LABEL]
