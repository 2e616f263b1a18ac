"""Bring a person's word index up to the log, a block at a time; search reads the rest itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from memory.actions.jobs import enqueue
from memory.models import BLOCK, IndexedBlock, Job, MemoryUser, Posting, Stream, WordIndex
from memory.retrieval.documents import STREAMS, Document, documents, heads
from memory.retrieval.packing import pack
from memory.retrieval.words import ANALYZER
from memory.rows import insert_rows

UNINDEXED = 64
"""Entries that search may read itself; beyond them the index is brought up."""
SWEEP_PEOPLE = 50
FEW = 500
"""Terms that are asked for by name."""


class IndexMoved(Exception):
    """Somebody else has brought the index on meanwhile."""


@dataclass(frozen=True)
class Batch:
    """Entries of one block that follow what is indexed."""

    user_id: UUID
    stream: Stream
    entries: Sequence[Document]

    @property
    def first(self) -> int:
        """The seq with which it begins."""
        return self.entries[0].seq


def next_batch(user_id: UUID) -> Batch | None:
    """The next entries to index, up to the end of their block; None where all are.

    Raises MemoryUser.DoesNotExist for somebody erased.
    """
    user = MemoryUser.objects.get(pk=user_id)
    indexed = _indexed(user_id)
    for stream in STREAMS:
        first, head = indexed[stream] + 1, heads(user)[stream]
        if first <= head:
            last = min(head, ((first - 1) // BLOCK + 1) * BLOCK)
            return Batch(user_id, stream, documents(user, stream, first, last))
    return None


@transaction.atomic
def index_batch(batch: Batch) -> None:
    """Store what `next_batch` read. Raises IndexMoved, and MemoryUser.DoesNotExist once erased."""
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=batch.user_id)
    if _indexed(user.pk)[batch.stream] != batch.first - 1:
        raise IndexMoved(user.pk)
    if WordIndex.objects.filter(user=user).exclude(analyzer=ANALYZER).exists():
        _drop(user)
    block = (batch.first - 1) // BLOCK
    _store_block(user, batch, block)
    _store_postings(user, batch, block)
    WordIndex.objects.update_or_create(
        user=user,
        defaults={"analyzer": ANALYZER, f"{batch.stream}_seq": batch.entries[-1].seq},
    )


def enqueue_index(*, user: MemoryUser, now: datetime) -> None:
    """Have the rest of a person's log indexed."""
    with transaction.atomic():
        enqueue(name="index", user=user, now=now)


def enqueue_unindexed(*, now: datetime) -> int:
    """Queue people of whom much is not indexed yet, and whose job did not just fail; how many."""
    busy = Job.objects.in_the_way("index", now)
    indexed = WordIndex.objects.filter(analyzer=ANALYZER)
    behind = MemoryUser.objects.exclude(pk__in=busy.values("user")).filter(
        ~Q(pk__in=indexed.filter(_near_the_head()).values("user")),
        Q(fact_seq__gt=UNINDEXED) | Q(message_seq__gt=UNINDEXED),
    )
    people = list(behind.order_by("pk")[:SWEEP_PEOPLE])
    for user in people:
        enqueue_index(user=user, now=now)
    return len(people)


def _near_the_head() -> Q:
    near = {f"user__{stream}_seq__lte": F(f"{stream}_seq") + UNINDEXED for stream in STREAMS}
    return Q(**near)


def _indexed(user_id: UUID) -> Mapping[Stream, int]:
    """How far the index of the rules in force reaches."""
    index = WordIndex.objects.filter(user=user_id, analyzer=ANALYZER).first()
    return {stream: getattr(index, f"{stream}_seq", 0) for stream in STREAMS}


def _drop(user: MemoryUser) -> None:
    """Forget an index made by other rules."""
    for model in (Posting, IndexedBlock, WordIndex):
        model.objects.filter(user=user)._raw_delete(using=model.objects.db)


def _store_block(user: MemoryUser, batch: Batch, block: int) -> None:
    before = IndexedBlock.objects.filter(user=user, stream=batch.stream, block=block).first()
    added = {
        "lengths": pack("H", (len(one.terms) for one in batch.entries)),
        "previous": pack("I", (one.previous for one in batch.entries)),
        "corrects": pack("I", (one.corrects for one in batch.entries)),
    }
    whole = [bytes(getattr(before, name, b"")) + more for name, more in added.items()]
    insert_rows(
        IndexedBlock,
        shared={"user_id": user.pk, "stream": str(batch.stream), "block": block},
        columns=tuple(added),
        rows=[whole],
        replace=tuple(added),
    )


def _store_postings(user: MemoryUser, batch: Batch, block: int) -> None:
    places: dict[str, list[int]] = defaultdict(list)
    for one in batch.entries:
        for term, count in Counter(one.terms).items():
            places[term] += [one.seq - 1 - block * BLOCK, count]
    known = _known(user, batch, block, places)
    insert_rows(
        Posting,
        shared={"user_id": user.pk, "stream": str(batch.stream), "block": block},
        columns=("term", "places"),
        rows=[
            (term, known.get(term, b"") + pack("H", numbers)) for term, numbers in places.items()
        ],
        replace=("places",),
    )


def _known(
    user: MemoryUser, batch: Batch, block: int, places: Collection[str]
) -> Mapping[str, bytes]:
    """What the block has of these terms already."""
    if batch.first - 1 == block * BLOCK:
        return {}
    rows = Posting.objects.filter(user=user, stream=batch.stream, block=block)
    if len(places) <= FEW:
        rows = rows.filter(term__in=places)
    return {term: bytes(old) for term, old in rows.values_list("term", "places")}
