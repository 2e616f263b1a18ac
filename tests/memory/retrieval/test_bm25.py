"""Ranking by words: the formula, the turns around, and an order that no shortcut changes."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from memory.retrieval.bm25 import (
    K1,
    NEIGHBOURS,
    NOWHERE,
    B,
    Corpus,
    Sessions,
    explained,
    neighbours,
    term_scores,
    with_neighbours,
)


def _corpus(*texts: str, sessions: str = "") -> Corpus:
    """Entries of words; `sessions` has a letter for each, all of one unless told."""
    entries = [text.split() for text in texts]
    postings: dict[str, tuple[list[int], list[int]]] = {}
    for place, entry in enumerate(entries):
        for term, count in Counter(entry).items():
            places, counts = postings.setdefault(term, ([], []))
            places.append(place)
            counts.append(count)
    last: dict[str, int] = {}
    previous = []
    for place, session in enumerate(sessions or "a" * len(texts)):
        previous.append(last.get(session, NOWHERE))
        last[session] = place
    return Corpus([len(entry) for entry in entries], previous, postings)


def _only(corpus: Corpus, *terms: str) -> Corpus:
    chosen = {term: corpus.postings[term] for term in terms if term in corpus.postings}
    return Corpus(corpus.lengths, corpus.previous, chosen)


def test_the_score_is_that_of_the_formula() -> None:
    corpus = _only(_corpus("tea tea cup", "milk", "cup cup cup cup"), "tea", "cup")
    average = (3 + 1 + 4) / 3
    tea = math.log(1 + (3 - 1 + 0.5) / 1.5) * 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 3 / average))
    cup = math.log(1 + (3 - 2 + 0.5) / 2.5) * 1 * (K1 + 1) / (1 + K1 * (1 - B + B * 3 / average))
    scores = term_scores(corpus)
    assert scores[0] == pytest.approx(tea + cup)
    assert set(scores) == {0, 2}
    assert [(one.term, one.count) for one in explained(corpus, 0)] == [("tea", 2), ("cup", 1)]
    assert sum(one.score for one in explained(corpus, 0)) == pytest.approx(scores[0])


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    corpus = _corpus("tea cup", "tea pot", "tea bag", "tea leaf", "coffee cup")
    scores = term_scores(_only(corpus, "tea", "coffee"))
    assert max(scores, key=lambda place: scores[place]) == 4


def test_the_answer_beside_a_question_is_found_with_it() -> None:
    corpus = _corpus("what did the dentist say", "two fillings", "bye", sessions="aab")
    scores = term_scores(_only(corpus, "dentist"))
    found = with_neighbours(scores, Sessions(corpus.previous), None, 10)
    assert found == [(0, scores[0]), (1, pytest.approx(NEIGHBOURS[0] * scores[0]))]
    (beside,) = neighbours(scores, Sessions(corpus.previous), 1)
    assert (beside.place, beside.weight, beside.score) == (0, NEIGHBOURS[0], scores[0])


def test_sessions_that_interleave_are_kept_apart() -> None:
    sessions = Sessions(_corpus("x", "y", "x", "y", sessions="abab").previous)
    assert sessions.around(2, 2) == [(0, NOWHERE), (NOWHERE, NOWHERE)]
    assert sessions.around(1, 2) == [(NOWHERE, 3), (NOWHERE, NOWHERE)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("wanted", [1, 10, 50])
def test_looking_at_few_entries_gives_the_order_of_all(seed: int, wanted: int) -> None:
    draw = random.Random(seed)
    scores = {place: draw.choice([0.1, 0.5, draw.random() * 5]) for place in range(1_500)}
    previous = [NOWHERE if draw.random() < 0.05 else place - 1 for place in range(1_500)]
    sessions = Sessions([NOWHERE, *previous[1:]])
    allowed = None if seed % 2 else {place for place in scores if draw.random() < 0.02}
    whole = with_neighbours(scores, sessions, allowed, len(scores))
    assert with_neighbours(scores, sessions, allowed, wanted)[:wanted] == whole[:wanted]
