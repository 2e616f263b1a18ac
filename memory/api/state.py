"""`users/{id}/state`: the typed state, as it is or as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from memory import access
from memory.actions.fit_reading import NOT_KNOWN
from memory.api.as_of import AS_OF, AsOfOut, then_json, then_of
from memory.api.base import READ_REFUSALS, Page, UserView
from memory.api.fields import MAX_PAGE, Strict
from memory.api.problems import Problem
from memory.api.users import Head, head_json
from memory.code import project_of
from memory.models import MemoryUser, Record, Waiting
from memory.places import record_at
from memory.project.kinds import Kind
from memory.rights import Right
from memory.then import Then
from memory.waiting import waiting_among


class KindOut(Strict):
    """A kind of record: its collection, key fields, and how many there are."""

    kind: str
    collection: str
    key: list[str]
    doc: str
    count: int
    url: str


class WaitingOut(Strict):
    """Readings that have no record yet: of which kind, why, and how many."""

    kind: str
    reason: str
    count: int


class StateOut(Strict):
    """The kinds a person may have records of, and what waits for one."""

    user_id: UUID
    head: Head
    kinds: list[KindOut]
    waiting: list[WaitingOut]
    as_of: AsOfOut | None


class RecordOut(Strict):
    """A record: its fields, and the seq of the facts it rests on."""

    id: str
    data: dict[str, Any]
    facts: list[int]


class RecordPage(Strict):
    kind: str
    collection: str
    items: list[RecordOut]
    next: str | None
    as_of: AsOfOut | None


class StateView(UserView):
    rights = {"GET": Right.STATE_READ}

    @extend_schema(
        operation_id="get_state",
        parameters=[AS_OF],
        responses={200: StateOut, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """What kinds of things are known of the person, and what waits for a kind, with counts.

        With `as_of` it is what was known then, under the kinds of then.
        """
        user = self.memory_user(request, user_id)
        known = then_of(request, user)
        kinds = project_of(user).kinds if known is None else known.code.project.kinds
        records = Record.objects.filter(user=user)
        counts = records.count_by_kind() if known is None else _counts_then(known)
        waiting = _waiting(user) if known is None else _waiting_then(known)
        return Response(
            {
                "user_id": str(user.pk),
                "head": head_json(user) if known is None else _head_then(known),
                "kinds": [_kind_json(one, counts, user, request) for one in kinds.values()],
                "waiting": waiting,
                "as_of": then_json(known),
            }
        )


def _kind_json(
    kind: Kind, counts: dict[str, int], user: MemoryUser, request: Request
) -> dict[str, Any]:
    url = reverse("api:records", [user.pk, kind.full_name], request=request)
    when = request.query_params.get("as_of")
    return {
        "kind": kind.full_name,
        "collection": kind.collection,
        "key": list(kind.key),
        "doc": kind.doc,
        "count": counts.get(kind.full_name, 0),
        "url": url if when is None else f"{url}?{urlencode({'as_of': when})}",
    }


def _counts_then(known: Then) -> dict[str, int]:
    return Counter(kind for kind, _ in known.records())


def _head_then(known: Then) -> dict[str, Any]:
    return {"seq": known.fact_seq, "hash": known.fact_hash}


def _waiting(user: MemoryUser) -> list[dict[str, Any]]:
    rows = Waiting.objects.filter(user=user).values_list("kind", "reason").annotate(Count("kind"))
    return [
        {"kind": kind, "reason": reason, "count": count}
        for kind, reason, count in rows.order_by("kind", "reason")[:MAX_PAGE]
    ]


def _waiting_then(known: Then) -> list[dict[str, Any]]:
    """What waited; why it went on waiting is not kept."""
    counts = Counter(waiting_among(known.readings()).values())
    return [
        {"kind": kind, "reason": NOT_KNOWN, "count": count}
        for kind, count in sorted(counts.items())[:MAX_PAGE]
    ]


class RecordsView(UserView):
    rights = {"GET": Right.STATE_READ}

    @extend_schema(
        operation_id="list_records",
        parameters=[
            AS_OF,
            OpenApiParameter("cursor", int, description="As `next` has it."),
            OpenApiParameter("limit", int, description=f"1 to {MAX_PAGE}; 50 unless told."),
        ],
        responses={200: RecordPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID, kind: str) -> Response:
        """The records of one kind, such as `health.Medication`, in order of their ids."""
        user = self.memory_user(request, user_id)
        known = then_of(request, user)
        kinds = project_of(user).kinds if known is None else known.code.project.kinds
        if kind not in kinds:
            raise access.NotFound
        after = _after(request, user, kind)
        limit = Page.limit_of(request)
        rows = (
            _records(user, kind, after, limit)
            if known is None
            else _records_then(known, kind, after, limit)
        )
        items = [{"id": row.record_id, "data": row.data, "facts": row.facts} for row in rows]
        following = Page.link(request, rows[-1].reading_seq) if len(rows) == limit else None
        return Response(
            {
                "kind": kind,
                "collection": kinds[kind].collection,
                "items": items,
                "next": following,
                "as_of": then_json(known),
            }
        )


def _after(request: Request, user: MemoryUser, kind: str) -> str:
    """The id after which the page starts; empty for the first. Raises Problem (400)."""
    cursor = Page.cursor_of(request)
    if cursor is None:
        return ""
    after = record_at(user, kind, cursor)
    if after is None:
        raise Problem(400, "Bad query", "cursor is none of this list; follow `next`.")
    return after


def _records(user: MemoryUser, kind: str, after: str, limit: int) -> Sequence[Record]:
    records = Record.objects.filter(user=user, kind=kind, record_id__gt=after)
    return list(records.order_by("record_id")[:limit])


def _records_then(known: Then, kind: str, after: str, limit: int) -> Sequence[Record]:
    rows = known.records([kind]).values()
    return [row for row in rows if row.record_id > after][:limit]
