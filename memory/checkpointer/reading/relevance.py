"""Which words of a text may name something, and how well another text has them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

WORD = re.compile(r"[^\W_]{3,}")
COMMON_WORDS = (
    "about after again all also and any are because been before being but can could did does "
    "doing done for from get got had has have her here him his how into its just know like made "
    "make may more most much must need not now off one only other our out over please really "
    "said same say says she should since some such tell than thank thanks that the their them "
    "then there these they thing things think this those time told too took until very want was "
    "well were what when where which while who why will with would yes you your"
)
COMMON = frozenset(COMMON_WORDS.split())
MOST_WORDS = 40


def stems(text: str) -> list[str]:
    """The telling words of a text in lower case, shortened so that endings do not matter.

    The longest come first, for they tell most; at most 40.
    """
    found = {_stem(word) for word in words(text) - COMMON}
    return sorted(found, key=lambda stem: (-len(stem), stem))[:MOST_WORDS]


def words(text: str) -> frozenset[str]:
    """The words of a text in lower case, of three letters or more."""
    return frozenset(WORD.findall(text.casefold()))


def _stem(word: str) -> str:
    return word if len(word) <= 5 else word[: max(5, len(word) - 3)]


def score(sought: Iterable[str], text: str) -> int:
    """How much of what is sought begins a word of a text; longer ones weigh more."""
    known = words(text)
    return sum(len(stem) for stem in sought if any(word.startswith(stem) for word in known))
