"""What the queue does for search."""

from __future__ import annotations

import time
from contextlib import suppress

from django.conf import settings
from django.utils import timezone

from memory.access import NotFound
from memory.actions.embed_entries import (
    VectorsMoved,
    enqueue_embedding,
    enqueue_unembedded,
    next_unembedded,
    store_vectors,
)
from memory.actions.index_words import (
    IndexMoved,
    enqueue_index,
    enqueue_unindexed,
    index_batch,
    next_batch,
)
from memory.actions.jobs import effect, midway, running_before
from memory.models import Job, MemoryUser
from memory.retrieval.vectors.embedder import embedder
from memory.tasks import handles


@handles("index")
def run_index(job: Job) -> None:
    """Bring the word index of the job's person up to the log, block by block.

    Each block is stored once, whoever else is at it; what is left when time runs out is queued.
    """
    assert job.user_id is not None
    assert job.user is not None
    ends = time.monotonic() + settings.Q_CLUSTER["timeout"] / 2
    batch = None
    try:
        while (batch := next_batch(job.user_id)) is not None and time.monotonic() < ends:
            with suppress(IndexMoved), midway(job=job):
                index_batch(batch)
    except MemoryUser.DoesNotExist:  # erased meanwhile, and the job with it
        return
    now = timezone.now()
    with effect(job=job, now=now):
        if batch is not None:
            enqueue_index(user=job.user, now=now)


@handles("embed")
def run_embed(job: Job) -> None:
    """Turn the entries of the job's person into vectors, some texts at a time.

    Of two jobs for one person the later leaves it to the other. Where the model cannot be asked the
    job fails, and the words alone go on finding.
    """
    assert job.user_id is not None
    assert job.user is not None
    ends = time.monotonic() + settings.Q_CLUSTER["timeout"] / 2
    maker, left = embedder(), None
    alone = not running_before(job=job, now=timezone.now())
    try:
        while maker and alone and (left := next_unembedded(job.user_id, maker.name)) is not None:
            if time.monotonic() > ends:
                break
            vectors = maker.entries(left.texts, job.user_id)
            with suppress(VectorsMoved), midway(job=job):
                store_vectors(of=left, model=maker.name, vectors=vectors)
    except (NotFound, MemoryUser.DoesNotExist):  # erased meanwhile, and the job with it
        return
    now = timezone.now()
    with effect(job=job, now=now):
        if left is not None:
            enqueue_embedding(user=job.user, now=now)


def sweep_index() -> None:
    """Every five minutes: queue people of whom much is not indexed, or not turned into vectors."""
    enqueue_unindexed(now=timezone.now())
    enqueue_unembedded(now=timezone.now())
