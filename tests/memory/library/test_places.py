"""Which spellings mean the same country."""

import pytest
from uac import in_schengen, is_country, same_country


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("USA", "United States"), ("U.S.A.", "us"), ("the United States", "American"),
        ("UK", "Great Britain"), ("The Netherlands", "Dutch"), ("Czechia", "Czech Republic"),
        ("Türkiye", "Turkey"), ("Narnia", "narnia "), ("Côte d'Ivoire", "Ivory Coast"),
    ],
)  # fmt: skip
def test_the_same_country(first, second):
    assert same_country(first, second)
    assert same_country(second, first)


def test_different_countries():
    assert not same_country("Niger", "Nigeria")
    assert not same_country("Narnia", "Japan")
    assert not same_country("South Korea", "North Korea")


def test_which_words_are_a_country_by_themselves():
    assert all(is_country(name) for name in ("Japan", "the Netherlands", "US", "south korea"))
    assert not any(is_country(name) for name in ("Tokyo", "CA", "in", "Georgia", "", "Narnia"))


def test_schengen():
    assert all(in_schengen(name) for name in ("France", "Croatia", "Schengen", "Schengen area"))
    assert not any(in_schengen(name) for name in ("Ireland", "United Kingdom", "Cyprus", ""))
