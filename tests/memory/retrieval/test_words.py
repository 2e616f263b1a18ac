"""What a word is to search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.words import LONGEST_TEXT, LONGEST_WORD, terms_in, words_in


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("allergies", "allergy"),
        ("She was prescribed", "prescribing"),
        ("MÜLLER", "Muller"),
        ("cafe\u0301", "café"),
        ("ﬁne", "fine"),
        ("Straße", "STRASSE"),
    ],
)
def test_words_that_count_as_the_same(text: str, same: str) -> None:
    assert terms_in(text) == terms_in(same) != []


def test_words_that_say_nothing_are_left_out() -> None:
    assert terms_in("What did I do with the passport when I didn't travel?") == [
        "passport",
        "travel",
    ]


def test_numbers_and_units_are_words() -> None:
    assert terms_in("amoxicillin 500mg, 2x 1.5") == ["amoxicillin", "500mg", "2x", "1", "5"]


def test_text_without_spaces_is_found_by_pairs() -> None:
    assert set(terms_in("東京")) <= set(terms_in("私は東京に住んでいます"))
    assert terms_in("私") == ["私"]


def test_a_very_long_word_is_cut_and_a_very_long_text_is_searched_in_part() -> None:
    assert len(terms_in("a" * 10_000)[0]) <= LONGEST_WORD
    assert "zebra" not in terms_in("tea " * (LONGEST_TEXT // 4) + "zebra")


@given(st.text(max_size=300))
def test_places_are_those_of_the_text(text: str) -> None:
    last = 0
    for word in words_in(text):
        assert 0 <= word.start < word.end <= len(text)
        assert word.start >= last
        assert len(word.term) <= LONGEST_WORD
        last = word.start
