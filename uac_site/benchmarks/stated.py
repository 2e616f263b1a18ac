"""What a product name states of its ingredients, read without any table of drugs.

The names are RxNorm's: `12 HR Ingredient 10 MG / Other 5 MG Extended Release Oral Tablet [Brand]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_BRAND = re.compile(r"\s*\[[^\]]*\]\s*$")
_HOURS = re.compile(r"^\d+ HR\s+", re.IGNORECASE)
_STRENGTH = re.compile(
    r"\s+[0-9][0-9.,]*\s*(?:MG|MCG|G|UNT|MEQ|ML|MMOL|%|AMB|CELLS|[A-Z]+)\b", re.I
)
_PARENS = re.compile(r"\([^)]*\)")
_FORM = re.compile(
    r"\s+(?:(?:extended|delayed) release|oral|chewable|sublingual|buccal|disintegrating"
    r"|effervescent|enteric coated)\b.*$",
    re.IGNORECASE,
)
_LETTERS = 5  # as many letters at the beginning of a word tell substances apart here


class Equivalents:
    """Substances with two names: each name leads to one of them."""

    def __init__(self, groups: Iterable[Sequence[str]]) -> None:
        self.first: Mapping[str, str] = {
            name.casefold(): group[0].casefold() for group in groups for name in group
        }

    def of(self, name: str) -> str:
        """The first name of the group that the name begins with, or the name itself."""
        words = re.findall("[a-z0-9]+", name.casefold())
        for end in range(len(words), 0, -1):
            group = self.first.get(" ".join(words[:end]))
            if group is not None:
                return group
        return " ".join(words)


def ingredients_in(name: str) -> list[str]:
    """The ingredients in the order of the name, as they are written there."""
    bare = _HOURS.sub("", _BRAND.sub("", name))
    found = []
    for piece in bare.split(" / "):
        at = _STRENGTH.search(piece)
        text = piece[: at.start()] if at else _FORM.sub("", piece)
        found.append(_PARENS.sub("", text).strip())
    return [text for text in found if text]


def _alike(stated: str, found: str) -> bool:
    """Whether a word of one begins as a word of the other does."""
    starts = {word[:_LETTERS] for word in stated.split() if len(word) >= 3}
    return any(word[:_LETTERS] in starts for word in found.split() if len(word) >= 3)


def is_same_set(stated: Iterable[str], found: Iterable[str], equivalents: Equivalents) -> bool:
    """Whether each stated ingredient was found, and nothing that is not stated."""
    wanted = [equivalents.of(name) for name in stated]
    got = [equivalents.of(name) for name in found]
    missed = [one for one in wanted if not any(_alike(one, other) for other in got)]
    added = [one for one in got if not any(_alike(other, one) for other in wanted)]
    return not missed and not added
