"""The piece of a text that shows why it was found."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.snippet import LONGEST, Snippet, snippet_of
from memory.retrieval.words import terms_in


def _marked(snippet: Snippet) -> list[str]:
    return [text for text, marked in snippet.pieces if marked]


def test_the_words_of_the_query_are_marked_in_whatever_form() -> None:
    snippet = snippet_of("Allergic to penicillin; her ALLERGIES began early.", terms_in("allergy"))
    assert _marked(snippet) == ["ALLERGIES"]
    assert not snippet.before
    assert not snippet.after


def test_of_a_long_text_the_densest_part_is_shown_from_the_beginning_of_a_word() -> None:
    text = f"tea {'other words ' * 100}here are tea and biscuits {'more words ' * 100}"
    snippet = snippet_of(text, terms_in("tea biscuits"))
    assert _marked(snippet) == ["tea", "biscuits"]
    assert snippet.before
    assert snippet.after
    assert snippet.text.split()[0] in ("other", "words")


def test_what_has_none_of_the_words_is_shown_from_its_beginning() -> None:
    snippet = snippet_of("x" * 1_000, ["tea"])
    assert (snippet.text, snippet.marks, snippet.after) == ("x" * LONGEST, (), True)


@given(st.text(alphabet="ab <&\"\u202e'東京é", max_size=900))
def test_the_pieces_are_the_text_as_it_stands(text: str) -> None:
    snippet = snippet_of(text, ["a", "ab", "東京"])
    assert "".join(piece for piece, _ in snippet.pieces) == snippet.text
    assert snippet.text in text
    assert len(snippet.text) <= LONGEST
    for start, end in snippet.marks:
        assert 0 <= start < end <= len(snippet.text)


def test_a_text_full_of_the_word_takes_no_longer_than_reading_it() -> None:
    text = "tea " * 25_000
    began = time.perf_counter()
    terms_in(text)
    read = time.perf_counter() - began
    began = time.perf_counter()
    assert len(snippet_of(text, ["tea"]).text) == LONGEST
    assert time.perf_counter() - began < 20 * read + 1
