"""Idempotency: the same request sent twice has the effect of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError

from memory.models import App, MemoryUser, Stream, Submission


class KeyReused(Exception):
    """An idempotency key that came before with another request."""


@dataclass(frozen=True)
class Idempotency:
    """The key an app chose, and the SHA-256 of the request it came with."""

    key: str
    digest: str


def find_submission(
    *, app: App, idempotency: Idempotency | None, user: MemoryUser, stream: Stream
) -> Submission | None:
    """The earlier submission of this request. Raises KeyReused where the request differs.

    Called under the person's lock, so that of two equal requests one waits for the other.
    """
    if idempotency is None:
        return None
    earlier = Submission.objects.filter(app=app, key=idempotency.key).first()
    if earlier is None:
        return None
    same = (earlier.digest, earlier.user_id, earlier.stream) == (
        idempotency.digest,
        user.pk,
        stream,
    )
    if not same:
        raise KeyReused(idempotency.key)
    return earlier


def record_submission(
    *,
    app: App,
    idempotency: Idempotency | None,
    user: MemoryUser,
    stream: Stream,
    first_seq: int,
    last_seq: int,
    now: datetime,
) -> None:
    """Remember what a request appended, in the transaction that appended it.

    Raises KeyReused, and the transaction must end, where the same key has just come with a request
    about another person (whose lock is not this one's).
    """
    if idempotency is None:
        return
    try:
        Submission.objects.create(
            app=app,
            key=idempotency.key,
            digest=idempotency.digest,
            user=user,
            stream=stream,
            first_seq=first_seq,
            last_seq=last_seq,
            recorded_at=now,
        )
    except IntegrityError as error:
        raise KeyReused(idempotency.key) from error
