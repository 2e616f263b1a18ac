"""The sandbox workers of queries: apart from those of rules, which never wait for a question.

A person's queries go down the same lane, whose worker still has their state loaded.
"""

from __future__ import annotations

import atexit
import os
import threading
from uuid import UUID

from memory.sandbox import Pool

LANES = 2

_lanes: tuple[Pool, ...] = ()
_lock = threading.Lock()


def lane_of(user_id: UUID) -> Pool:
    """The worker for a person's queries, in this process."""
    lanes = _lanes
    if not lanes or lanes[0].pid != os.getpid():
        lanes = _made()
    return lanes[user_id.int % len(lanes)]


def _made() -> tuple[Pool, ...]:
    global _lanes
    with _lock:
        if not _lanes or _lanes[0].pid != os.getpid():
            _lanes = tuple(Pool(1) for _ in range(LANES))
        return _lanes


def close() -> None:
    """Stop this process's workers; the next query starts new ones."""
    global _lanes
    with _lock:
        closing, _lanes = _lanes, ()
    for lane in closing:
        if lane.pid == os.getpid():
            lane.close()


def _after_fork_in_child() -> None:
    # The lock may have been held by a thread that does not exist here.
    global _lanes, _lock
    inherited, _lanes, _lock = _lanes, (), threading.Lock()
    for lane in inherited:
        lane.forget()


os.register_at_fork(after_in_child=_after_fork_in_child)
atexit.register(close)
