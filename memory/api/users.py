"""`users`: create or get a person by the app's own id."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import AfterValidator, Field
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.actions.users import get_or_create_user
from memory.api.base import READ_REFUSALS, REFUSALS, UserView, validated
from memory.api.fields import Label, Strict, Text
from memory.api.problems import Problem
from memory.models import MemoryUser
from memory.models.memory_user import validate_zone
from memory.rights import Right


def _zone(name: str) -> str:
    try:
        validate_zone(name)
    except ValidationError as error:
        raise ValueError(error.messages[0]) from error
    return name


class UserIn(Strict):
    """A person as an app introduces them."""

    external_id: Annotated[Text, Field(max_length=200, description="Your own id of the person.")]
    display_name: Label = ""
    timezone: Annotated[str, Field(max_length=64), AfterValidator(_zone)] = "UTC"


class Head(Strict):
    """Where the person's log ends; keep it, and a later log can be shown to continue it."""

    seq: int
    hash: str


class UserOut(Strict):
    """A person."""

    user_id: UUID
    external_id: str
    display_name: str
    timezone: str
    head: Head


def user_json(user: MemoryUser) -> dict[str, Any]:
    """A person as the API shows them."""
    return {
        "user_id": str(user.pk),
        "external_id": user.external_id,
        "display_name": user.display_name,
        "timezone": user.timezone,
        "head": head_json(user),
    }


def head_json(user: MemoryUser) -> dict[str, Any]:
    """The end of the person's chain of facts."""
    return {"seq": user.fact_seq, "hash": user.fact_head}


class UsersView(UserView):
    rights = {"GET": Right.USERS_READ, "POST": Right.USERS_WRITE}

    @extend_schema(
        operation_id="create_or_get_user",
        request=UserIn,
        responses={200: UserOut, 201: UserOut, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Create a person, or get the one you called by this id before.

        A key that reaches listed people only creates nobody: an id that is not theirs is unknown.
        """
        body = validated(UserIn, request.data)
        user, created = get_or_create_user(
            external_id=body.external_id,
            display_name=body.display_name,
            timezone=body.timezone,
            actor=self.key(request),
            now=timezone.now(),
        )
        return Response(user_json(user), status=201 if created else 200)

    @extend_schema(
        operation_id="find_user",
        parameters=[OpenApiParameter("external_id", str, required=True)],
        responses={200: UserOut, **READ_REFUSALS},
    )
    def get(self, request: Request) -> Response:
        """Find a person by your own id; one of the key's reach."""
        external_id = request.query_params.get("external_id")
        if not external_id:
            raise Problem(400, "Bad query", "Give external_id.")
        user = access.memory_user_called(self.key(request), external_id, self.right(request))
        if user is None:
            raise access.NotFound
        return Response(user_json(user))


class UserDetailView(UserView):
    rights = {"GET": Right.USERS_READ}

    @extend_schema(operation_id="get_user", responses={200: UserOut, **READ_REFUSALS})
    def get(self, request: Request, user_id: UUID) -> Response:
        """A person and the head of their log."""
        return Response(user_json(self.memory_user(request, user_id)))
