"""Append turns of conversation to a person's archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from memory import access, audit
from memory.actions.app_keys import app_of
from memory.actions.chains import extend
from memory.actions.submissions import Idempotency, find_submission, record_submission
from memory.actions.to_read import enqueue_reading, note_to_read
from memory.models import App, AppKey, MemoryUser, Message, MessageBody, Stream
from memory.project.chain import free_json, moment
from memory.rights import Right


@dataclass(frozen=True)
class NewMessage:
    """One turn as it was said; `said_at` is aware, and None means now."""

    role: str
    content: str
    said_at: datetime | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AppendedMessages:
    """The seq of the first and last message appended (before, when `repeated`)."""

    user: MemoryUser
    first_seq: int
    last_seq: int
    repeated: bool = False


@transaction.atomic
def append_messages(
    *,
    user_id: UUID,
    messages: Sequence[NewMessage],
    session: str,
    actor: AppKey | App,
    now: datetime,
    idempotency: Idempotency | None = None,
) -> AppendedMessages:
    """Append all of the messages. Raises access.NotFound and KeyReused."""
    user = access.memory_user(actor, user_id, Right.MESSAGES_WRITE, lock=True)
    app = app_of(actor)
    earlier = find_submission(app=app, idempotency=idempotency, user=user, stream=Stream.MESSAGE)
    if earlier is not None:
        return AppendedMessages(user, earlier.first_seq, earlier.last_seq, repeated=True)
    first = user.message_seq + 1
    _insert(user, messages, session, app, now)
    user.save(update_fields=["message_seq", "message_head"])
    note_to_read(user=user, stream=Stream.MESSAGE, seqs=range(first, user.message_seq + 1))
    enqueue_reading(user=user, now=now)
    record_submission(
        app=app,
        idempotency=idempotency,
        user=user,
        stream=Stream.MESSAGE,
        first_seq=first,
        last_seq=user.message_seq,
        now=now,
    )
    audit.record(
        "messages.append",
        actor=actor,
        now=now,
        person=user.pk,
        of="message",
        object_id=f"{first}-{user.message_seq}",
    )
    return AppendedMessages(user, first, user.message_seq)


def _insert(
    user: MemoryUser, messages: Sequence[NewMessage], session: str, app: App, now: datetime
) -> None:
    links = extend(
        user, Stream.MESSAGE, [_body(message, session, app, now) for message in messages]
    )
    pairs = list(zip(messages, links, strict=True))
    Message.objects.bulk_create(
        Message(
            user=user,
            seq=link.seq,
            recorded_at=now,
            said_at=message.said_at or now,
            commitment=link.commitment,
            hash=link.hash,
        )
        for message, link in pairs
    )
    MessageBody.objects.bulk_create(
        MessageBody(
            user=user,
            seq=link.seq,
            salt=link.salt,
            canonical=link.canonical,
            session=session,
            role=message.role,
        )
        for message, link in pairs
    )


def _body(
    message: NewMessage, session: str, app: App, now: datetime
) -> dict[str, str | int | None]:
    return {
        "role": message.role,
        "content": message.content,
        "said_at": moment(message.said_at or now),
        "recorded_at": moment(now),
        "app": str(app.pk),
        "session": session,
        "metadata": free_json(message.metadata),
    }
