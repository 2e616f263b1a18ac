"""What was doubtful when it was read, as questions to the person until something answers them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Max

from memory.models import FactBody, MemoryUser, Reading, ReadingBody, Stream, ToRead

MOST = 1_000
"""Of the messages and facts with doubts so many are looked at, those read last."""
CORRECTS = r'"corrects":[0-9]'
PERSON = "people.Person"
Key = tuple[str, str]


@dataclass(frozen=True)
class Question:
    """What is to be asked about a fact, with the words that it rests on."""

    fact: int
    message: int | None
    quote: str
    doubts: tuple[str, ...]
    asked_at: datetime | None


def open_questions(user: MemoryUser) -> list[Question]:
    """The questions that nothing has answered, those about the newest facts first.

    A later fact answers them that corrects the fact, or that says something of one of its records.
    Of people that counts only where the fact speaks of nobody and nothing else: they are named in
    passing all the time.
    """
    asked: dict[int, Question] = {}
    for one in _asked(user):
        first = asked.setdefault(one.fact, one)
        if first is not one:  # a fact that was posted untyped may say several things
            asked[one.fact] = replace(first, doubts=(*first.doubts, *one.doubts))
    if not asked:
        return []
    closed = _corrected(user, min(asked)) | _spoken_of(user, asked.keys())
    return [asked[seq] for seq in sorted(asked.keys() - closed, reverse=True)]


def _asked(user: MemoryUser) -> Iterator[Question]:
    rows = ToRead.objects.doubtful().filter(user=user).order_by("-tried_at", "-seq")[:MOST]
    for row in rows:
        for one in row.found or []:
            if one["doubts"]:
                message = row.seq if row.stream == Stream.MESSAGE else None
                doubts = tuple(one["doubts"])
                yield Question(one["fact"], message, one["quote"], doubts, row.tried_at)


def _corrected(user: MemoryUser, first: int) -> set[int]:
    """The facts that a fact after this one corrects."""
    later = FactBody._default_manager.filter(user=user, seq__gt=first, canonical__regex=CORRECTS)
    return {json.loads(text).get("corrects") for text in later.values_list("canonical", flat=True)}


def _spoken_of(user: MemoryUser, facts: Collection[int]) -> set[int]:
    """The facts of which a record has a reading that came after all of theirs."""
    own = dict(Reading.objects.filter(user=user, fact_seq__in=facts).values_list("seq", "fact_seq"))
    last: dict[int, dict[Key, int]] = defaultdict(dict)
    bodies = ReadingBody._default_manager.filter(user=user, seq__in=own).order_by("seq")
    for seq, kind, record_id in bodies.values_list("seq", "kind", "record_id"):
        last[own[seq]][kind, record_id] = seq
    newest = _newest(user, {key for keys in last.values() for key in keys})
    closed = set()
    for fact, keys in last.items():
        things = {key: seq for key, seq in keys.items() if key[0] != PERSON} or keys
        if any(newest[key] > seq for key, seq in things.items()):
            closed.add(fact)
    return closed


def _newest(user: MemoryUser, keys: Collection[Key]) -> dict[Key, int]:
    """The last reading of each of these records, and of others."""
    rows = ReadingBody._default_manager.filter(
        user=user, kind__in={kind for kind, _ in keys}, record_id__in={one for _, one in keys}
    )
    found = rows.values_list("kind", "record_id").annotate(Max("seq")).order_by()
    return {(kind, record_id): seq for kind, record_id, seq in found}
