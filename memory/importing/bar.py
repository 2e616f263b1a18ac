"""How far something has come, as a line of text. Pure."""

from __future__ import annotations

WIDTH = 30


def bar(done: int, total: int, *, what: str, width: int = WIDTH) -> str:
    """Such as `[#######-------] 1,200 of 2,400 facts, 50 %`."""
    share = done / total if total else 1.0
    full = int(share * width)
    return (
        f"[{'#' * full}{'-' * (width - full)}] {done:,} of {total:,} {what}, {int(share * 100)} %"
    )
