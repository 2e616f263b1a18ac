"""`users/{id}/search`: find facts and messages by what they say."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory.actions.catch_up import catch_up
from memory.api.as_of import AS_OF, when_of
from memory.api.base import READ_REFUSALS, Page, UserView, query_moment
from memory.api.fields import MAX_PAGE
from memory.api.problems import Problem
from memory.api.search_shapes import SearchOut, hit_json, known_json
from memory.models import MemoryUser, Stream
from memory.retrieval.documents import STREAMS
from memory.retrieval.fusion import Mode
from memory.retrieval.narrowing import Known, Narrowing, known_at, known_now
from memory.retrieval.paging import NoSuchPage, cursor_of, from_cursor
from memory.retrieval.search import DEEPEST, LONGEST_QUERY, Asked, Query, search
from memory.retrieval.vectors.embedder import embedder
from memory.rights import Right

MODES: dict[str, Mode] = {"text": "text", "vector": "vector", "hybrid": "hybrid"}
NAMES = {"facts": Stream.FACT, "messages": Stream.MESSAGE}
PARAMETERS = [
    OpenApiParameter("q", str, required=True, description="Words to find; up to 1,000 characters."),
    OpenApiParameter(
        "in", str, enum=[*NAMES], description="Facts or messages alone; both unless told."
    ),
    OpenApiParameter("kind", str, description="Facts read as this kind, `health.Medication`."),
    OpenApiParameter("domain", str, description="Facts read as any kind of it, such as `health`."),
    OpenApiParameter("session", str),
    OpenApiParameter("source", str, description="Facts from this source."),
    *(
        OpenApiParameter(f"{what}_{end}", datetime)
        for what in ("occurred", "recorded")
        for end in ("from", "to")
    ),
    AS_OF,
    OpenApiParameter(
        "mode",
        str,
        enum=[*MODES],
        description="By words, by meaning, or by both, which it is unless told.",
    ),
    OpenApiParameter("limit", int, description=f"1 to {MAX_PAGE}; 50 unless told."),
    OpenApiParameter("cursor", str, description="As `next` has it."),
]


class SearchView(UserView):
    rights = {"GET": Right.FACTS_READ}

    @extend_schema(
        operation_id="search", parameters=PARAMETERS, responses={200: SearchOut, **READ_REFUSALS}
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """Find facts, and messages for a key with `messages:read`, the best first.

        An entry is found from the moment it is recorded. All pages of a search are of the moment
        of the first one, whatever is recorded meanwhile.
        """
        user = self.memory_user(request, user_id)
        streams = self.streams(request)
        query = _query(request)
        offset, known = _page_of(request, _known(request, user, streams))
        limit = Page.limit_of(request)
        hits = search(
            user,
            Asked(
                query,
                known,
                narrowing=_narrowing(request),
                mode=_mode(request),
                offset=offset,
                limit=min(limit, DEEPEST - offset),
            ),
        )
        catch_up(user=user, hits=hits, now=timezone.now())
        end = offset + limit
        following = (
            Page.link(request, cursor_of(end, known)) if hits.more and end < DEEPEST else None
        )
        return Response(
            {
                "user_id": str(user.pk),
                "terms": query.terms,
                "ignored": query.ignored,
                "mode": hits.mode,
                "known": known_json(known.heads),
                "items": [hit_json(hit) for hit in hits.items],
                "next": following,
            }
        )

    def streams(self, request: Request) -> list[Stream]:
        """What the key may search, of what is asked for. Raises Problem (403)."""
        asked = request.query_params.get("in")
        if asked is not None and asked not in NAMES:
            raise Problem(400, "Bad query", "in is facts or messages; leave it out for both.")
        may = self.key(request).may(Right.MESSAGES_READ)
        if asked == "messages" and not may:
            detail = f"This key lacks the scope {Right.MESSAGES_READ}; ask for one that has it."
            raise Problem(403, "Forbidden", detail)
        allowed = STREAMS if may else (Stream.FACT,)
        return [one for one in allowed if asked is None or one == NAMES[asked]]


def _query(request: Request) -> Query:
    text = request.query_params.get("q", "")
    if not text.strip() or len(text) > LONGEST_QUERY:
        detail = f"q is what to search for, 1 to {LONGEST_QUERY:,} characters."
        raise Problem(400, "Bad query", detail)
    return Query(text)


def _mode(request: Request) -> Mode:
    text = request.query_params.get("mode", "hybrid")
    if text not in MODES:
        raise Problem(400, "Bad query", "mode is text, vector or hybrid.")
    if text == "vector" and embedder() is None:
        detail = "No model that makes vectors is configured here; leave mode out."
        raise Problem(400, "Bad query", detail)
    return MODES[text]


def _narrowing(request: Request) -> Narrowing:
    given = request.query_params
    return Narrowing(
        kind=given.get("kind", ""),
        domain=given.get("domain", ""),
        session=given.get("session", ""),
        source=given.get("source", ""),
        occurred_from=query_moment(request, "occurred_from"),
        occurred_to=query_moment(request, "occurred_to"),
        recorded_from=query_moment(request, "recorded_from"),
        recorded_to=query_moment(request, "recorded_to"),
    )


def _known(request: Request, user: MemoryUser, streams: list[Stream]) -> Known:
    when = when_of(request, user)
    return known_now(user, streams) if when is None else known_at(user, streams, when)


def _page_of(request: Request, known: Known) -> tuple[int, Known]:
    """Where the page begins, and what was known when the first one was asked for."""
    text = request.query_params.get("cursor")
    if text is None:
        return 0, known
    try:
        return from_cursor(text, known)
    except NoSuchPage as error:
        raise Problem(400, "Bad query", "cursor is none of this list; follow `next`.") from error
