"""Rank the entries of one person by the words of a query: Okapi BM25, and the turns around a hit.

    score(d) = Σ idf(t) · tf · (K1 + 1) / (tf + K1 · (1 - B + B · |d| / average))
    idf(t)   = ln(1 + (N - n + 0.5) / (n + 0.5))

(Robertson and Zaragoza 2009, with the idf that is never negative.) N, n and the average length are
of this person's entries that may be seen at all, so that nothing is told of anything else. In a
conversation an answer often stands beside the words that were searched for: the better of the two
neighbours at each distance, within a session, counts in with a weight that falls off.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

K1 = 1.2
B = 0.75
NEIGHBOURS = (0.8, 0.4, 0.2)
"""How much of the score of a neighbour at a distance of one, two and three turns counts in."""
FIRST = 200
NOWHERE = -1


@dataclass(frozen=True)
class Corpus:
    """A person's entries by their place, from 0: words in each, and what it follows in its session.

    `previous` is a place, or NOWHERE. `postings` has for each term the places where it stands and
    how often: two sequences of one length, places in order.
    """

    lengths: Sequence[int]
    previous: Sequence[int]
    postings: Mapping[str, tuple[Sequence[int], Sequence[int]]]

    @cached_property
    def average(self) -> float:
        """How many words an entry has; 1 where there are none."""
        return (sum(self.lengths) / len(self.lengths) if self.lengths else 0.0) or 1.0


@dataclass(frozen=True)
class TermScore:
    """What one term of the query brings to an entry."""

    term: str
    idf: float
    count: int
    score: float


def idf(entries: int, with_term: int) -> float:
    """How much it says that a term stands in an entry."""
    return math.log(1 + (entries - with_term + 0.5) / (with_term + 0.5))


def term_scores(corpus: Corpus) -> dict[int, float]:
    """The score of each entry in which a term of the query stands, by its own words alone."""
    lengths, scores = corpus.lengths, [0.0] * len(corpus.lengths)
    floor, slope = K1 * (1 - B), K1 * B / corpus.average
    for places, counts in corpus.postings.values():
        weight = idf(len(lengths), len(places)) * (K1 + 1)
        for place, count in zip(places, counts, strict=True):
            scores[place] += weight * count / (count + floor + slope * lengths[place])
    return {place: score for place, score in enumerate(scores) if score}


def explained(corpus: Corpus, place: int) -> tuple[TermScore, ...]:
    """What each term brings to one entry, the weightiest first."""
    found = []
    norm = K1 * (1 - B + B * corpus.lengths[place] / corpus.average)
    for term, (places, counts) in corpus.postings.items():
        at = bisect_left(places, place)
        if at < len(places) and places[at] == place:
            weight, count = idf(len(corpus.lengths), len(places)), counts[at]
            score = weight * (K1 + 1) * count / (count + norm)
            found.append(TermScore(term, weight, count, score))
    return tuple(sorted(found, key=lambda one: (-one.score, one.term)))


@dataclass(frozen=True)
class Neighbour:
    """A turn near a hit whose score counts in."""

    place: int
    weight: float
    score: float


class Sessions:
    """Which entries stand before and after another in its session."""

    def __init__(self, previous: Sequence[int]) -> None:
        self.previous = previous
        self.following = [NOWHERE] * len(previous)
        for place, before in enumerate(previous):
            if before != NOWHERE:
                self.following[before] = place

    def around(self, place: int, reach: int) -> list[tuple[int, int]]:
        """The places at a distance of 1, 2, … on either side; NOWHERE beyond the session's ends."""
        before = after = place
        found = []
        for _ in range(reach):
            before = self.previous[before] if before != NOWHERE else NOWHERE
            after = self.following[after] if after != NOWHERE else NOWHERE
            found.append((before, after))
        return found


def neighbours(scores: Mapping[int, float], sessions: Sessions, place: int) -> list[Neighbour]:
    """The turns that count in for one entry, nearest first."""
    found = []
    for weight, beside in zip(NEIGHBOURS, sessions.around(place, len(NEIGHBOURS)), strict=True):
        best = max(beside, key=lambda one: scores.get(one, 0.0))
        if best in scores:
            found.append(Neighbour(best, weight, scores[best]))
    return found


def with_neighbours(
    scores: Mapping[int, float], sessions: Sessions, allowed: set[int] | None, wanted: int
) -> list[tuple[int, float]]:
    """The best entries with their turns around counted in: places and scores, the best first.

    At least `wanted` of them (of those in `allowed`, where it is given) are in their true order:
    only entries near a high score are looked at, as many as it takes for no other to come before.
    """
    order = sorted(scores, key=lambda place: -scores[place])
    most = 1 + sum(NEIGHBOURS)
    first = FIRST + 2 * wanted
    while True:
        near = {place for best in order[:first] for place in _near(best, sessions)}
        found = [(place, _summed(scores, sessions, place)) for place in _of(near, allowed)]
        found.sort(key=lambda one: (-one[1], one[0]))
        if first >= len(order):
            return found
        if len(found) >= wanted and found[wanted - 1][1] >= scores[order[first]] * most:
            return found[:wanted]
        first *= 4


def _near(place: int, sessions: Sessions) -> set[int]:
    beside = sessions.around(place, len(NEIGHBOURS))
    return {place, *(one for pair in beside for one in pair if one != NOWHERE)}


def _of(places: set[int], allowed: set[int] | None) -> set[int]:
    return places if allowed is None else places & allowed


def _summed(scores: Mapping[int, float], sessions: Sessions, place: int) -> float:
    beside = neighbours(scores, sessions, place)
    return scores.get(place, 0.0) + sum(one.weight * one.score for one in beside)
