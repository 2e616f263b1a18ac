"""What a record is part of: a shrimp of seafood, a room of a building, a building of a town."""

from typing import Any


def wider_ids(start: str | None, by_id: dict[str, Any]) -> list[str]:
    """The id and those of all that it is part of, the narrow before the wide.

    `by_id` holds records with a field `part_of`. Each id comes once even where records are part
    of each other in a circle; one without a record ends the chain.
    """
    found: list[str] = []
    here = start
    while here is not None and here not in found:
        found.append(here)
        known = by_id.get(here)
        here = None if known is None else known.part_of
    return found


def on_one_chain(first: str | None, second: str | None, by_id: dict[str, Any]) -> bool:
    """Whether both are known and the same, or one is part of the other."""
    if first is None or second is None:
        return False
    return first in wider_ids(second, by_id) or second in wider_ids(first, by_id)
