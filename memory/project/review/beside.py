"""Links from the new lines of a diff to the facts behind them, which stand on the same page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory.project.review.render import ShownFile, ShownRow

LineFacts = Mapping[int, Sequence[int]]
"""The seq of the facts behind new lines, by the line's number."""
SHOWN = 3  # beside a line; the others are counted
CELL = "<td"


def with_facts(file: ShownFile, facts: LineFacts) -> ShownFile:
    """The file with links beside these lines, each of which is a new one."""
    chunks = (
        replace(chunk, rows=tuple(_row(row, facts) for row in chunk.rows)) for chunk in file.chunks
    )
    return replace(file, chunks=tuple(chunks)) if facts else file


def _row(row: ShownRow, facts: LineFacts) -> ShownRow:
    behind = facts.get(row.new, ()) if row.new is not None else ()
    if not behind:
        return row
    # The code of the line now is a row's last cell; in its text `<` is escaped.
    at = row.html.index(">", row.html.rindex(CELL)) + 1
    return replace(row, html=f"{row.html[:at]}{fact_marks(behind)}{row.html[at:]}")


def fact_marks(facts: Sequence[int]) -> str:
    """Links to facts by their ids `F12`, as many as have room."""
    links = "".join(f'<a class="ref" href="#F{seq}">F{seq}</a>' for seq in facts[:SHOWN])
    more = f'<span class="ref">+{len(facts) - SHOWN}</span>' if facts[SHOWN:] else ""
    return f'<span class="why">{links}{more}</span>'
