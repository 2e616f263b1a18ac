"""Where vectors are kept and compared: in the database, where it can, else in matrices here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from memory.models import EmbeddedBlock, MemoryUser, Stream
from memory.retrieval.vectors import pgvector


class Keeper(Protocol):
    """Keeps a block's vectors and compares those of a person; see `pgvector` and `matrix`."""

    def append(
        self, block: EmbeddedBlock, after: int, vectors: Sequence[Sequence[float]]
    ) -> None: ...

    def similarities(
        self,
        user: MemoryUser,
        model: str,
        vector: Sequence[float],
        heads: Mapping[Stream, int],
    ) -> dict[tuple[Stream, int], float]: ...


def keeper() -> Keeper:
    """Who keeps vectors for this database."""
    if pgvector.there():
        return pgvector
    from memory.retrieval.vectors import matrix  # NumPy may not be installed

    return matrix
