"""Search a person's facts and messages: what fits best first, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.log import FactEntry, MessageEntry, facts_by_seq, messages_by_seq
from memory.models import MemoryUser, Reading, Stream
from memory.retrieval.bm25 import (
    Sessions,
    TermScore,
    explained,
    neighbours,
    term_scores,
    with_neighbours,
)
from memory.retrieval.fusion import Fused, Mode, fuse
from memory.retrieval.index import Index, read_index
from memory.retrieval.narrowing import Known, Narrowing
from memory.retrieval.snippet import Snippet, snippet_of
from memory.retrieval.vectors.meaning import Meaning, meaning_of, similarities
from memory.retrieval.words import words_in
from memory.snapshot import snapshot

LONGEST_QUERY = 1_000
DEEPEST = 1_000
"""Hits that can be paged through."""


@dataclass(frozen=True)
class Query:
    """A question as it was written, and the terms it is searched by."""

    text: str

    @property
    def terms(self) -> list[str]:
        """Each term once, in order."""
        return list(dict.fromkeys(word.term for word in words_in(self.text) if word.term))

    @property
    def ignored(self) -> list[str]:
        """Words that say nothing by themselves."""
        words = [self.text[one.start : one.end] for one in words_in(self.text) if not one.term]
        return list(dict.fromkeys(words))


@dataclass(frozen=True)
class Beside:
    """A turn near a hit that counts in: its seq, and what of its score."""

    seq: int
    weight: float
    score: float

    @property
    def counts(self) -> float:
        """What it brings."""
        return self.weight * self.score


@dataclass(frozen=True)
class Parts:
    """What an entry's own score is made of: of its words, of its vector, and both as one.

    `similarity` is a cosine, None for an entry without a vector.
    """

    words: float
    similarity: float | None
    own: float


@dataclass(frozen=True)
class Hit:
    """An entry that was found; `corrected_by` is the seq of a fact that took it back."""

    stream: Stream
    seq: int
    score: float
    parts: Parts
    terms: tuple[TermScore, ...]
    beside: tuple[Beside, ...]
    entry: FactEntry | MessageEntry
    snippet: Snippet
    corrected_by: int | None

    @property
    def is_fact(self) -> bool:
        """Whether it is a fact; else it is a message."""
        return isinstance(self.entry, FactEntry)

    @property
    def when(self) -> datetime:
        """When a fact was true, or a message said."""
        entry = self.entry
        return entry.occurred_at if isinstance(entry, FactEntry) else entry.said_at

    @property
    def kinds(self) -> list[str]:
        """What a fact was read as."""
        entry = self.entry
        readings = entry.readings if isinstance(entry, FactEntry) else ()
        return sorted({reading.kind for reading in readings})


@dataclass(frozen=True)
class Hits:
    """One page of what was found, and how; `more` says whether there is a next.

    `unindexed` counts entries whose words were read from the log, `unembedded` those that have no
    vector.
    """

    items: tuple[Hit, ...]
    mode: Mode
    more: bool
    unindexed: int
    unembedded: int


@dataclass(frozen=True)
class Asked:
    """What is searched for: a query, of what is known, narrowed, from a hit on."""

    query: Query
    known: Known
    narrowing: Narrowing = field(default_factory=Narrowing)
    mode: Mode = "hybrid"
    offset: int = 0
    limit: int = 20
    meant: Meaning | None = None
    """What the query means, where that has been found out already."""


def search(user: MemoryUser, asked: Asked) -> Hits:
    """One page of hits, the best first; all of it as of one moment.

    Where vectors are not to be had, or cannot be had right now, words alone are looked at.
    """
    meant = asked.meant
    if meant is None and asked.mode != "text":
        meant = meaning_of(user, asked.query.text)
    with snapshot():
        index = read_index(user, asked.query.terms, asked.known.heads)
        similar = None if meant is None else _similar(user, meant, asked, index)
        found = fuse(term_scores(index.corpus), similar, len(index.corpus.lengths), asked.mode)
        sessions = Sessions(index.corpus.previous)
        end = asked.offset + asked.limit
        ranked = with_neighbours(found.scores, sessions, _allowed(user, asked, index), end + 1)
        page = ranked[asked.offset : end]
        entries = _entries(user, asked.known, index, (place for place, _ in page))
    shown = _Shown(index, asked.query.terms, found, sessions, entries)
    unembedded = 0 if similar is None else len(index.corpus.lengths) - len(similar)
    items = tuple(shown.hit(place, score) for place, score in page)
    return Hits(items, found.mode, len(ranked) > end, index.unindexed, unembedded)


def _similar(user: MemoryUser, meant: Meaning, asked: Asked, index: Index) -> dict[int, float]:
    found = similarities(user, meant, asked.known.heads)
    return {index.place(stream, seq): value for (stream, seq), value in found.items()}


def _allowed(user: MemoryUser, asked: Asked, index: Index) -> set[int] | None:
    """The places that pass the filters; None where all do."""
    if not asked.narrowing.narrows:
        return None
    return {
        index.place(stream, seq)
        for stream, head in asked.known.heads.items()
        for seq in asked.narrowing.seqs(user, stream, asked.known)
        if seq <= head
    }


Entries = Mapping[tuple[Stream, int], FactEntry | MessageEntry]


def _entries(user: MemoryUser, known: Known, index: Index, places: Iterable[int]) -> Entries:
    found = [index.entry(place) for place in places]
    facts = facts_by_seq(user, [seq for stream, seq in found if stream == Stream.FACT])
    if known.moment is not None:
        facts = _as_read(user, facts, known.moment)
    messages = messages_by_seq(user, [seq for stream, seq in found if stream == Stream.MESSAGE])
    return {
        **{(Stream.FACT, seq): one for seq, one in facts.items()},
        **{(Stream.MESSAGE, seq): one for seq, one in messages.items()},
    }


def _as_read(
    user: MemoryUser, facts: Mapping[int, FactEntry], moment: datetime
) -> dict[int, FactEntry]:
    """The facts with what had been read of them by a moment."""
    made = Reading.objects.filter(user=user, fact_seq__in=list(facts), recorded_at__lte=moment)
    seqs = set(made.values_list("seq", flat=True))
    return {
        seq: replace(one, readings=tuple(read for read in one.readings if read.seq in seqs))
        for seq, one in facts.items()
    }


@dataclass(frozen=True)
class _Shown:
    """What hits are explained with."""

    index: Index
    terms: list[str]
    found: Fused
    sessions: Sessions
    entries: Entries

    def hit(self, place: int, score: float) -> Hit:
        """An entry with why it was found."""
        stream, seq = self.index.entry(place)
        entry, found = self.entries[stream, seq], self.found
        text = entry.text if isinstance(entry, FactEntry) else entry.content
        return Hit(
            stream=stream,
            seq=seq,
            score=score,
            parts=Parts(
                found.words.get(place, 0.0), found.similar.get(place), found.scores.get(place, 0.0)
            ),
            terms=explained(self.index.corpus, place),
            beside=tuple(
                Beside(self.index.entry(one.place)[1], one.weight, one.score)
                for one in neighbours(found.scores, self.sessions, place)
            ),
            entry=entry,
            snippet=snippet_of(text, self.terms),
            corrected_by=self.index.corrected.get(seq) if stream == Stream.FACT else None,
        )
