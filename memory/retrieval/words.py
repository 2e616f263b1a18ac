"""The words of a text as search knows them: the same on every database.

A word is a run of letters and digits, compared without case, accents and English endings
(Snowball's English stemmer). Words that say nothing by themselves are left out. Runs of Chinese,
Japanese or Korean characters, which are written without spaces, count as pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

ANALYZER = 1
"""To be raised with any change of what a word is: every index is then made anew."""
LONGEST_WORD = 64
LONGEST_TEXT = 100_000
"""Characters of one text that are searched; what follows is kept, and not found."""

_RUN = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_STOP = frozenset(
    """a about above after again against all also am an and any are aren as at be because been
    before being below between both but by can cannot could couldn d did didn do does doesn doing
    don down during each few for from further had hadn has hasn have haven having he her here hers
    herself him himself his how i if in into is isn it its itself just let ll m me might more most
    must my myself no nor not now o of off on once only or other our ours ourselves out over own
    re s same shall she should shouldn so some such t than that the their theirs them themselves
    then there these they this those through to too under until up ve very was wasn we were weren
    what when where which while who whom whose why will with won would wouldn y you your yours
    yourself yourselves""".split()  # noqa: SIM905  (a list would take a page)
)
_stemmer = Stemmer.Stemmer("english")
_stemmer.maxCacheSize = 0  # what is kept of people's words must be where `forgetting` finds it


@dataclass(frozen=True)
class Word:
    """A word where it stands in its text; `term` is what it is searched by, empty if by nothing."""

    term: str
    start: int
    end: int


def words_in(text: str) -> Iterator[Word]:
    """Every word of the part of a text that is searched, with its place."""
    for run in _RUN.finditer(text, 0, LONGEST_TEXT):
        if _UNSPACED.search(run[0]):
            yield from _pairs(run[0], run.start())
        else:
            yield Word(term_of(run[0]), run.start(), run.end())


def terms_in(text: str) -> list[str]:
    """What a text is found by, in order, as often as it stands there."""
    return [word.term for word in words_in(text) if word.term]


@lru_cache(maxsize=50_000)
def term_of(word: str) -> str:
    """The term of a word; empty where the word says nothing by itself."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    if letters in _STOP:
        return ""
    stem: str = _stemmer.stemWord(letters[:LONGEST_WORD])
    return stem


def _pairs(run: str, start: int) -> Iterator[Word]:
    """Pairs that overlap, so that any two neighbours in a query are found."""
    for place in range(max(1, len(run) - 1)):
        pair = run[place : place + 2]
        yield Word(pair.casefold(), start + place, start + place + len(pair))
