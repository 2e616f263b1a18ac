"""A span of time in a word or two."""

from __future__ import annotations

from math import isinf

UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))


def span_words(seconds: float) -> str:
    """`5 ms`, `1.5 s`, `42 s`, `12 min`, `3 h`, `5 d`; cut, never rounded up."""
    if isinf(seconds):
        return "longer"
    for size, unit in UNITS:
        if seconds >= size:
            return f"{int(seconds // size):,} {unit}"
    if seconds >= 10 or not seconds:
        return f"{int(seconds)} s"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1_000 * seconds:.0f} ms"
