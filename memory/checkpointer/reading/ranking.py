"""Which kinds the messages of a prompt most likely speak of. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from memory.checkpointer.reading.cues import WORDS
from memory.checkpointer.reading.relevance import stems, words
from memory.checkpointer.reading.schemas import kind_texts
from memory.project.tree import Project

ALWAYS = ("notes.Note", "people.Person")
USUAL = ("health", "people", "schedule", "commitments", "finance", "travel", "preferences")
CUE = 3
"""How much more a word of everyday tells than one that merely occurs in a schema."""
LIKELIEST = 2
TARGET = re.compile(r'Ref\["?(\w+)')


def ranked(project: Project, said: Sequence[str], meant: Collection[str]) -> list[str]:
    """The kinds, those first that matter: always notes and people, then the likeliest of each
    message in turn, then those with records that could be meant, then the usual domains."""
    places: dict[str, int] = {}
    total: Counter[str] = Counter()
    for text in said:
        points = _points(project, stems(text))
        total += points
        for place, (name, _) in enumerate(points.most_common()):
            places[name] = min(place, places.get(name, place))

    def rank(name: str) -> tuple[bool, int, float, bool, int]:
        domain = name.partition(".")[0]
        usual = USUAL.index(domain) if domain in USUAL else len(USUAL)
        place = places.get(name, len(project.kinds))
        return name not in ALWAYS, place, -total[name], name not in meant, usual

    return sorted(project.kinds, key=rank)


def companions(project: Project, said: Iterable[str]) -> set[str]:
    """The kinds that a rule reads together with one that a message most likely speaks of."""
    points = [_points(project, stems(text)).most_common(LIKELIEST) for text in said]
    meant = {project.kinds[name].collection for best in points for name, _ in best}
    reads = [rule.reads for rule in project.rules.values() if rule.reads]
    beside = frozenset().union(*(one for one in reads if one & meant))
    return {project.collections[name].full_name for name in beside & project.collections.keys()}


def _points(project: Project, sought: Iterable[str]) -> Counter[str]:
    """How likely each kind is meant by words: the fewer kinds have a word, the more it tells.

    What a kind refers to is half as likely as the kind itself.
    """
    points: Counter[str] = Counter()
    vocabulary = _vocabulary(project)
    for stem in sought:
        hits = {
            name: CUE if _begins(stem, cues) else 1
            for name, (own, cues) in vocabulary.items()
            if _begins(stem, cues) or _begins(stem, own)
        }
        for name, weight in hits.items():
            points[name] += weight * len(stem) * 100 // len(hits)
    drawn = Counter(points)
    for name in points:
        for target in _targets(project, name):
            drawn[target] = max(drawn[target], points[name] // 2)
    return drawn


@lru_cache(maxsize=64)
def _vocabulary(project: Project) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """The words of each kind's schema, and those of everyday."""
    texts = kind_texts(project)
    return {name: (words(text), words(WORDS.get(name, ""))) for name, text in texts.items()}


def _begins(stem: str, known: Collection[str]) -> bool:
    """Whether a known word begins with it; one of three letters has to be the whole word."""
    return stem in known or (len(stem) > 3 and any(word.startswith(stem) for word in known))


def _targets(project: Project, name: str) -> set[str]:
    """The kinds whose records one refers to."""
    named = set(TARGET.findall(kind_texts(project)[name])) & project.kinds_by_class.keys()
    return {project.kinds_by_class[one].full_name for one in named}
