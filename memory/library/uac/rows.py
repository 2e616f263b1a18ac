"""The rows of the reference tables, and what their names and ids lead to.

A row (`drug_rows`) is a dict with `id` and `type`: `drug` (one ingredient), `product` (what a brand
or a combination contains), `class`, `cross` (two sides that resemble each other), `other` (a known
allergen that is no drug), `intake` (a food, drink, herb or supplement), and `group`, `pair` and
`caution`, to which no name leads. `memory.library.table_rows` describes their fields.
"""

from typing import Any

from ._tables import drug_rows
from .names import normalise

_uac_nameless = ["group", "cross", "pair", "caution"]
# Filled on first use: in the sandbox the rows arrive after this file has been loaded.
_uac_rows: dict[str, dict[str, Any]] = {}
_uac_names: dict[str, str] = {}
_uac_intakes: dict[str, str] = {}
_uac_crosses: list[dict[str, Any]] = []
_uac_crosses_of: dict[str, list[str]] = {}  # a member or class of a cross row -> ids of the rows


def _uac_load() -> None:
    for row in drug_rows:
        _uac_rows[row["id"]] = row
        if row["type"] in _uac_nameless:
            continue
        names = _uac_intakes if row["type"] == "intake" else _uac_names
        # Rows that come in as input bring their names in normalised form, as `keys`.
        for key in row.get("keys") or [normalise(name) for name in row.get("names", [])]:
            names[key] = row["id"]
    for row_id in sorted(_uac_rows):
        if _uac_rows[row_id]["type"] == "cross":
            row = _uac_rows[row_id]
            _uac_crosses.append(row)
            for side in [row["first_class"], row["second_class"], *row["first"], *row["second"]]:
                _uac_crosses_of[side] = [*_uac_crosses_of.get(side, []), row_id]


def _uac_load_once() -> None:
    if not _uac_rows:
        _uac_load()


def _uac_row(row_id: str) -> dict[str, Any]:
    return _uac_rows.get(row_id, {})


def _uac_label(row_id: str) -> str:
    names = _uac_row(row_id).get("names") or [row_id]
    return str(names[0])


def _uac_classes(ingredient: str) -> list[str]:
    """The classes of an ingredient, the narrow before the wide."""
    classes: list[str] = []
    for start in _uac_row(ingredient).get("classes", []):
        current = start
        while current and current not in classes:
            classes.append(current)
            current = _uac_row(current).get("parent", "")
    return classes


def find_intake(name: str) -> "str | None":
    """The id of the food, drink, herb or supplement of this name, or None."""
    _uac_load_once()
    return _uac_intakes.get(normalise(name))


def row_of(row_id: str) -> dict[str, Any]:
    """The row of the tables with this id as plain data; empty where there is none."""
    _uac_load_once()
    return _uac_row(row_id)


def row_label(row_id: str) -> str:
    """The name under which a row is shown; its id where it has none."""
    _uac_load_once()
    return _uac_label(row_id)
