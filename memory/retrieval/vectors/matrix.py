"""How like a query a person's entries are: the exact cosine with every vector there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.models import BLOCK, EmbeddedBlock, MemoryUser, Stream

Halves = npt.NDArray[np.float16]
HALF = 2
"""Bytes of a 16-bit float."""


def append(block: EmbeddedBlock, after: int, vectors: Sequence[Sequence[float]]) -> None:
    """Keep the vectors of the entries of a block that follow the first `after`."""
    row = EmbeddedBlock.objects.filter(pk=block.pk)
    before = bytes(row.values_list("matrix", flat=True).get())[: after * len(vectors[0]) * HALF]
    row.update(matrix=before + packed(vectors))


def packed(vectors: Sequence[Sequence[float]]) -> bytes:
    """Vectors as rows of 16-bit floats, brought to unit length; zeros stay zeros."""
    rows = np.asarray(vectors, np.float32)
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(sizes > 0, sizes, 1)).astype("<f2").tobytes()


def similarities(
    user: MemoryUser, model: str, vector: Sequence[float], heads: Mapping[Stream, int]
) -> dict[tuple[Stream, int], float]:
    """The cosine of each entry up to the heads that has a vector, from -1 to 1, by stream and seq.

    Vectors of another length than the query's are left out: they are about to be made anew.
    """
    query = np.asarray(vector, np.float32)
    query /= np.linalg.norm(query) or 1
    found: dict[tuple[Stream, int], float] = {}
    blocks = EmbeddedBlock.objects.filter(user=user, model=model, dimension=len(vector))
    for stream, block, count in blocks.order_by("stream", "block").values_list(
        "stream", "block", "count"
    ):
        head = heads.get(Stream(stream), 0) - block * BLOCK
        if head > 0:
            rows = _rows(user.pk, stream, block, model, count, len(vector))[:head]
            cosines = (rows.astype(np.float32) @ query).tolist()
            first = block * BLOCK + 1
            found |= {(Stream(stream), seq): value for seq, value in enumerate(cosines, first)}
    return found


@lru_cache(maxsize=64)
def _rows(user_id: UUID, stream: str, block: int, model: str, count: int, dimension: int) -> Halves:
    """The vectors of a block when it had so many of this length; up to 50 MB of them are kept."""
    row = EmbeddedBlock.objects.get(user=user_id, stream=stream, block=block, model=model)
    return rows_of(row)[:count]


def rows_of(block: EmbeddedBlock) -> Halves:
    """The vectors of a block, a row an entry."""
    return np.frombuffer(bytes(block.matrix), np.dtype("<f2")).reshape(-1, block.dimension)
