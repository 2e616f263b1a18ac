"""Facts and messages as search reads them: their words, and what each follows in its session."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from memory.models import FactBody, MemoryUser, MessageBody, Stream
from memory.retrieval.words import terms_in

STREAMS = (Stream.FACT, Stream.MESSAGE)
"""What is searched."""
Body = type[FactBody] | type[MessageBody]
BODIES: Mapping[Stream, Body] = {Stream.FACT: FactBody, Stream.MESSAGE: MessageBody}
LONGEST_MEANING = 2_000
"""Characters of a text that its vector is made from; models read about so many."""
ROLES = frozenset({"user", "assistant", "system", "developer", "tool", "function"})
"""Roles that name nobody; any other is the speaker's name, and searched."""


@dataclass(frozen=True)
class Document:
    """An entry: its terms in order, the seq before it in its session and the one it corrects."""

    seq: int
    terms: Sequence[str]
    previous: int
    corrects: int


def documents(user: MemoryUser, stream: Stream, first: int, last: int) -> list[Document]:
    """The entries from one seq to another."""
    rows = BODIES[stream].objects.filter(user=user, seq__gte=first, seq__lte=last)
    bodies = list(rows.order_by("seq").values_list("seq", "session", "canonical"))
    before = _before(user, stream, {session for _, session, _ in bodies}, first)
    found = []
    for seq, session, canonical in bodies:
        body = json.loads(canonical)
        told = stream == Stream.MESSAGE or bool(session)
        previous = before.get(session, 0) if told else 0
        before[session] = seq
        found.append(Document(seq, terms_of(stream, body), previous, body.get("corrects") or 0))
    return found


def terms_of(stream: Stream, body: Mapping[str, Any]) -> list[str]:
    """What an entry is found by."""
    if stream == Stream.FACT:
        return terms_in(body["text"])
    role = body["role"]
    speaker = [] if role.casefold() in ROLES else terms_in(role)
    return [*speaker, *terms_in(body["content"])]


def meanings(user: MemoryUser, stream: Stream, first: int, last: int) -> list[str]:
    """The entries from one seq to another as texts to be turned into vectors."""
    rows = BODIES[stream].objects.filter(user=user, seq__gte=first, seq__lte=last)
    bodies = (json.loads(one) for one in rows.order_by("seq").values_list("canonical", flat=True))
    return [_meaning(stream, body)[:LONGEST_MEANING] for body in bodies]


def _meaning(stream: Stream, body: Mapping[str, Any]) -> str:
    if stream == Stream.FACT:
        return str(body["text"])
    role, content = body["role"], body["content"]
    return str(content) if role.casefold() in ROLES else f"{role}: {content}"


def _before(user: MemoryUser, stream: Stream, sessions: set[str], first: int) -> dict[str, int]:
    """The last seq of each of these sessions before `first`."""
    if first == 1 or not sessions:
        return {}
    rows = BODIES[stream].objects.filter(user=user, session__in=sessions, seq__lt=first)
    return dict(rows.order_by().values_list("session").annotate(Max("seq")))


def heads(user: MemoryUser) -> dict[Stream, int]:
    """The last seq of each stream as the person's row was read."""
    return {Stream.FACT: user.fact_seq, Stream.MESSAGE: user.message_seq}
