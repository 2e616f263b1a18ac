"""`users/{id}/messages`: append raw turns of conversation, and list them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from memory.actions.append_messages import NewMessage, append_messages
from memory.api.base import (
    CURSOR_PARAMETERS,
    IDEMPOTENCY_HEADER,
    READ_REFUSALS,
    REFUSALS,
    Page,
    UserView,
    validated,
)
from memory.api.fields import FUTURE, MAX_BATCH, Label, Metadata, Strict, Text, TrueAt
from memory.api.parsing import idempotency_of
from memory.api.problems import entry, refusal
from memory.log import page_of_messages
from memory.rights import Right


class MessageIn(Strict):
    """One turn."""

    role: Annotated[Text, Field(max_length=40, description="Such as user or assistant.")]
    content: Text
    said_at: TrueAt | None = None
    metadata: Metadata = {}


class MessagesIn(Strict):
    """Up to 1,000 turns of one session, stored together or not at all."""

    messages: Annotated[list[MessageIn], Field(min_length=1, max_length=MAX_BATCH)]
    session: Label = ""


class AppendedMessagesOut(Strict):
    user_id: UUID
    first_seq: int
    last_seq: int


class MessageOut(Strict):
    """A turn as it stands in the archive."""

    seq: int
    role: str
    content: str
    said_at: datetime
    recorded_at: datetime
    session: str
    metadata: dict[str, Any]
    hash: str


class MessagePage(Strict):
    items: list[MessageOut]
    next: str | None


class MessagesView(UserView):
    rights = {"GET": Right.MESSAGES_READ, "POST": Right.MESSAGES_WRITE}

    @extend_schema(
        operation_id="append_messages",
        request=MessagesIn,
        parameters=[IDEMPOTENCY_HEADER],
        responses={201: AppendedMessagesOut, **REFUSALS},
    )
    def post(self, request: Request, user_id: UUID) -> Response:
        """Append turns of a conversation to the archive, verbatim."""
        user = self.memory_user(request, user_id)
        body, now = validated(MessagesIn, request.data), timezone.now()
        late = [
            entry(["messages", index, "said_at"], "said_at lies in the future; correct the clock")
            for index, one in enumerate(body.messages)
            if one.said_at is not None and one.said_at > now + FUTURE
        ]
        if late:
            raise refusal(late)
        appended = append_messages(
            user_id=user.pk,
            messages=[
                NewMessage(one.role, one.content, one.said_at, one.metadata)
                for one in body.messages
            ],
            session=body.session,
            actor=self.key(request),
            now=now,
            idempotency=idempotency_of(request),
        )
        return Response(
            {
                "user_id": str(user.pk),
                "first_seq": appended.first_seq,
                "last_seq": appended.last_seq,
            },
            status=201,
            headers={"Idempotent-Replay": "true"} if appended.repeated else None,
        )

    @extend_schema(
        operation_id="list_messages",
        parameters=[*CURSOR_PARAMETERS, OpenApiParameter("session", str)],
        responses={200: MessagePage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """The person's messages, newest first."""
        user = self.memory_user(request, user_id)
        page = Page(request)
        messages = page_of_messages(
            user,
            session=request.query_params.get("session", ""),
            after=page.after,
            limit=page.limit,
            newest_first=page.newest_first,
        )
        items = [
            {
                "seq": one.seq,
                "role": one.role,
                "content": one.content,
                "said_at": one.said_at,
                "recorded_at": one.recorded_at,
                "session": one.session,
                "metadata": one.metadata,
                "hash": one.hash,
            }
            for one in messages
        ]
        return Response(page.answer(items, [one.seq for one in messages]))
