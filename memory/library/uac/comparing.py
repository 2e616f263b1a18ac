"""Whether a drug conflicts with an allergen according to the reference tables, and how closely."""

from dataclasses import dataclass, field
from typing import Any

from .drugs import Allergen, Drug, _uac_add
from .rows import _uac_classes, _uac_crosses, _uac_label, _uac_row
from .text import shorten


@dataclass
class Match:
    """How a drug conflicts with an allergen."""

    grade: str  # "exact", "same class" or "cross-reactive"
    reason: str  # one sentence
    basis: list[str] = field(default_factory=list)  # ids of table rows
    unknown: list[str] = field(default_factory=list)  # what would make it surer


def _uac_basis(drug: Drug, allergen: Allergen, more: list[str]) -> list[str]:
    basis: list[str] = []
    _uac_add(basis, drug.rows)
    _uac_add(basis, allergen.rows)
    _uac_add(basis, more)
    return basis


def same_words(drug: Drug, allergen: Allergen) -> bool:
    """Whether both are called the same, known to the table or not."""
    named = drug.words + drug.aside
    return bool(
        [w for w in named if w in allergen.words] or [w for w in drug.words if w in allergen.aside]
    )


def _uac_exact(drug: Drug, allergen: Allergen) -> "Match | None":
    for mine in drug.ingredients:
        for theirs in allergen.ingredients:
            general = _uac_row(mine).get("general") == theirs
            if mine == theirs or general or _uac_row(theirs).get("general") == mine:
                unknown: list[str] = []
                if len(allergen.ingredients) > 1:
                    unknown.append(
                        f"which ingredient of {shorten(allergen.name)} caused the reaction"
                    )
                reason = f"It contains {_uac_label(mine)}, the recorded allergen."
                return Match("exact", reason, _uac_basis(drug, allergen, [mine, theirs]), unknown)
    if same_words(drug, allergen):
        # The same words on both sides need no table: an unknown product conflicts with itself.
        reason = "The medication and the recorded allergen have the same name."
        return Match("exact", reason, _uac_basis(drug, allergen, []))
    return None


def _uac_same_class(drug: Drug, allergen: Allergen) -> "Match | None":
    allergic_to = list(allergen.groups)
    for theirs in allergen.ingredients:
        # A class extends to its other members only where they are known to react alike.
        _uac_add(allergic_to, [c for c in _uac_classes(theirs) if _uac_row(c).get("shared")])
    for mine in drug.ingredients:
        for row_id in _uac_classes(mine):
            if row_id in allergic_to:
                reason = f"{_uac_label(mine)} belongs to the {_uac_label(row_id)}."
                return Match("same class", reason, _uac_basis(drug, allergen, [mine, row_id]))
    for row_id in drug.groups:
        parent = _uac_row(row_id).get("parent", "")
        if row_id in allergic_to or (parent and parent in allergic_to):
            reason = f"It is one of the {_uac_label(row_id)}."
            return Match("same class", reason, _uac_basis(drug, allergen, [row_id]))
    return None


def _uac_sides(row: dict[str, Any]) -> "list[tuple[list[str], str, list[str]]]":
    """(members, their class, members of the other side), from either side."""
    first, second = row["first"], row["second"]
    return [(first, row["first_class"], second), (second, row["second_class"], first)]


def _uac_cross(drug: Drug, allergen: Allergen) -> "Match | None":
    # "Penicillin" stands for any penicillin: which of them it was is not known.
    vague = list(allergen.groups)
    for theirs in allergen.ingredients:
        _uac_add(vague, [c for c in [_uac_row(theirs).get("stands_for", "")] if c])
    for row in _uac_crosses:
        for members, of_class, others in _uac_sides(row):
            hit = [mine for mine in drug.ingredients if mine in others]
            sure = [theirs for theirs in allergen.ingredients if theirs in members]
            if hit and (sure or of_class in vague):
                basis = _uac_basis(drug, allergen, [hit[0], row["id"]])
                unknown = [] if sure else [f"which of the {_uac_label(of_class)} it was"]
                return Match("cross-reactive", row["note"], basis, unknown)
    return None


def compare(drug: Drug, allergen: Allergen) -> "Match | None":
    """The strongest conflict between a drug and an allergen, or None when the table has none."""
    if drug.reach.isdisjoint(allergen.reach):
        return None
    return (
        _uac_exact(drug, allergen) or _uac_same_class(drug, allergen) or _uac_cross(drug, allergen)
    )
