"""Which numbers a text has, which questions ask to reckon, and what a value rests on."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from memory.answering.grounds import rests_on_any
from memory.answering.numbers import counts, foreign_numbers, numbers_in, ranks
from memory.answering.sentence import filled
from memory.sandbox import Instance


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("no number, no one", []),
        ("3 cats and 12.50 EUR", ["3", "12.50"]),
        ("1,234,567 or 12,34", ["1234567", "12", "34"]),
        ("on 2026-03-01 at 08:30", ["2026", "3", "1", "8", "30"]),
        ("Twenty-five, Thirty-one and two dozen", ["25", "31", "2", "12"]),
        ("twice, at the 3rd and x2", ["2", "3"]),
        ("someone, often, weighty", []),
    ],
)
def test_numbers_of_a_text(text: str, numbers: list[str]) -> None:
    assert numbers_in(text) == {Decimal(one) for one in numbers}


def test_a_number_is_the_same_in_any_writing() -> None:
    assert foreign_numbers("3 cats, 08:00", ["three cats at 8"]) == ["0"]
    assert foreign_numbers("one cat, 1,000 times", ["1000"]) == []


@pytest.mark.parametrize(
    ("question", "is_count", "ranked"),
    [
        ("How many trips did I take in 2024?", True, ""),
        ("What was my average cost?", True, ""),
        ("What fraction of my contacts are friends?", True, ""),
        ("What was the total number of visits?", True, ""),
        ("Which country did I visit the most? (single name)", False, "the most"),
        ("What did she like the most?", False, ""),
        ("What genre did I read most often?", False, "most often"),
        ("Did my spending increase or decrease?", False, "increas"),
        ("On which date did I sleep the longest?", False, "longest"),
        ("Where does Ann live?", False, ""),
        ("What does Ann mean to me?", False, ""),
        ("Who is counting on me?", False, ""),
    ],
)
def test_questions_that_ask_to_reckon(question: str, is_count: bool, ranked: str) -> None:
    assert (counts(question), ranks(question)) == (is_count, ranked)


@pytest.mark.parametrize(
    ("code", "rests"),
    [
        ("len(trips)", True),
        ("4", False),
        ("trips\n4", False),
        ("a = trips\nb = [x for x in a]\nlen(b)", True),
        ("a = trips\nb = 3\nlen('abc') + b", False),
        ("def f():\n    return len(trips)\nf()", True),
        ("found = []\nfor t in trips:\n    found.append(t)\nfound", True),
        ("n = 0\nfor t in trips:\n    n += 1\nn", True),
        ("d = {}\nfor t in trips:\n    d[t.id] = 1\nd", True),
        ("if trips:\n    x = 1\nelse:\n    x = 2\nx", True),
        ("today", False),
        ("", False),
    ],
)
def test_a_value_rests_on_what_its_last_line_uses(code: str, rests: bool) -> None:
    assert rests_on_any(code, {"trips", "quotes"}) is rests


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "7"),
        (7.0, "7"),
        (7.625, "7.62"),
        (Decimal("12.50"), "12.50"),
        (True, "yes"),
        (None, "not known"),
        (date(2026, 3, 1), "Sunday, March 1, 2026"),
        (datetime(2026, 3, 1, 8, 5), "Sunday, March 1, 2026, 08:05"),
        (time(8, 5), "08:05"),
        ([], "none"),
        ({"b", "a"}, "a, b"),
        ({"Italy": 2}, "Italy: 2"),
        (list(range(23)), ", ".join(map(str, range(20))) + " and 3 more"),
        (Instance("Trip", {"id": "x", "destination": "Rome"}), "Rome"),
    ],
)
def test_a_value_in_words(value: Any, words: str) -> None:
    assert filled("It is {value}.", value) == f"It is {words}."
