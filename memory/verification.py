"""Verify a person's chains, entry by entry, against what is stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.models import (
    GENESIS,
    Fact,
    FactBody,
    MemoryUser,
    Message,
    MessageBody,
    Reading,
    ReadingBody,
    Stream,
)
from memory.models.entry import Body, Entry
from memory.project.chain import commitment, link, parse_moment
from memory.snapshot import snapshot

Columns = Callable[[Any, Any], dict[str, Any]]


@dataclass(frozen=True)
class Break:
    """The first entry of a chain that does not hold, and why."""

    stream: Stream
    seq: int
    reason: str


@dataclass(frozen=True)
class _Chain:
    stream: Stream
    entries: type[Entry]
    bodies: type[Body]
    columns: Columns


def _message_columns(entry: Message, body: MessageBody) -> dict[str, Any]:
    return {
        "said_at": entry.said_at,
        "recorded_at": entry.recorded_at,
        "session": body.session,
        "role": body.role,
    }


def _fact_columns(entry: Fact, body: FactBody) -> dict[str, Any]:
    return {
        "occurred_at": entry.occurred_at,
        "recorded_at": entry.recorded_at,
        "app": str(entry.app_id),
        "source": body.source,
        "session": body.session,
    }


def _reading_columns(entry: Reading, body: ReadingBody) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "fact_seq": entry.fact_seq,
        "recorded_at": entry.recorded_at,
        "kind": body.kind,
        "record_id": body.record_id,
    }


CHAINS = (
    _Chain(Stream.MESSAGE, Message, MessageBody, _message_columns),
    _Chain(Stream.FACT, Fact, FactBody, _fact_columns),
    _Chain(Stream.READING, Reading, ReadingBody, _reading_columns),
)


class Placements:
    """Which readings wait and which have been placed, along a chain of readings."""

    def __init__(self) -> None:
        self.waiting: dict[int, tuple[int, str]] = {}

    def fault(self, said: dict[str, Any]) -> str | None:
        """What is wrong with the reading that comes next, as a placement; None where nothing is."""
        place = (said["fact_seq"], said["kind"])
        if "places" in said:
            if self.waiting.pop(said["places"], None) != place:
                return f"it places reading {said['places']}, which does not wait for that"
        elif not said["record_id"] and said["op"] == "assert":
            self.waiting[said["seq"]] = place
        return None


def verify_user(user_id: Any) -> list[Break]:
    """The first broken entry of each of the person's chains; nothing where all hold.

    Of somebody erased the entries are left, whose bodies must all be gone.
    """
    with snapshot():
        return breaks_of(MemoryUser.everybody.get(pk=user_id))


def breaks_of(user: MemoryUser) -> list[Break]:
    """The same within the caller's transaction."""
    breaks = (_verify(user, chain) for chain in CHAINS)
    return [found for found in breaks if found is not None]


def _verify(user: MemoryUser, chain: _Chain) -> Break | None:
    entries = chain.entries._default_manager.filter(user=user).order_by("seq").iterator()
    bodies = {body.seq: body for body in chain.bodies._default_manager.filter(user=user).iterator()}
    head, seq = GENESIS, 0
    placements = Placements()
    for entry in entries:
        seq += 1
        body = bodies.pop(entry.seq, None)
        reason = _fault(user, chain, entry, body, head, seq)
        if body is not None and reason is None and chain.stream == Stream.READING:
            reason = placements.fault(json.loads(body.canonical))
        if reason:
            return Break(chain.stream, seq, reason)
        head = entry.hash
    if bodies:
        return Break(chain.stream, min(bodies), "a body stands without its entry")
    if user.erased_at is not None and chain.bodies._default_manager.filter(user=user).exists():
        return Break(chain.stream, 1, "bodies are left of somebody who was erased")
    expected = (getattr(user, f"{chain.stream}_seq"), getattr(user, f"{chain.stream}_head"))
    if expected != (seq, head):
        reason = f"the person's head says the chain ends at {expected[0]}"
        return Break(chain.stream, seq + 1, reason)
    return None


def _fault(
    user: MemoryUser, chain: _Chain, entry: Any, body: Any, head: str, seq: int
) -> str | None:
    if entry.seq != seq:
        return "an entry is missing"
    if body is None and user.erased_at is None:
        return "its body is missing"
    if body is not None and commitment(body.salt, body.canonical) != entry.commitment:
        return "its text is not the one that was recorded"
    expected = link(
        head,
        stream=str(chain.stream),
        user_id=str(user.pk),
        seq=seq,
        committed=entry.commitment,
    )
    if expected != entry.hash:
        return "its hash does not follow from the entry before"
    if body is None:
        return None
    said = json.loads(body.canonical)
    for name, value in chain.columns(entry, body).items():
        if (parse_moment(said[name]) if isinstance(value, datetime) else said[name]) != value:
            return f"its column {name} is not what was recorded"
    return None
