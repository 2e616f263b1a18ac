"""Words and meaning as one score."""

from __future__ import annotations

import pytest

from memory.retrieval.fusion import fuse


def test_without_vectors_the_words_are_the_score() -> None:
    words = {0: 2.0, 3: 1.0}
    for fused in (fuse(words, None, 5, "hybrid"), fuse(words, {1: 0.9}, 5, "text")):
        assert (fused.mode, fused.scores) == ("text", words)


def test_each_is_measured_by_its_own_scale() -> None:
    words = {0: 3.0, 1: 1.0}
    similar = {0: 0.1, 1: 0.3, 2: 0.5, 3: 0.3}
    fused = fuse(words, similar, 10, "hybrid")
    measure = ((9 + 1) / 10) ** 0.5
    deviation = ((0.04 + 0.04) / 4) ** 0.5
    assert fused.scores == {
        0: pytest.approx(3 / measure),
        1: pytest.approx(1 / measure),
        2: pytest.approx(0.2 / deviation),
    }
    assert fuse(words, similar, 10, "vector").scores == {2: pytest.approx(0.2 / deviation)}


def test_one_entry_with_the_word_is_found_whatever_the_vectors_say() -> None:
    assert fuse({0: 1.0}, {0: 0.5}, 1, "hybrid").scores == {0: pytest.approx(1.0)}
    assert fuse({0: 1.0}, {}, 1, "hybrid").scores == {0: pytest.approx(1.0)}
    assert fuse({}, {}, 0, "hybrid").scores == {}
