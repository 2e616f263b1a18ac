"""Append entries to one of a person's three chains, under the lock of the person's row."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from memory.models import MemoryUser, Stream
from memory.project.chain import Canonical, canonical_text, commitment, link


@dataclass(frozen=True)
class Link:
    """What an entry and its body store of the chain."""

    seq: int
    salt: str
    canonical: str
    commitment: str
    hash: str


def extend(user: MemoryUser, stream: Stream, bodies: Sequence[Canonical]) -> list[Link]:
    """Links for new bodies after the person's head, which moves on (the caller saves the row)."""
    seq: int = getattr(user, f"{stream}_seq")
    head: str = getattr(user, f"{stream}_head")
    user_id = str(user.pk)
    links = []
    for body in bodies:
        seq += 1
        salt = secrets.token_hex(16)
        canonical = canonical_text(body)
        committed = commitment(salt, canonical)
        head = link(head, stream=str(stream), user_id=user_id, seq=seq, committed=committed)
        links.append(Link(seq, salt, canonical, committed, head))
    setattr(user, f"{stream}_seq", seq)
    setattr(user, f"{stream}_head", head)
    return links
