"""What is wrong between rows of the reference tables: repeated ids and names, dead references."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

# Names of these types lead to a drug or an allergen, so each name has one owner.
RESOLVED = frozenset({"drug", "product", "class", "other"})
INTERACTING = frozenset({"group", "drug", "class", "intake"})

# The types of rows that a field may name.
WANTED: Mapping[str, frozenset[str]] = {
    "classes": frozenset({"class"}),
    "parent": frozenset({"class"}),
    "stands_for": frozenset({"class"}),
    "first_class": frozenset({"class"}),
    "second_class": frozenset({"class"}),
    "ingredients": frozenset({"drug"}),
    "general": frozenset({"drug"}),
}
WANTED_OF: Mapping[str, Mapping[str, frozenset[str]]] = {
    "cross": {"first": frozenset({"drug"}), "second": frozenset({"drug"})},
    "pair": {"first": INTERACTING, "second": INTERACTING},
    "group": {"members": frozenset({"drug", "class", "intake"})},
    "caution": {"members": frozenset({"drug", "class", "group"})},
}
_WANTED_BY_TYPE = {type_: {**WANTED, **wanted} for type_, wanted in WANTED_OF.items()}


def listed(value: Any) -> Sequence[str]:
    """A field's ids as a sequence, whether it holds one, several or none."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def faults_between(rows: Sequence[Row], keys: Mapping[str, Iterable[str]]) -> list[str]:
    """What pydantic cannot see, one sentence a fault; `keys` are the normalised names by id."""
    types: dict[str, str] = {}
    faults = []
    for row in rows:
        if row["id"] in types:
            faults.append(f"{row['id']}: the id occurs twice")
        types[row["id"]] = row["type"]
        if not row["id"].startswith(f"{row['type']}:"):
            faults.append(
                f"{row['id']}: the id of a {row['type']} row begins with '{row['type']}:'"
            )
    for row in rows:
        faults += _dead_references(row, types)
    return faults + _names_taken(rows, keys) + _circles(rows)


def _dead_references(row: Row, types: Mapping[str, str]) -> list[str]:
    wanted = _WANTED_BY_TYPE.get(row["type"], WANTED)
    faults = []
    for field in wanted.keys() & row.keys():
        for target in listed(row[field]):
            if types.get(target) not in wanted[field]:
                kinds = " or ".join(sorted(wanted[field]))
                faults.append(f"{row['id']}: {field} names '{target}', which is no {kinds} row")
    return faults


def _names_taken(rows: Sequence[Row], keys: Mapping[str, Iterable[str]]) -> list[str]:
    owners: dict[tuple[bool, str], str] = {}
    faults = []
    for row in rows:
        for key in keys.get(row["id"], ()):
            space = (row["type"] in RESOLVED, key)
            owner = owners.setdefault(space, row["id"])
            if owner != row["id"]:
                faults.append(f"{row['id']}: the name '{key}' already belongs to {owner}")
            if not key:
                faults.append(f"{row['id']}: one of its names has no letters")
    return faults


def _circles(rows: Sequence[Row]) -> list[str]:
    """Classes that are wider than themselves, forms that are forms of themselves."""
    up = {row["id"]: row.get("parent") or row.get("general") for row in rows}
    faults = []
    for start in up:
        seen, current = {start}, up[start]
        while current and current not in seen:
            seen.add(current)
            current = up.get(current)
        if current == start:
            faults.append(f"{start}: stands above itself")
    return faults
