"""Words for whoever said, asked, set or ordered something."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def names_by_id(persons: "Iterable[Any]") -> dict[str, str]:
    """The names of records of people (anything with `id` and `name`), by their ids."""
    return {person.id: person.name for person in persons}


def speaker_words(names: dict[str, str], who: str | None) -> str:
    """The name; `the person` for the one remembered (None or `me`) as long as they have no record.

    A record that has gone leaves no name behind: `somebody no longer on record`.
    """
    if who is None or who == "me":
        return names.get("me", "the person")
    return names.get(who, "somebody no longer on record")
