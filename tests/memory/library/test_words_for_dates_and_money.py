"""The words rules use for dates, times, money and spans, and sentences that fit."""

from datetime import date, time
from decimal import Decimal

import pytest
from uac import add_months, clock, gap, long_date, money, sentence, shorten


def test_long_date_and_clock():
    assert long_date(date(2025, 1, 21)) == "Tuesday, January 21, 2025"
    assert [clock(time(h, 5)) for h in (0, 9, 12, 14)] == [
        "12:05 AM", "9:05 AM", "12:05 PM", "2:05 PM",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("amount", "currency", "words"),
    [
        ("5000", "USD", "$5,000"),
        ("5000.00", "USD", "$5,000"),
        ("-5.5", "USD", "-$5.50"),
        ("-0.001", "USD", "$0"),
        ("2.675", "EUR", "€2.68"),
        ("1234.4", "JPY", "¥1,234"),
        ("99.90", "CHF", "99.90 CHF"),
    ],
)
def test_money(amount, currency, words):
    assert money(Decimal(amount), currency) == words


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (date(2025, 1, 21), date(2025, 1, 21), "the same day"),
        (date(2025, 1, 20), date(2025, 1, 21), "1 day before"),
        (date(2024, 3, 1), date(2024, 2, 28), "2 days after"),  # a leap year
        (date(2025, 3, 1), date(2025, 2, 28), "1 day after"),
        (date(2025, 6, 1), date(2025, 3, 1), "3 months after"),
        (date(2025, 3, 1), date(2025, 6, 5), "about 3 months before"),
        (date(2024, 2, 29), date(2025, 2, 28), "1 year before"),
        (date(2020, 1, 1), date(2025, 6, 1), "about 5 years before"),
    ],
)
def test_gap(first, second, words):
    assert gap(first, second) == words


@pytest.mark.parametrize(
    ("day", "months", "result"),
    [
        (date(2024, 8, 31), 6, date(2025, 2, 28)),
        (date(2023, 8, 31), 6, date(2024, 2, 29)),
        (date(2024, 2, 29), 12, date(2025, 2, 28)),
        (date(2025, 3, 31), -1, date(2025, 2, 28)),
        (date(2025, 7, 1), 6, date(2026, 1, 1)),
        (date(9999, 12, 1), 6, date(9999, 12, 31)),
        (date(1, 1, 1), -6, date(1, 1, 1)),
    ],
)
def test_add_months(day, months, result):
    assert add_months(day, months) == result


def test_shorten_keeps_one_line_and_drops_what_could_reorder_it():
    assert shorten("a\n b\u202e c") == "a b c"
    assert shorten("abcdef", 4) == "abc…"
    assert shorten("abcd", 4) == "abcd"


def test_a_sentence_shortens_its_names_before_it_is_cut():
    text = sentence(lambda a, b: f"{a} meets {b} today", "x" * 300, "y" * 300)
    assert len(text) <= 140
    assert text.startswith("Xxx")
    assert text.endswith("… today")
