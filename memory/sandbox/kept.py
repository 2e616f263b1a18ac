"""What a keeper remembers of the sessions it ran: some bytes, and a person's for some minutes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

KEPT_BYTES, KEPT_SECONDS = 64 * 1024**2, 300.0  # a person's state in memory, and for how long


@dataclass(frozen=True)
class Dump:
    """A session after its prefix: the names of the feeds it ran, and what Monty made of it."""

    names: tuple[str, ...]
    dump: bytes
    personal: bool = True
    made_at: float = field(default_factory=time.monotonic)


class Kept:
    """Sessions as they were after a prefix, for a while; the oldest go first."""

    def __init__(self) -> None:
        self._dumps: dict[str, Dump] = {}

    def session(self, key: str) -> Dump | None:
        """The session of a prefix, if it is still kept."""
        self._drop(KEPT_BYTES)
        return self._dumps.get(key)

    def keep(self, key: str, session: Dump) -> None:
        """Keep a session that is not too large, in place of older ones where space is short."""
        if len(session.dump) <= KEPT_BYTES:
            self._drop(KEPT_BYTES - len(session.dump))
            self._dumps[key] = session

    def _drop(self, room: int) -> None:
        """Drop what is personal and too old, and the oldest until the rest fits."""
        oldest = time.monotonic() - KEPT_SECONDS
        self._dumps = {
            key: kept
            for key, kept in self._dumps.items()
            if kept.made_at > oldest or not kept.personal
        }
        while sum(len(kept.dump) for kept in self._dumps.values()) > room:
            self._dumps.pop(next(iter(self._dumps)))
