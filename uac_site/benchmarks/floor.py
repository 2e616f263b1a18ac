"""The floor: the least that an endpoint which stores something must do.

It authenticates the app key, validates a small body and inserts one row, with the same framework in
the same process as the real endpoints; it counts no requests and reads nothing back.
"""

from __future__ import annotations

from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.rights import Right
from uac_site.benchmarks.models import FloorRow


class FloorIn(BaseModel):
    """A statement about somebody."""

    model_config = ConfigDict(extra="forbid")

    person: UUID
    text: str = Field(min_length=1, max_length=10_000)
    occurred_at: AwareDatetime


class FloorView(APIView):
    throttle_classes = ()
    rights = {"POST": Right.FACTS_WRITE}

    def post(self, request: Request) -> Response:
        """Insert the body as a row."""
        body = FloorIn.model_validate(request.data)
        row = FloorRow.objects.create(
            person=body.person, text=body.text, occurred_at=body.occurred_at
        )
        return Response({"id": row.pk}, status=201)
