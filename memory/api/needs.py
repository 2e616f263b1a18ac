"""`users/{id}/needs`: what asks for code of a person, and where that stands."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.base import CURSOR_PARAMETERS, READ_REFUSALS, Page, UserView
from memory.api.fields import Strict
from memory.api.problems import Problem
from memory.models import Need, NeedStatus
from memory.rights import Right

STATUSES = ", ".join(NeedStatus.values)


class NeedOut(Strict):
    """A fact that asks for a kind or a rule, and what came of it."""

    id: int
    fact: int | None = Field(description="The seq of the fact that asks; null where none does.")
    cause: Literal["reading", "constraint", "concern", "notes", "age", "request", "comment"]
    needs: Literal["kind", "rule"]
    status: Literal["open", "proposed", "met", "dropped", "failed"] = Field(
        description="Dropped: its proposal was rejected. Failed: no attempt passed its checks."
    )
    reason: str = Field(description="Why no proposal answers it; may be empty.")
    proposal: UUID | None = Field(description="The proposal that answers it, or failed to.")
    noted_at: datetime
    changed_at: datetime


class NeedPage(Strict):
    items: list[NeedOut]
    next: str | None


class NeedsView(UserView):
    rights = {"GET": Right.FACTS_READ}

    @extend_schema(
        operation_id="list_needs",
        parameters=[
            *CURSOR_PARAMETERS,
            OpenApiParameter("status", str, enum=NeedStatus.values, description="Only those."),
        ],
        responses={200: NeedPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """What asks for code that is not there yet, newest first unless told."""
        user = self.memory_user(request, user_id)
        page = Page(request)
        rows = Need.objects.filter(user=user)
        if status := request.query_params.get("status", ""):
            if status not in NeedStatus.values:
                raise Problem(400, "Bad query", f"status is one of {STATUSES}.")
            rows = rows.filter(status=status)
        if page.after is not None:
            rows = rows.filter(**{f"pk__{'lt' if page.newest_first else 'gt'}": page.after})
        found = list(rows.order_by("-pk" if page.newest_first else "pk")[: page.limit])
        return Response(page.answer([_json(one) for one in found], [one.pk for one in found]))


def _json(need: Need) -> dict[str, Any]:
    return {
        "id": need.pk,
        "fact": need.fact_seq or None,
        "cause": need.cause,
        "needs": need.needs,
        "status": need.status,
        "reason": need.reason,
        "proposal": None if need.proposal_id is None else str(need.proposal_id),
        "noted_at": need.noted_at,
        "changed_at": need.changed_at,
    }
