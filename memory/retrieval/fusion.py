"""Words and meaning as one score, each in a measure of its own, added up.

BM25 is measured by its root mean square over what was searched, so that an entry with a word of
the query always counts; a cosine by how many standard deviations it stands above the mean, and one
below counts as nothing, since any two texts are a little alike.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

Mode = Literal["text", "vector", "hybrid"]


@dataclass(frozen=True)
class Fused:
    """Scores of entries by place: those that count, and what they are made from."""

    mode: Mode
    scores: Mapping[int, float]
    words: Mapping[int, float]
    similar: Mapping[int, float]


def fuse(
    words: Mapping[int, float], similar: Mapping[int, float] | None, entries: int, mode: Mode
) -> Fused:
    """One score for each of `entries` that counts at all; without vectors the words alone do."""
    if similar is None or mode == "text":
        return Fused("text", words, words, {})
    counted = words if mode == "hybrid" else {}
    scores = above_mean(similar)
    measure = root_mean_square(counted.values(), entries)
    for place, score in counted.items():
        scores[place] = scores.get(place, 0.0) + score / measure
    return Fused(mode, scores, counted, similar)


def root_mean_square(values: Collection[float], count: int) -> float:
    """Of `count` values, of which those not given are 0; 1 where all are."""
    return math.sqrt(sum(value**2 for value in values) / count) if values else 1.0


def above_mean(similar: Mapping[int, float]) -> dict[int, float]:
    """By how many standard deviations each cosine stands above the mean; only those that do."""
    if not similar:
        return {}
    mean = sum(similar.values()) / len(similar)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in similar.values()) / len(similar))
    return {
        place: (one - mean) / deviation
        for place, one in similar.items()
        if deviation and one > mean
    }
