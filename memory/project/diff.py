"""Compare two trees of files, in stages: files, opcodes, chunks, words.

Nothing here knows of markup. Line numbers count from 1, as a reader does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

CONTEXT = 3
MANY_LINES = 500  # from here on the matcher ignores lines that come too often
LONG_LINE = 300  # characters; a longer line gets no word marks
MANY_PAIRS = 2_500  # comparisons of lines within one replaced block
MANY_WORDS = 1_600  # comparisons of words within two lines
ALIKE = 0.4  # how much of two lines must agree before they count as one line changed
LINE_END = re.compile(r"\r\n|\r|\n")
WORD = re.compile(r"\w+|\s+|[^\w\s]")

Status = Literal["added", "removed", "changed"]
Change = Literal["equal", "delete", "insert"]
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class FileChange:
    """A file that differs between two trees; the text it lacks on one side is empty."""

    path: str
    status: Status
    old: str
    new: str


@dataclass(frozen=True)
class Opcode:
    """Lines `old_start:old_end` became `new_start:new_end`; both count from 0, as slices do."""

    tag: Literal["equal", "replace", "delete", "insert"]
    old_start: int
    old_end: int
    new_start: int
    new_end: int


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


def changed_files(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[FileChange, ...]:
    """The files added, removed and changed, in order of their paths."""
    changes = []
    for path in sorted({*old, *new}):
        before, after = old.get(path), new.get(path)
        if before != after:
            status: Status = (
                "added" if before is None else "removed" if after is None else "changed"
            )
            changes.append(FileChange(path, status, before or "", after or ""))
    return tuple(changes)


def split_lines(text: str) -> list[str]:
    """The lines as Python reads them, each with its end.

    Not `str.splitlines`: to Python a form feed or U+2028 ends no line, but a lone carriage return
    does, and what follows one in a comment is code.
    """
    lines = []
    start = 0
    for end in LINE_END.finditer(text):
        lines.append(text[start : end.end()])
        start = end.end()
    return [*lines, text[start:]] if start < len(text) else lines


def opcodes(old: Sequence[str], new: Sequence[str]) -> tuple[Opcode, ...]:
    """How the old lines (or words) become the new ones."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    many = max(old_end, new_end) - head > MANY_LINES
    matcher = SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=many)
    found = [Opcode("equal", 0, head, 0, head)] if head else []
    for tag, *places in matcher.get_opcodes():
        found.append(Opcode(tag, *(place + head for place in places)))
    if tail:
        found.append(Opcode("equal", old_end, len(old), new_end, len(new)))
    return tuple(_joined(found))


def _common(first: Sequence[str], second: Sequence[str]) -> int:
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
    for one, other in _pairs(before, after):
        old_marks[one], new_marks[other] = word_marks(before[one], after[other])
    for step in range(len(before)):
        yield DiffLine("delete", code.old_start + step + 1, None, old_marks.get(step, ()))
    for step in range(len(after)):
        yield DiffLine("insert", None, code.new_start + step + 1, new_marks.get(step, ()))


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Which removed line became which new one: the most alike of those that are left, in order."""
    if len(before) * len(after) > MANY_PAIRS:
        return
    words = [_letters(line) for line in after]
    start = 0
    for place, line in enumerate(before):
        mine = _letters(line)
        scores = [(_alike(mine, words[other]), -other) for other in range(start, len(after))]
        score, other = max(scores, default=(0.0, 0))
        if score >= ALIKE:
            yield place, -other
            start = 1 - other


def _letters(line: str) -> Counter[str]:
    """How many characters of a line stand in each of its words; of a long line nothing."""
    letters: Counter[str] = Counter()
    for word in WORD.findall(line) if len(line) <= LONG_LINE else ():
        letters[word] += 0 if word.isspace() else len(word)
    return letters


def _alike(one: Counter[str], other: Counter[str]) -> float:
    """The part of two lines' characters that stand in words of both, from 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def word_marks(old: str, new: str) -> tuple[Spans, Spans]:
    """The characters that differ between two lines, word by word, as (start, end) on each side.

    Where too much differs to be worth comparing, all of it from the first difference to the last.
    """
    first, second = WORD.findall(old.rstrip("\r\n")), WORD.findall(new.rstrip("\r\n"))
    codes = [code for code in _word_codes(first, second) if code.tag != "equal"]
    return (
        _spans(first, [(code.old_start, code.old_end) for code in codes]),
        _spans(second, [(code.new_start, code.new_end) for code in codes]),
    )


def _word_codes(first: Sequence[str], second: Sequence[str]) -> tuple[Opcode, ...]:
    head = _common(first, second)
    tail = _common(first[head:][::-1], second[head:][::-1])
    old_end, new_end = len(first) - tail, len(second) - tail
    if (old_end - head) * (new_end - head) > MANY_WORDS:
        return (Opcode("replace", head, old_end, head, new_end),)
    return opcodes(first, second)


def _spans(words: Sequence[str], places: Sequence[tuple[int, int]]) -> Spans:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return tuple((starts[start], starts[end]) for start, end in places if start < end)
