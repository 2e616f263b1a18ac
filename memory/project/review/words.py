"""The words that differ between two lines, and which removed line became which new one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from memory.project.review.opcodes import Opcode, common_start, opcodes

LONG_LINE = 300  # characters; a longer line gets no word marks
MANY_PAIRS = 2_500  # comparisons of lines within one replaced block
MANY_WORDS = 1_600  # comparisons of words within two lines
ALIKE = 0.4  # how much of two lines must agree before they count as one line changed
WORD = re.compile(r"\w+|\s+|[^\w\s]")
Spans = tuple[tuple[int, int], ...]


def pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
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
    head = common_start(first, second)
    tail = common_start(first[head:][::-1], second[head:][::-1])
    old_end, new_end = len(first) - tail, len(second) - tail
    if (old_end - head) * (new_end - head) > MANY_WORDS:
        return (Opcode("replace", head, old_end, head, new_end),)
    return opcodes(first, second)


def _spans(words: Sequence[str], places: Sequence[tuple[int, int]]) -> Spans:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return tuple((starts[start], starts[end]) for start, end in places if start < end)
