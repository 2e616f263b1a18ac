"""The second stage of a diff: how one row of lines (or words) becomes another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

MANY_LINES = 500  # from here on the matcher ignores lines that come too often


@dataclass(frozen=True)
class Opcode:
    """Lines `old_start:old_end` became `new_start:new_end`; both count from 0, as slices do."""

    tag: Literal["equal", "replace", "delete", "insert"]
    old_start: int
    old_end: int
    new_start: int
    new_end: int


def opcodes(old: Sequence[str], new: Sequence[str]) -> tuple[Opcode, ...]:
    """How the old lines (or words) become the new ones."""
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    many = max(old_end, new_end) - head > MANY_LINES
    matcher = SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=many)
    found = [Opcode("equal", 0, head, 0, head)] if head else []
    for tag, *places in matcher.get_opcodes():
        found.append(Opcode(tag, *(place + head for place in places)))
    if tail:
        found.append(Opcode("equal", old_end, len(old), new_end, len(new)))
    return tuple(_joined(found))


def common_start(first: Sequence[str], second: Sequence[str]) -> int:
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _joined(found: Sequence[Opcode]) -> Iterator[Opcode]:
    """Equal runs that touch, as one."""
    waiting: Opcode | None = None
    for code in found:
        if waiting and waiting.tag == code.tag == "equal":
            waiting = Opcode(
                "equal", waiting.old_start, code.old_end, waiting.new_start, code.new_end
            )
            continue
        if waiting:
            yield waiting
        waiting = code
    if waiting:
        yield waiting
