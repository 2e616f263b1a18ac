"""Rows of the reference tables in words, for every page that shows one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memory.library.reference import load

Row = Mapping[str, Any]
FEW = 3
TYPES = {
    "drug": ("drug", "drugs"),
    "product": ("product", "products"),
    "class": ("class", "classes"),
    "group": ("group for interactions", "groups for interactions"),
    "intake": ("food, drink, herb or supplement", "foods, drinks, herbs and supplements"),
    "pair": ("interaction", "interactions"),
    "caution": ("caution", "cautions"),
    "cross": ("cross-reactivity", "cross-reactivities"),
    "other": ("allergen that is no drug", "allergens that are no drugs"),
}
STATES = {"pregnant": "in pregnancy", "breastfeeding": "while breastfeeding"}


def type_words(type_: str) -> str:
    """What a row of this type is: `drug`, `interaction`."""
    return TYPES[type_][0] if type_ in TYPES else type_


def label_of(row_id: str) -> str:
    """The name by which a row is shown; its id where it is not in the tables."""
    row = load().rows.get(row_id)
    return title_of(row) if row is not None else row_id


def title_of(row: Row) -> str:
    """The first name of a row, or of what it relates."""
    if row.get("names"):
        return str(row["names"][0])
    match row["type"]:
        case "pair":
            if row["first"] == row["second"]:
                return f"{label_of(row['first'])}, two together"
            return f"{label_of(row['first'])} with {label_of(row['second'])}"
        case "cross":
            return f"{_some(row['first'])} beside {_some(row['second'])}"
        case "caution":
            return f"{_some(row['members'])} {STATES.get(row['state'], row['state'])}"
    return str(row["id"])


def row_words(row: Row) -> str:
    """A row as a line of evidence: `amoxicillin: drug, one of the penicillins`."""
    match row["type"]:
        case "cross":
            return str(row["note"])
        case "pair" | "caution":
            note = f" {row['note']}" if row.get("note") else ""
            return f"{title_of(row)}: {row['effect']}{note}"
        case "product":
            named = [label_of(one) for one in row["ingredients"]]
            return f"{title_of(row)}: product of {_listed(named)}"
        case "group":
            return f"{title_of(row)}: group for interactions, such as {_some(row['members'])}"
    classes = [label_of(one) for one in row.get("classes", ())]
    told = f", one of the {' and '.join(classes)}" if classes else ""
    return f"{title_of(row)}: {type_words(row['type'])}{told}"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _some(row_ids: Iterable[str]) -> str:
    """The first few labels, and how many more there are."""
    labels = [label_of(one) for one in row_ids]
    if len(labels) <= FEW + 1:
        return _listed(labels)
    return f"{', '.join(labels[:FEW])} and {len(labels) - FEW} more"
