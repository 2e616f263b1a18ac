"""Have a person's entries turned into vectors, in the background; words find them meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from memory.actions.jobs import enqueue
from memory.models import BLOCK, EmbeddedBlock, Job, MemoryUser, Stream
from memory.retrieval.documents import heads, meanings
from memory.retrieval.vectors.embedder import embedder
from memory.retrieval.vectors.kept import keeper
from memory.rows import insert_rows

AT_ONCE = 64
SWEEP_PEOPLE = 50


class VectorsMoved(Exception):
    """Somebody else has made these vectors meanwhile."""


@dataclass(frozen=True)
class Unembedded:
    """Entries of one block that follow those with vectors of a model."""

    user_id: UUID
    stream: Stream
    block: int
    after: int
    texts: Sequence[str]


def next_unembedded(user_id: UUID, model: str) -> Unembedded | None:
    """The next texts to be turned into vectors; None where all are.

    Raises MemoryUser.DoesNotExist for somebody erased.
    """
    user = MemoryUser.objects.get(pk=user_id)
    blocks = EmbeddedBlock.objects.filter(user=user, model=model)
    done = {(row.stream, row.block): row.count for row in blocks.defer("matrix")}
    for stream, head in heads(user).items():
        for block in range(-(-head // BLOCK)):
            after, there = done.get((stream, block), 0), min(BLOCK, head - block * BLOCK)
            if after < there:
                first = block * BLOCK + after + 1
                last = min(first + AT_ONCE - 1, block * BLOCK + there)
                texts = meanings(user, stream, first, last)
                return Unembedded(user_id, stream, block, after, texts)
    return None


@transaction.atomic
def store_vectors(*, of: Unembedded, model: str, vectors: Sequence[Sequence[float]]) -> None:
    """Keep what a model made; where its vectors have another length by now, all are made anew.

    Raises VectorsMoved, and MemoryUser.DoesNotExist once erased.
    """
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=of.user_id)
    place = {"user_id": user.pk, "stream": str(of.stream), "block": of.block}
    before = EmbeddedBlock.objects.filter(**place, model=model).defer("matrix").first()
    if (before.count if before else 0) != of.after:
        raise VectorsMoved(user.pk)
    dimension = len(vectors[0])
    others = EmbeddedBlock.objects.filter(user=user, model=model).exclude(dimension=dimension)
    others._raw_delete(using=EmbeddedBlock.objects.db)
    if before is not None and before.dimension != dimension:
        return
    told = {"model": model, "dimension": dimension, "count": of.after + len(vectors)}
    insert_rows(
        EmbeddedBlock,
        shared=place,
        columns=(*told, "matrix"),
        rows=[(*told.values(), b"")],
        replace=tuple(told),
    )
    keeper().append(EmbeddedBlock(**place), of.after, vectors)


def enqueue_embedding(*, user: MemoryUser, now: datetime) -> bool:
    """Have the rest of a person's entries turned into vectors; whether anybody makes any."""
    if embedder() is None:
        return False
    with transaction.atomic():
        enqueue(name="embed", user=user, now=now)
    return True


def enqueue_unembedded(*, now: datetime) -> int:
    """Queue people with entries that have no vector of the model in force; how many."""
    maker = embedder()
    if maker is None:
        return 0
    busy = Job.objects.in_the_way("embed", now)
    made = EmbeddedBlock.objects.filter(user=OuterRef("pk"), model=maker.name)
    counted = made.order_by().values("user").annotate(sum=Sum("count")).values("sum")
    behind = (
        MemoryUser.objects.annotate(made=Coalesce(Subquery(counted), 0))
        .exclude(pk__in=busy.values("user"))
        .filter(made__lt=F("fact_seq") + F("message_seq"))
    )
    people = list(behind.order_by("pk")[:SWEEP_PEOPLE])
    for user in people:
        enqueue_embedding(user=user, now=now)
    return len(people)
