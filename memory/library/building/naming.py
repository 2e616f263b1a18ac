"""From the names in the inputs to names of the tables: ingredients without salt, plain brands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memory.library.uac.names import normalise, without_salt

_GREEK = re.compile(r"\.([A-Z]+)\.-?", re.ASCII)
_PLAIN = re.compile(r"([0-9]-)?[A-Za-z][A-Za-z' -]*[A-Za-z]")
_LAST_PARENS = re.compile(r"\s*\([^()]*\)$")
_SLUG = re.compile(r"[^a-z0-9]+")


def slug(text: str) -> str:
    """The part of an id after its type."""
    return _SLUG.sub("-", text.casefold()).strip("-")


@dataclass(frozen=True)
class Naming:
    """The word lists of the build's configuration, applied."""

    config: Mapping[str, Any]

    @cached_property
    def everyday(self) -> frozenset[str]:
        """Words of ordinary English; a name of nothing else would match what nobody meant."""
        return frozenset(" ".join(self.config["words"]["everyday"]).split())

    @cached_property
    def inorganic(self) -> frozenset[str]:
        """Words of which a whole name may consist once its salt is taken off: `zinc`."""
        return frozenset(" ".join(self.config["words"]["inorganic"]).split())

    @cached_property
    def leftover(self) -> tuple[str, ...]:
        """Tails of substance names that say nothing of what the substance is."""
        return tuple(self.config["words"]["tails"])

    def whole(self, substance: str) -> str:
        """A substance's full name, normalised: `amoxicillin trihydrate`; "" where it is no name."""
        text = _GREEK.sub(r"\1-", _LAST_PARENS.sub("", substance))
        for tail in self.leftover:
            text = text.removesuffix(tail)
        # A formula with brackets inside is no name that anybody writes.
        return normalise(text) if "(" not in text and re.search("[A-Za-z]{3}", text) else ""

    def ingredient(self, substance: str) -> str:
        """The name without salt, unless only a metal or an ion would be left."""
        whole = self.whole(substance)
        bare = without_salt(whole)
        return whole if set(bare.split()) <= self.inorganic else bare

    def telling(self, key: str) -> bool:
        """Whether a normalised name may stand for a drug: long enough and not plain English."""
        words = [word for word in key.split() if not word.isdecimal()]
        if not [word for word in words if word not in self.everyday and len(word) >= 3]:
            return False
        return len(key) >= 4 and len(words) <= self.config["words"]["most_words"]

    def with_acid(self, name: str) -> list[str]:
        """The name, and beside an acid's that of its salts, or the other way round.

        `valproic acid` and `valproate`, `alendronate` and `alendronic acid`. Other names in `-ate`
        may be esters, which are drugs of their own.
        """
        if name.casefold().endswith("ic acid"):
            return [name, f"{name[:-7]}ate"]
        return [name, f"{name[:-3]}ic acid"] if name.casefold().endswith("dronate") else [name]

    def plain(self, synonym: str) -> bool:
        """Whether a MeSH synonym is a word that people write: no formula, no turned-round name.

        Abbreviations are left out: most have several meanings.
        """
        words = synonym.split()
        short = any(word.isupper() and len(word) > 1 for word in words)
        return bool(_PLAIN.fullmatch(synonym)) and len(words) <= 2 and not short
