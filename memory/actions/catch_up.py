"""Queue what a search found missing, so that the next one is quicker and better."""

from __future__ import annotations

from datetime import datetime

from memory.actions.embed_entries import enqueue_embedding
from memory.actions.index_words import UNINDEXED, enqueue_index
from memory.models import Job, MemoryUser
from memory.retrieval.search import Hits


def catch_up(*, user: MemoryUser, hits: Hits, now: datetime) -> None:
    """Have the rest indexed, and turned into vectors, where a search met much that is not."""
    if hits.unindexed > UNINDEXED and not _in_the_way("index", user, now):
        enqueue_index(user=user, now=now)
    if hits.unembedded > UNINDEXED and not _in_the_way("embed", user, now):
        enqueue_embedding(user=user, now=now)


def _in_the_way(name: str, user: MemoryUser, now: datetime) -> bool:
    return Job.objects.in_the_way(name, now).filter(user=user).exists()
