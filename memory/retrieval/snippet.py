"""The part of a text that shows why it was found, and where the words of the query stand in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memory.retrieval.words import Word, words_in

LONGEST = 300
LEAD = 40
"""Characters shown before the first word that was found."""


@dataclass(frozen=True)
class Snippet:
    """A piece of a text as it stands there; `marks` are places in it, from and to, in characters.

    `before` and `after` say whether the text goes on at either end.
    """

    text: str
    marks: tuple[tuple[int, int], ...]
    before: bool
    after: bool

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is marked, for a page to escape."""
        found, place = [], 0
        for start, end in self.marks:
            found += [(self.text[place:start], False), (self.text[start:end], True)]
            place = end
        return [(text, marked) for text, marked in [*found, (self.text[place:], False)] if text]


def snippet_of(text: str, terms: Collection[str]) -> Snippet:
    """The stretch with the most of the query's terms, the first of several; else the beginning."""
    wanted = frozenset(terms)
    found = [word for word in words_in(text) if word.term in wanted]
    start = _start(found, text)
    end = min(len(text), start + LONGEST)
    marks = _joined([(word.start - start, word.end - start) for word in found], end - start)
    return Snippet(text[start:end], marks, before=start > 0, after=end < len(text))


def _start(found: Sequence[Word], text: str) -> int:
    """Where the piece begins: some characters before its first word, at the beginning of one."""
    if len(text) <= LONGEST or not found:
        return 0
    start = max(0, min(_densest(found).start - LEAD, len(text) - LONGEST))
    for earlier in range(start, max(0, start - LEAD), -1):
        if not text[earlier - 1].isalnum():
            return earlier
    return start


def _densest(found: Sequence[Word]) -> Word:
    """The word that begins the stretch with the most terms."""
    best, most, last = found[0], 0, 0
    inside: Counter[str] = Counter()
    for first in found:
        while last < len(found) and found[last].end <= first.start + LONGEST - LEAD:
            inside[found[last].term] += 1
            last += 1
        if len(inside) > most:
            best, most = first, len(inside)
        inside[first.term] -= 1
        inside += Counter()  # without those that are gone
    return best


def _joined(places: list[tuple[int, int]], length: int) -> tuple[tuple[int, int], ...]:
    """The places that lie in the piece, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in places:
        if start < 0 or end > length:
            continue
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
