"""Append readings to a person's chain, whoever made them: an app, a correction, a placement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from memory.actions.chains import extend
from memory.actions.project_state import Key
from memory.models import MemoryUser, Reading, ReadingBody, Stream
from memory.project.chain import Canonical, free_json, moment
from memory.project.fold import Op, Statement
from memory.rows import insert_rows

Origin = Literal["app", "correction", "placed", "model", "confirmed"]


@dataclass(frozen=True)
class NewStatement:
    """What a fact says of a record, to be appended.

    The id in `key` is empty for a reading that waits until its kind is known; `places` is the seq
    of the waiting reading that this one gives a record.
    """

    key: Key
    fact_seq: int
    effective_at: datetime
    op: Op
    data: dict[str, Any]
    origin: Origin = "app"
    places: int | None = None

    def numbered(self, seq: int) -> Statement:
        """What it says as the reading with this seq."""
        return Statement(seq, self.fact_seq, self.effective_at, self.op, self.data)


def append_readings(
    user: MemoryUser, new: Sequence[NewStatement], now: datetime
) -> list[tuple[Key, Statement]]:
    """The readings as stored, each with its record, in order; the caller saves the person's row."""
    pairs = [
        (item.key, item.numbered(seq)) for seq, item in enumerate(new, start=user.reading_seq + 1)
    ]
    recorded = moment(now)
    bodies = [_body(item, said, recorded) for item, (_, said) in zip(new, pairs, strict=True)]
    links = extend(user, Stream.READING, bodies)
    linked = list(zip(pairs, links, strict=True))
    insert_rows(
        Reading,
        shared={"user_id": user.pk, "recorded_at": now},
        columns=("seq", "fact_seq", "commitment", "hash"),
        rows=[(link.seq, said.fact_seq, link.commitment, link.hash) for (_, said), link in linked],
    )
    insert_rows(
        ReadingBody,
        shared={"user_id": user.pk},
        columns=("seq", "salt", "canonical", "kind", "record_id"),
        rows=[
            (link.seq, link.salt, link.canonical, kind, record_id)
            for ((kind, record_id), _), link in linked
        ],
    )
    return pairs


def _body(item: NewStatement, said: Statement, recorded: str) -> Canonical:
    body: dict[str, str | int | None] = {
        "seq": said.seq,
        "fact_seq": said.fact_seq,
        "kind": item.key[0],
        "record_id": item.key[1],
        "op": said.op,
        "data": free_json(said.data),
        "effective_at": moment(said.effective_at),
        "recorded_at": recorded,
        "origin": item.origin,
    }
    if item.places is not None:
        body["places"] = item.places
    return body
