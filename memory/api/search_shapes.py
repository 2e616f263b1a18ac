"""What `users/{id}/search` answers with."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from memory.api.fields import Strict
from memory.log import FactEntry
from memory.models import Stream
from memory.retrieval.search import Hit

DIGITS = 4


class SnippetOut(Strict):
    """A piece of the text as it stands there: plain text, to be escaped where it is shown."""

    text: str
    highlights: Annotated[
        list[list[int]],
        Field(description="Where words of the query stand: from and to, in characters of `text`."),
    ]
    cut_before: bool
    cut_after: bool


class TermOut(Strict):
    """What one word of the query brings (BM25)."""

    term: str
    idf: Annotated[float, Field(description="How rare it is among what was searched.")]
    count: Annotated[int, Field(description="How often it stands in this entry.")]
    score: float


class NeighbourOut(Strict):
    """A turn before or after it in its session, whose score counts in with a weight."""

    seq: int
    weight: float
    score: float


class ExplanationOut(Strict):
    """How the score came about: its own, made of words and vector, and the neighbours'."""

    words: Annotated[float, Field(description="BM25: the sum over the terms.")]
    similarity: Annotated[
        float | None, Field(description="The cosine with the query; null without a vector.")
    ]
    own: Annotated[
        float,
        Field(
            description="`words` where words alone were looked at; else words and similarity, "
            "each in a measure of its own, added up."
        ),
    ]
    terms: list[TermOut]
    neighbours: list[NeighbourOut]


class HitOut(Strict):
    """A fact or a message that was found."""

    stream: Literal["fact", "message"]
    seq: int
    score: float
    snippet: SnippetOut
    occurred_at: Annotated[
        datetime, Field(description="When a fact was true; when a message was said.")
    ]
    recorded_at: datetime
    session: str
    source: str
    role: Annotated[str | None, Field(description="Who said a message; null for a fact.")]
    kinds: Annotated[list[str], Field(description="What a fact was read as.")]
    message: Annotated[int | None, Field(description="The seq of the message a fact is from.")]
    corrected_by: Annotated[
        int | None, Field(description="The seq of a later fact that says this one was wrong.")
    ]
    explanation: ExplanationOut


class KnownOut(Strict):
    """The last seq of each stream that was searched; null for one that was not."""

    fact_seq: int | None
    message_seq: int | None


class SearchOut(Strict):
    """A page of hits, the best first."""

    user_id: UUID
    terms: Annotated[list[str], Field(description="What was searched for, as word stems.")]
    ignored: Annotated[list[str], Field(description="Words that say nothing by themselves.")]
    mode: Annotated[
        Literal["text", "vector", "hybrid"],
        Field(description="What was looked at: text where vectors were not to be had."),
    ]
    known: KnownOut
    items: list[HitOut]
    next: str | None


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit as the API shows it."""
    similarity = hit.parts.similarity
    return {
        "stream": str(hit.stream),
        "seq": hit.seq,
        "score": round(hit.score, DIGITS),
        "snippet": {
            "text": hit.snippet.text,
            "highlights": [list(place) for place in hit.snippet.marks],
            "cut_before": hit.snippet.before,
            "cut_after": hit.snippet.after,
        },
        **_entry_json(hit),
        "corrected_by": hit.corrected_by,
        "explanation": {
            "words": round(hit.parts.words, DIGITS),
            "similarity": similarity if similarity is None else round(similarity, DIGITS),
            "own": round(hit.parts.own, DIGITS),
            "terms": [
                {
                    "term": one.term,
                    "idf": round(one.idf, DIGITS),
                    "count": one.count,
                    "score": round(one.score, DIGITS),
                }
                for one in hit.terms
            ],
            "neighbours": [
                {"seq": one.seq, "weight": one.weight, "score": round(one.score, DIGITS)}
                for one in hit.beside
            ],
        },
    }


def _entry_json(hit: Hit) -> dict[str, Any]:
    entry = hit.entry
    shared = {"recorded_at": entry.recorded_at, "session": entry.session}
    if isinstance(entry, FactEntry):
        return {
            **shared,
            "occurred_at": entry.occurred_at,
            "source": entry.source,
            "role": None,
            "kinds": hit.kinds,
            "message": entry.message_seq,
        }
    return {
        **shared,
        "occurred_at": entry.said_at,
        "source": "",
        "role": entry.role,
        "kinds": [],
        "message": None,
    }


def known_json(heads: Any) -> dict[str, int | None]:
    """The heads that a search looked up to."""
    return {f"{stream}_seq": heads.get(stream) for stream in (Stream.FACT, Stream.MESSAGE)}
