"""The tables of expected outcomes: text that a person can read, and that the tests write anew.

`UAC_WRITE_TABLES=1 pytest tests/access` writes what it finds; the difference is to be read before
it is kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

FOLDER = Path(__file__).parent
Row = tuple[str, ...]


def check(name: str, head: Sequence[str], found: Iterable[Row]) -> None:
    """Compare what was found with the table of this name, row by row."""
    rows = sorted(found)
    path = FOLDER / name
    broken = [row for row in rows if "500" in row]
    assert broken == [], "these doors break when somebody knocks"
    text = _text(head, rows)
    if os.environ.get("UAC_WRITE_TABLES"):
        path.write_text(text)
    kept = path.read_text() if path.exists() else ""
    differs = "\n".join(unified_diff(_plain(kept), _plain(text), name, "found", n=0, lineterm=""))
    assert not differs, f"{differs}\n\nRead what differs; UAC_WRITE_TABLES=1 keeps it."


def _plain(text: str) -> list[str]:
    """The rows without the spaces that line them up."""
    return [" ".join(line.split()) for line in text.splitlines()]


def _text(head: Sequence[str], rows: Sequence[Row]) -> str:
    every = [tuple(head), *rows]
    widths = [max(len(row[column]) for row in every) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in every
    ]
    return "\n".join(lines) + "\n"
