"""Find what was said or noted about a question, within what whoever asks may read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from itertools import zip_longest

from memory import access
from memory.access import Somebody
from memory.answering.excerpts import Excerpt
from memory.log import FactEntry, MessageEntry, facts_by_seq, messages_by_seq
from memory.models import MemoryUser, Stream
from memory.retrieval.documents import STREAMS
from memory.retrieval.fusion import Mode
from memory.retrieval.narrowing import known_now
from memory.retrieval.search import LONGEST_QUERY, Asked, Query, search
from memory.retrieval.vectors.meaning import meaning_of
from memory.rights import Right

Channels = frozenset[Stream]
MOST, NEWEST = 30, 4
"""Of facts and of messages each, so that the many of one do not hide the other."""


def channels_of(somebody: Somebody) -> Channels:
    """Which of facts and messages somebody may read, besides records."""
    rights = {Stream.FACT: Right.FACTS_READ, Stream.MESSAGE: Right.MESSAGES_READ}
    return frozenset(one for one, right in rights.items() if access.may(somebody, right))


def excerpts_about(user: MemoryUser, question: str, *, channels: Channels) -> list[Excerpt]:
    """The likeliest excerpts first, in the end the newest; none of a fact that was corrected."""
    lists = likeliest(user, question, channels=channels).values()
    in_turn = [one for some in zip_longest(*lists) for one in some if one is not None]
    return list(dict.fromkeys([*in_turn, *newest_excerpts(user, channels)]))


def likeliest(
    user: MemoryUser, question: str, *, channels: Channels
) -> dict[Stream, list[Excerpt]]:
    """What search finds of each stream, the best first, without facts that were corrected.

    What the question means is found out once for all of them.
    """
    if not channels:
        return {}
    query = Query(question[:LONGEST_QUERY])
    meant = meaning_of(user, query.text)
    mode: Mode = "text" if meant is None else "hybrid"
    asked = {
        stream: Asked(query, known_now(user, [stream]), mode=mode, limit=MOST, meant=meant)
        for stream in STREAMS
        if stream in channels
    }
    return {stream: _found(user, one) for stream, one in asked.items()}


def _found(user: MemoryUser, asked: Asked) -> list[Excerpt]:
    hits = search(user, asked).items
    return [_excerpt(user, hit.entry) for hit in hits if hit.corrected_by is None]


def newest_excerpts(user: MemoryUser, channels: Collection[Stream]) -> Iterable[Excerpt]:
    """What was recorded last: a question may be about that without a word of it."""
    if Stream.FACT in channels:
        facts = facts_by_seq(user, _last(user.fact_seq))
        corrected = {fact.corrects for fact in facts.values()}
        yield from (_excerpt(user, one) for seq, one in facts.items() if seq not in corrected)
    if Stream.MESSAGE in channels:
        for message in messages_by_seq(user, _last(user.message_seq)).values():
            yield _excerpt(user, message)


def _last(seq: int) -> range:
    return range(max(1, seq - NEWEST + 1), seq + 1)


def _excerpt(user: MemoryUser, entry: FactEntry | MessageEntry) -> Excerpt:
    def local(moment: datetime) -> datetime:
        return moment.astimezone(user.zone)

    if isinstance(entry, FactEntry):
        return Excerpt("fact", entry.seq, entry.text, entry.source, local(entry.occurred_at))
    return Excerpt("message", entry.seq, entry.content, entry.role, local(entry.said_at))
