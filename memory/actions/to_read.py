"""Note what a language model is to read, and have it read where a model is configured."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Min

from memory import access, audit
from memory.access import Somebody
from memory.actions.jobs import enqueue
from memory.checkpointer.model.config import model_config
from memory.models import (
    Job,
    JobStatus,
    MemoryUser,
    ReadStatus,
    Stage,
    Stream,
    ToRead,
)
from memory.rights import Right
from memory.rows import insert_rows

SWEEP_PEOPLE = 50
REST = timedelta(hours=6)
ENDED_BADLY = (JobStatus.FAILED, JobStatus.CANCELLED)


def note_to_read(*, user: MemoryUser, stream: Stream, seqs: Iterable[int]) -> None:
    """Note that messages or facts wait to be read, in the transaction that appends them."""
    insert_rows(
        ToRead,
        shared={"user_id": user.pk, "stream": str(stream)},
        columns=("seq",),
        rows=[(seq,) for seq in seqs],
    )


def enqueue_reading(*, user: MemoryUser, now: datetime) -> bool:
    """Have what waits be read; without a model it goes on waiting. Whether there is one."""
    if not model_config().model_for(Stage.READ):
        return False
    enqueue(name="read", user=user, now=now)
    return True


def enqueue_unread(*, now: datetime) -> int:
    """Queue people with something to read and no job for it; how many.

    A model was configured later, or could not be asked. Those tried longest ago come first, those
    whose job has failed or was cancelled are left alone for some hours.
    """
    if not model_config().model_for(Stage.READ):
        return 0
    busy = Job.objects.under_way().filter(name="read", user__isnull=False)
    broken = Job.objects.filter(
        name="read", status__in=ENDED_BADLY, finished_at__gt=now - REST, user__isnull=False
    )
    waiting = ToRead.objects.waiting().exclude(user__in=busy.values("user"))
    people = waiting.exclude(user__in=broken.values("user")).values("user")
    longest = people.annotate(tried=Min("tried_at"))
    ids = [row["user"] for row in longest.order_by(F("tried").asc(nulls_first=True))[:SWEEP_PEOPLE]]
    for user in MemoryUser.objects.filter(pk__in=ids):
        with transaction.atomic():
            enqueue(name="read", user=user, now=now)
    return len(ids)


@transaction.atomic
def read_now(*, user_id: UUID, actor: Somebody, now: datetime) -> bool:
    """Have what waits be read, cancelled or not; whether anything can be. Raises NotFound."""
    user = access.memory_user(actor, user_id, Right.READINGS_CONFIRM, lock=True)
    queued = ToRead.objects.waiting().filter(user=user).exists() and enqueue_reading(
        user=user, now=now
    )
    audit.record("reading.now", actor=actor, now=now, person=user.pk, of="to read")
    return queued


@transaction.atomic
def read_again(*, user_id: UUID, actor: Somebody, now: datetime) -> int:
    """Let what is stuck be read once more; how much. Raises access.NotFound."""
    user = access.memory_user(actor, user_id, Right.READINGS_CONFIRM, lock=True)
    stuck = ToRead.objects.stuck().filter(user=user)
    count = stuck.update(status=ReadStatus.WAITING, tries=0, reason="")
    if count:
        enqueue_reading(user=user, now=now)
        audit.record("reading.again", actor=actor, now=now, person=user.pk, of="to read")
    return count
