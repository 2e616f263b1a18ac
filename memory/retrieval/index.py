"""A person's entries as a `Corpus` for one query: from the index, and the newest from the log.

What is not indexed yet is read from the log itself, so that an entry is found from the moment it
is recorded. An earlier state is a shorter one: lengths, postings and figures end at the head asked
for, and an entry is ranked as it would have been then.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from memory.models import BLOCK, IndexedBlock, MemoryUser, Posting, Stream, WordIndex
from memory.retrieval.bm25 import NOWHERE, Corpus
from memory.retrieval.documents import Document, documents
from memory.retrieval.packing import unpack
from memory.retrieval.words import ANALYZER

Heads = Mapping[Stream, int]
"""The last seq of each stream that is looked at; a stream that is not named is left out."""
Found = dict[str, tuple[list[int], list[int]]]


@dataclass(frozen=True)
class Index:
    """The corpus, where each stream begins in it, and which facts a later one corrects.

    `unindexed` is how many entries were read from the log.
    """

    corpus: Corpus
    begins: Mapping[Stream, int]
    corrected: Mapping[int, int]
    unindexed: int

    def place(self, stream: Stream, seq: int) -> int:
        """Where an entry stands in the corpus."""
        return self.begins[stream] + seq - 1

    def entry(self, place: int) -> tuple[Stream, int]:
        """The stream and seq of a place."""
        stream = max((one for one in self.begins if self.begins[one] <= place), key=self._begin)
        return stream, place - self.begins[stream] + 1

    def _begin(self, stream: Stream) -> tuple[int, bool]:
        return self.begins[stream], stream == Stream.MESSAGE


def read_index(user: MemoryUser, terms: Collection[str], heads: Heads) -> Index:
    """What a query for these terms needs; to be called inside a snapshot."""
    begins, begin = {}, 0
    for stream, head in heads.items():
        begins[stream] = begin
        begin += head
    lengths: list[int] = []
    previous: list[int] = []
    corrected: dict[int, int] = {}
    postings: Found = {term: ([], []) for term in terms}
    unindexed = 0
    indexed = WordIndex.objects.filter(user=user, analyzer=ANALYZER).first()
    for stream, head in heads.items():
        reach = min(head, getattr(indexed, f"{stream}_seq", 0))
        part = _indexed(user, stream, reach)
        _add_postings(user, stream, reach, begins[stream], postings)
        rest = documents(user, stream, reach + 1, head) if reach < head else []
        unindexed += len(rest)
        part.add(rest)
        _add_documents(rest, begins[stream], postings)
        lengths += part.lengths
        previous += [begins[stream] + seq - 1 if seq else NOWHERE for seq in part.previous]
        corrected |= {wrong: seq for seq, wrong in enumerate(part.corrects, 1) if wrong}
    return Index(Corpus(lengths, previous, postings), begins, corrected, unindexed)


@dataclass(frozen=True)
class _Part:
    """One stream's entries in order."""

    lengths: list[int] = field(default_factory=list)
    previous: list[int] = field(default_factory=list)
    corrects: list[int] = field(default_factory=list)

    def add(self, rest: Collection[Document]) -> None:
        self.lengths.extend(len(one.terms) for one in rest)
        self.previous.extend(one.previous for one in rest)
        self.corrects.extend(one.corrects for one in rest)


def _indexed(user: MemoryUser, stream: Stream, reach: int) -> _Part:
    part = _Part()
    if not reach:
        return part
    blocks = IndexedBlock.objects.filter(user=user, stream=stream, block__lte=(reach - 1) // BLOCK)
    for lengths, previous, corrects in blocks.order_by("block").values_list(
        "lengths", "previous", "corrects"
    ):
        part.lengths.extend(unpack("H", lengths))
        part.previous.extend(unpack("I", previous))
        part.corrects.extend(unpack("I", corrects))
    for numbers in (part.lengths, part.previous, part.corrects):
        del numbers[reach:]
    return part


def _add_postings(
    user: MemoryUser, stream: Stream, reach: int, begin: int, postings: Found
) -> None:
    if not reach or not postings:
        return
    rows = Posting.objects.filter(
        user=user, term__in=list(postings), stream=stream, block__lte=(reach - 1) // BLOCK
    )
    by_block = rows.order_by("block").values_list("term", "block", "places")
    for term, block, raw in by_block:
        numbers = unpack("H", raw)
        first = block * BLOCK
        offsets = numbers[::2]
        end = bisect_right(offsets, reach - 1 - first)
        places, counts = postings[term]
        places += [begin + first + offset for offset in offsets[:end]]
        counts += numbers[1 : 2 * end : 2]


def _add_documents(rest: Collection[Document], begin: int, postings: Found) -> None:
    for one in rest:
        for term, count in Counter(one.terms).items():
            if term in postings:
                places, counts = postings[term]
                places.append(begin + one.seq - 1)
                counts.append(count)
