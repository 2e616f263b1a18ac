"""What a drug or an allergen is according to the reference tables."""

from dataclasses import dataclass, field

from .names import components, is_single, names_something, normalise, without_salt
from .rows import (
    _uac_classes,
    _uac_crosses_of,
    _uac_intakes,
    _uac_load_once,
    _uac_names,
    _uac_row,
)
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


# Several rules read the same names in one session.
_uac_drugs_read: dict[str, Drug] = {}
_uac_allergens_read: dict[str, Allergen] = {}
_uac_read_at_most = 2000
_uac_made_for = {"kids", "children", "infants", "babies", "women", "men", "adults", "seniors"}


def _uac_known(plain: str) -> str:
    """The id of the row with exactly this name, with or without its salt; else ""."""
    found = _uac_names.get(plain)
    if found:
        return found
    bare = without_salt(plain)
    if bare != plain and bare in _uac_names:
        rest = plain[plain.find(bare) + len(bare) :].split()
        # "cholecalciferol calcium carbonate" is no salt of cholecalciferol.
        if len(rest) < 2 or " ".join(rest) not in _uac_names:
            return _uac_names[bare]
    return _uac_intakes.get(plain, "")  # known to be no drug


def _uac_segments(words: list[str], exact: bool) -> list[str]:
    """Ids of the rows whose names, one after another, are all of the words; else nothing."""
    found: list[str] = []
    start = 0
    while start < len(words):
        end = len(words) + 1
        row_id = ""
        while end > start + 1 and not row_id:
            end -= 1
            name = " ".join(words[start:end])
            row_id = _uac_names.get(name, "") if exact else _uac_known(name)
        if not row_id:
            return []
        found.append(row_id)
        start = end
    return found


def _uac_resolve(part: str) -> list[str]:
    whole = _uac_known(part)
    if whole:
        return [whole]
    if " for " in part:  # a purpose: "amoxicillin for the sinuses"
        before, _, after = part.partition(" for ")
        # What is made for somebody is often another product: "Bonine for kids".
        return (
            [] if after.split()[:1] and after.split()[0] in _uac_made_for else _uac_resolve(before)
        )
    words = part.split()
    if not 1 < len(words) <= 12:
        return []
    return _uac_segments(words, exact=True) or _uac_segments(words, exact=False)


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
    _uac_load_once()
    whole = normalise(found.name)
    single = is_single(found.name)
    # Of several parts together only an exact name is one: taking off a salt might take off a part.
    known = _uac_known(whole) if single else _uac_names.get(whole, "")
    if known and single:
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
    # "Ingredient 5 mg [Brand]": what stands before square brackets is all that it contains, and a
    # brand may have meant something else at another time.
    complete = "[" in found.name and found.ingredients and not found.missing
    for row_id in [] if complete else known_inside:
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
    """What the table knows of a medication's name; what it does not know is in `missing`.

    The same name gives the same object again: it is to be read, not changed.
    """
    known = _uac_drugs_read.get(name)
    if known is None:
        known = Drug(name)
        _uac_read(known)
        if len(_uac_drugs_read) < _uac_read_at_most:
            _uac_drugs_read[name] = known
    return known


def read_allergen(name: str) -> Allergen:
    """What the table knows of an allergy's substance; what it does not know is in `missing`.

    The same name gives the same object again: it is to be read, not changed.
    """
    known = _uac_allergens_read.get(name)
    if known is None:
        known = Allergen(name)
        _uac_read(known)
        if len(_uac_allergens_read) < _uac_read_at_most:
            _uac_allergens_read[name] = known
    return known


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
