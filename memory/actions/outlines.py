"""What the queue shows of a proposal, kept beside it so that a list need not read its code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory.evaluator import Would
from memory.project.danger import counted, gravest
from memory.project.outline import outline


def outlined(
    old: Mapping[str, str],
    new: Mapping[str, str],
    would: Would | None,
    replay: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The columns `outline` and `danger` of a proposal that turns `old` files into `new`."""
    gone = replay[-1].get("gone", ()) if replay else ()
    return foreseen_outline({**outline(old, new), "lost": counted(gone)}, would)


def foreseen_outline(kept: Mapping[str, Any], would: Would | None) -> dict[str, Any]:
    """Both columns once the rules have said what they would raise now; the rest is kept."""
    gained = counted(would.found) if would else {}
    return {"outline": {**kept, "gained": gained}, "danger": gravest(gained)}
