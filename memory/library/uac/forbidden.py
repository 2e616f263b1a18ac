"""Which medications fall under what somebody forbade, according to the reference tables."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from .comparing import Match, compare
from .drugs import Allergen, Drug, read_allergen
from .rows import row_label, row_of
from .speakers import speaker_words
from .taking import Taking
from .text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass
class Forbidden:
    """A prohibition with what the table knows of its substance."""

    ban: Any
    allergen: Allergen
    speaker: str


def bans_on_drugs(
    prohibitions: "Iterable[Any]", names: dict[str, str], today: date
) -> list[Forbidden]:
    """The prohibitions of a substance for the person remembered that are not over."""
    found = []
    for ban in sorted(prohibitions, key=lambda ban: ban.id):
        if ban.status != "in force" or not (ban.substance or "").strip():
            continue
        if (ban.for_whom and "me" not in ban.for_whom) or (ban.until and ban.until < today):
            continue
        speaker = speaker_words(names, ban.said_by)
        found.append(Forbidden(ban, read_allergen(ban.substance or ""), speaker))
    return found


def falls_in_force(ban: Any, taken: Taking, today: date) -> bool:
    """Whether the medication is taken, from today on, while the prohibition holds."""
    first = max(taken.first, ban.since or today, today)
    return first <= min(taken.last, ban.until or date.max)


def _uac_classes_named(allergen: Allergen) -> list[str]:
    """The classes that the words of a prohibition name, "penicillin" naming the penicillins."""
    stands = [row_of(one).get("stands_for") or "" for one in allergen.ingredients]
    return allergen.groups + [one for one in stands if one]


def _uac_same_substance(drug: Drug, allergen: Allergen, match: Match) -> Match:
    """An exact match in the words of a prohibition."""
    both = [one for one in drug.ingredients if one in allergen.ingredients]
    reason = f"It contains {row_label(both[0])}." if both else "It is what was forbidden by name."
    partly = len(both) < len(allergen.ingredients) and len(allergen.ingredients) > 1
    unknown = [f"whether each ingredient of {shorten(allergen.name)} was meant"] if partly else []
    return Match(match.grade, reason, match.basis, unknown)


def forbidden_match(drug: Drug, allergen: Allergen) -> "Match | None":
    """How the drug falls under the substance: `exact` or `same class`; None where it does not."""
    match = compare(drug, allergen)
    if match is None:
        return None
    if match.grade == "exact":
        return _uac_same_substance(drug, allergen, match)
    groups = _uac_classes_named(allergen)
    if not groups:
        return None
    only = Allergen(allergen.name, groups=groups, rows=allergen.rows, reach=set(groups))
    match = compare(drug, only)
    if match is None or match.grade != "same class":
        return None
    unknown = [f"whether all {row_label(one)} were meant" for one in groups]
    return Match(match.grade, match.reason, match.basis, [] if allergen.groups else unknown)
