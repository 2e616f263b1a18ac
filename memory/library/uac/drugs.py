"""What a drug or an allergen is according to the reference table, and whether the two conflict.

A row of the table (`drug_rows`) is a dict with `id`, `type` and `names`:
`drug` (one ingredient), `product` (several), `class`, `cross` (two sides that resemble each other)
and `other` (a known allergen that is no drug). `memory.library.reference` describes the fields.
"""

from dataclasses import dataclass, field
from typing import Any

from ._tables import drug_rows
from .names import components, is_single, names_something, normalise, without_salt
from .text import shorten


@dataclass
class Drug:
    """What the table knows of a medication's name."""

    name: str  # as it was written
    ingredients: list[str] = field(default_factory=list)  # ids of `drug` rows
    groups: list[str] = field(default_factory=list)  # classes the name itself states ("an NSAID")
    rows: list[str] = field(default_factory=list)  # every row the name led to
    words: list[str] = field(default_factory=list)  # normalised parts of the name
    aside: list[str] = field(default_factory=list)  # normalised parts given in brackets
    missing: list[str] = field(default_factory=list)  # the parts the table does not know
    reach: set[str] = field(default_factory=set)  # what an allergen must share to conflict with it


@dataclass
class Allergen:
    """What the table knows of an allergy's substance."""

    name: str
    ingredients: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    reach: set[str] = field(default_factory=set)


@dataclass
class Match:
    """How a drug conflicts with an allergen."""

    grade: str  # "exact", "same class" or "cross-reactive"
    reason: str  # one sentence
    basis: list[str] = field(default_factory=list)  # ids of table rows
    unknown: list[str] = field(default_factory=list)  # what would make it surer


# Filled on first use: in the sandbox the rows arrive after this file has been loaded.
_uac_rows: dict[str, dict[str, Any]] = {}
_uac_names: dict[str, str] = {}
_uac_crosses: list[dict[str, Any]] = []
_uac_crosses_of: dict[str, list[str]] = {}  # a member or class of a cross row -> ids of the rows


def _uac_load() -> None:
    for row in drug_rows:
        _uac_rows[row["id"]] = row
        # Rows that come in as input bring their names in normalised form, as `keys`.
        for key in row.get("keys") or [normalise(name) for name in row.get("names", [])]:
            _uac_names[key] = row["id"]
    for row_id in sorted(_uac_rows):
        if _uac_rows[row_id]["type"] == "cross":
            row = _uac_rows[row_id]
            _uac_crosses.append(row)
            for side in [row["first_class"], row["second_class"], *row["first"], *row["second"]]:
                _uac_crosses_of[side] = [*_uac_crosses_of.get(side, []), row_id]


def _uac_row(row_id: str) -> dict[str, Any]:
    return _uac_rows.get(row_id, {})


def _uac_label(row_id: str) -> str:
    names = _uac_row(row_id).get("names") or [row_id]
    return str(names[0])


def _uac_known(plain: str) -> str:
    """The id of the row with exactly this name, with or without its salt; else ""."""
    return _uac_names.get(plain) or _uac_names.get(without_salt(plain)) or ""


def _uac_segments(words: list[str]) -> list[str]:
    """Ids of the rows whose names, one after another, are all of the words; else nothing."""
    found: list[str] = []
    start = 0
    while start < len(words):
        end = len(words)
        while end > start and not _uac_known(" ".join(words[start:end])):
            end -= 1
        if end == start:
            return []
        found.append(_uac_known(" ".join(words[start:end])))
        start = end
    return found


def _uac_resolve(part: str) -> list[str]:
    whole = _uac_known(part)
    if whole:
        return [whole]
    if " for " in part:  # a purpose: "amoxicillin for the sinuses"
        return _uac_resolve(part[: part.index(" for ")])
    words = part.split()
    return _uac_segments(words) if 1 < len(words) <= 12 else []


def _uac_add(target: list[str], values: list[str]) -> None:
    target.extend([value for value in values if value not in target])


def _uac_fill(found: "Drug | Allergen", row_id: str) -> None:
    row = _uac_row(row_id)
    _uac_add(found.rows, [row_id])
    if row["type"] == "drug":
        _uac_add(found.ingredients, [row_id])
    elif row["type"] == "product":
        _uac_add(found.ingredients, row["ingredients"])
    elif row["type"] == "class":
        _uac_add(found.groups, [row_id])


def _uac_read(found: "Drug | Allergen") -> None:
    if not _uac_names:
        _uac_load()
    whole = normalise(found.name)
    known = _uac_known(whole)
    if known and is_single(found.name):
        _uac_fill(found, known)
        found.words.extend([whole] if names_something(whole) else [])
    else:
        _uac_read_parts(found, whole, known != "")
    found.reach = _uac_reach(found)


def _uac_read_parts(found: "Drug | Allergen", whole: str, known: bool) -> None:
    outside, inside = components(found.name)
    known_inside: list[str] = []
    for part in inside:
        _uac_add(known_inside, _uac_resolve(part))
    for part in [whole] if known else outside:
        rows = _uac_resolve(part)
        for row_id in rows:
            _uac_fill(found, row_id)
        if not rows:
            found.missing.append(part)
    for row_id in known_inside:
        _uac_fill(found, row_id)
    if not found.rows and not found.missing:
        found.missing.extend(inside or [whole or shorten(found.name)])
    found.missing = [part for part in found.missing if part]
    _uac_add(found.words, [word for word in [whole, *outside] if names_something(word)])
    _uac_add(found.aside, inside)


def _uac_reach(found: "Drug | Allergen") -> set[str]:
    """Words and row ids, wide enough that two which share none cannot conflict."""
    reach = set(found.words + found.aside + found.ingredients + found.groups)
    if not found.ingredients and not found.groups:
        return reach  # nothing that a row could lead on from
    classes = [_uac_row(row_id).get("parent", "") for row_id in found.groups]
    for ingredient in found.ingredients:
        row = _uac_row(ingredient)
        classes += [row.get("general", ""), row.get("stands_for", ""), *_uac_classes(ingredient)]
    reach.update([row_id for row_id in classes if row_id])
    crosses = [_uac_crosses_of[row_id] for row_id in reach if row_id in _uac_crosses_of]
    for row_ids in crosses:
        reach.update(row_ids)
    return reach


def read_drug(name: str) -> Drug:
    """What the table knows of a medication's name; what it does not know is in `missing`."""
    drug = Drug(name)
    _uac_read(drug)
    return drug


def read_allergen(name: str) -> Allergen:
    """What the table knows of an allergy's substance; what it does not know is in `missing`."""
    allergen = Allergen(name)
    _uac_read(allergen)
    return allergen


def find_drug(name: str) -> "Drug | None":
    """The drug of this name (ingredient, brand, combination), or None when the table has none.

    Never a guess: a name that is merely similar is not found.
    """
    drug = read_drug(name)
    return drug if drug.ingredients or drug.groups else None


def find_allergen(name: str) -> "Allergen | None":
    """The allergen of this name (ingredient, brand, class, known food or material), or None."""
    allergen = read_allergen(name)
    return allergen if allergen.rows else None


def _uac_classes(ingredient: str) -> list[str]:
    """The classes of an ingredient, the narrow before the wide."""
    classes: list[str] = []
    for start in _uac_row(ingredient).get("classes", []):
        current = start
        while current and current not in classes:
            classes.append(current)
            current = _uac_row(current).get("parent", "")
    return classes


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
