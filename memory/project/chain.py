"""The hash chain of a person's log: canonical text, commitments, links.

A body's canonical text is JSON with sorted keys, without spaces, in UTF-8. It holds no floats:
moments are UTC with microseconds, and what an app sent as free JSON stands inside as the text that
was read, so that what is hashed is exactly what is read back on either database.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

Canonical = Mapping[str, str | int | None]
WIDTH = len("2026-11-21T20:14:00.000000Z")


def moment(value: datetime) -> str:
    """An aware datetime as UTC with microseconds, `2026-11-21T20:14:00.000000Z`.

    The year has four digits on every platform: `strftime` pads those before 1000 on some alone.
    """
    return f"{value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def parse_moment(text: str) -> datetime:
    """The datetime that `moment` wrote, now or when it did not pad the year (`476-09-04T…`)."""
    padded = text.rjust(WIDTH, "0")
    return datetime.strptime(padded, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


def free_json(value: Any) -> str:
    """JSON of an app's own making as one text; NaN and infinities raise ValueError."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def canonical_text(fields: Canonical) -> str:
    """The text that is hashed and stored."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def commitment(salt: str, canonical: str) -> str:
    """SHA-256 over salt and canonical text, in hex; the salt hides short texts once erased."""
    return hashlib.sha256(f"{salt}\n{canonical}".encode()).hexdigest()


def link(previous: str, *, stream: str, user_id: str, seq: int, committed: str) -> str:
    """The hash of one entry: SHA-256 over the hash before, its place, and its commitment."""
    text = f"{previous}\n{stream}\n{user_id}\n{seq}\n{committed}"
    return hashlib.sha256(text.encode()).hexdigest()
