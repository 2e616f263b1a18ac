"""The third stage of a diff: its lines, with the runs that did not change folded away.

Line numbers count from 1, as a reader does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memory.project.review.opcodes import Opcode
from memory.project.review.words import Spans, pairs, word_marks

CONTEXT = 3

Change = Literal["equal", "delete", "insert"]


@dataclass(frozen=True)
class DiffLine:
    """One line of a diff: its number before and after, and the characters to mark in it."""

    change: Change
    old: int | None
    new: int | None
    marks: Spans = ()


@dataclass(frozen=True)
class Chunk:
    """Lines that are shown together; those of a folded one are all equal."""

    lines: tuple[DiffLine, ...]
    folded: bool = False


def chunks(
    codes: Sequence[Opcode], old: Sequence[str], new: Sequence[str], *, context: int = CONTEXT
) -> tuple[Chunk, ...]:
    """The lines of a diff, with equal runs folded beyond `context` lines around each change."""
    found: list[Chunk] = []
    shown: list[DiffLine] = []
    for place, code in enumerate(codes):
        lines = list(_lines(code, old, new))
        if code.tag != "equal":
            shown += lines
            continue
        before = context if place else 0
        after = context if place + 1 < len(codes) else 0
        if len(lines) <= before + after + 1:  # folding one line away would gain nothing
            shown += lines
            continue
        shown += lines[:before]
        if shown:
            found.append(Chunk(tuple(shown)))
        found.append(Chunk(tuple(lines[before : len(lines) - after]), folded=True))
        shown = lines[len(lines) - after :]
    if shown:
        found.append(Chunk(tuple(shown)))
    return tuple(found)


def _lines(code: Opcode, old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    if code.tag == "equal":
        for step in range(code.old_end - code.old_start):
            yield DiffLine("equal", code.old_start + step + 1, code.new_start + step + 1)
        return
    before, after = old[code.old_start : code.old_end], new[code.new_start : code.new_end]
    old_marks: dict[int, Spans] = {}
    new_marks: dict[int, Spans] = {}
    for one, other in pairs(before, after):
        old_marks[one], new_marks[other] = word_marks(before[one], after[other])
    for step in range(len(before)):
        yield DiffLine("delete", code.old_start + step + 1, None, old_marks.get(step, ()))
    for step in range(len(after)):
        yield DiffLine("insert", None, code.new_start + step + 1, new_marks.get(step, ()))
