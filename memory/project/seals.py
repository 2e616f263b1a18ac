"""The chain of the audit: what an event's digest covers, and how a batch of them is sealed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memory.project.chain import canonical_text, moment

Range = tuple[int, int]
"""The first and the last of a run of ids, both included."""


def event_digest(fields: Mapping[str, str | None]) -> str:
    """SHA-256 over an event's columns as canonical JSON, in hex."""
    return hashlib.sha256(canonical_text(fields).encode()).hexdigest()


def root_of(digests: Iterable[tuple[int, str]]) -> str:
    """SHA-256 over ids and digests of the events of a batch, in order of their ids."""
    root = hashlib.sha256()
    for event_id, digest in digests:
        root.update(f"{event_id} {digest}\n".encode())
    return root.hexdigest()


def seal_hash(
    previous: str,
    *,
    number: int,
    sealed_at: datetime,
    last_event: int,
    ranges: Sequence[Range],
    gaps: Sequence[Range],
    count: int,
    root: str,
) -> str:
    """The hash of one seal: SHA-256 over the hash before and all that the seal says."""
    ids = json.dumps([last_event, ranges, gaps], separators=(",", ":"))
    text = "\n".join([previous, str(number), moment(sealed_at), ids, str(count), root])
    return hashlib.sha256(text.encode()).hexdigest()


def runs(ids: Iterable[int]) -> list[Range]:
    """Increasing ids as runs."""
    found: list[Range] = []
    for one in ids:
        if found and found[-1][1] == one - 1:
            found[-1] = (found[-1][0], one)
        else:
            found.append((one, one))
    return found


def between(found: Sequence[Range], after: int) -> list[Range]:
    """What lies between runs, and between `after` and the first of them."""
    missing = []
    for first, last in found:
        if first > after + 1:
            missing.append((after + 1, first - 1))
        after = last
    return missing


def without(gaps: Iterable[Range], found: Sequence[Range]) -> list[Range]:
    """Gaps without the runs that have been found in them."""
    left = []
    for first, last in gaps:
        inside = [run for run in found if first <= run[0] <= last]
        left += between([*inside, (last + 1, last + 1)], first - 1)
    return left
