"""What names already lead to: the hand-kept tables first, then what has been built so far."""

from collections.abc import Iterable, Mapping
from typing import Any

from memory.library.table_faults import RESOLVED
from memory.library.uac.names import normalise, without_salt


class Known:
    """Names and the ids that own them. A name has one owner, and the first to claim it keeps it."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.owners: dict[str, str] = {}
        self.ids: set[str] = set()
        for row in rows:
            self.ids.add(row["id"])
            if row["type"] in RESOLVED:
                for name in row["names"]:
                    self.owners[normalise(name)] = row["id"]

    def of(self, key: str) -> str:
        """The id that a normalised name leads to, with or without its salt; else ""."""
        return self.owners.get(key) or self.owners.get(without_salt(key)) or ""

    def drug(self, key: str) -> str:
        """The same, where it is one ingredient."""
        found = self.of(key)
        return found if found.startswith("drug:") else ""

    def add(self, row: Mapping[str, Any]) -> None:
        """Take up a row that has been built."""
        self.ids.add(row["id"])
        for name in row["names"]:
            self.owners.setdefault(normalise(name), row["id"])
