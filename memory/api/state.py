"""`users/{id}/state`: the current typed state."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from memory import access
from memory.api.base import READ_REFUSALS, Page, UserView
from memory.api.fields import MAX_PAGE, Strict
from memory.api.problems import Problem
from memory.api.users import Head, head_json
from memory.code import project_of
from memory.models import MemoryUser, Record, Waiting
from memory.places import record_at
from memory.rights import Right


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


class StateView(UserView):
    rights = {"GET": Right.STATE_READ}

    @extend_schema(operation_id="get_state", responses={200: StateOut, **READ_REFUSALS})
    def get(self, request: Request, user_id: UUID) -> Response:
        """What kinds of things are known of the person, and what waits for a kind, with counts."""
        user = self.memory_user(request, user_id)
        counted = Record.objects.filter(user=user).values_list("kind").annotate(Count("kind"))
        counts = dict(counted.order_by())
        kinds = [
            {
                "kind": kind.full_name,
                "collection": kind.collection,
                "key": list(kind.key),
                "doc": kind.doc,
                "count": counts.get(kind.full_name, 0),
                "url": reverse("api:records", [user.pk, kind.full_name], request=request),
            }
            for kind in project_of(user).kinds.values()
        ]
        return Response(
            {
                "user_id": str(user.pk),
                "head": head_json(user),
                "kinds": kinds,
                "waiting": _waiting(user),
            }
        )


def _waiting(user: MemoryUser) -> list[dict[str, Any]]:
    rows = Waiting.objects.filter(user=user).values_list("kind", "reason").annotate(Count("kind"))
    return [
        {"kind": kind, "reason": reason, "count": count}
        for kind, reason, count in rows.order_by("kind", "reason")[:MAX_PAGE]
    ]


class RecordsView(UserView):
    rights = {"GET": Right.STATE_READ}

    @extend_schema(
        operation_id="list_records",
        parameters=[
            OpenApiParameter("cursor", int, description="As `next` has it."),
            OpenApiParameter("limit", int, description=f"1 to {MAX_PAGE}; 50 unless told."),
        ],
        responses={200: RecordPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID, kind: str) -> Response:
        """The records of one kind, such as `health.Medication`, in order of their ids."""
        user = self.memory_user(request, user_id)
        known = project_of(user).kinds.get(kind)
        if known is None:
            raise access.NotFound
        records = Record.objects.filter(user=user, kind=kind).order_by("record_id")
        if (cursor := Page.cursor_of(request)) is not None:
            after = record_at(user, kind, cursor)
            if after is None:
                raise Problem(400, "Bad query", "cursor is none of this list; follow `next`.")
            records = records.filter(record_id__gt=after)
        limit = Page.limit_of(request)
        rows = list(records[:limit])
        items = [{"id": row.record_id, "data": row.data, "facts": row.facts} for row in rows]
        following = Page.link(request, rows[-1].reading_seq) if len(rows) == limit else None
        return Response(
            {
                "kind": kind,
                "collection": known.collection,
                "items": items,
                "next": following,
            }
        )
