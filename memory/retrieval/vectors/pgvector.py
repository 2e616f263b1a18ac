"""Vectors kept and compared by PostgreSQL itself, where it has pgvector.

A block's vectors are an array of `halfvec` in a column that only such a database has (`prepare`
adds it). A search asks for the exact cosine with each of a person's entries, since their mean and
spread are part of the score (`memory.retrieval.fusion`): an approximate index would know neither.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.db import DatabaseError, connection, transaction

from memory.models import BLOCK, EmbeddedBlock, MemoryUser, Stream

logger = logging.getLogger(__name__)

COLUMN = """
SELECT 1 FROM information_schema.columns
WHERE table_schema = ANY (current_schemas(false)) AND table_name = 'memory_embeddedblock'
  AND column_name = 'vectors'"""
POSSIBLE = """
SELECT 1 FROM pg_available_extensions
WHERE name = 'vector' AND to_regclass('memory_embeddedblock') IS NOT NULL"""
ADD_COLUMN = """
CREATE EXTENSION IF NOT EXISTS vector;
ALTER TABLE memory_embeddedblock ADD COLUMN vectors halfvec[];
ALTER TABLE memory_embeddedblock ALTER COLUMN vectors SET STORAGE EXTERNAL"""
APPEND = """
UPDATE memory_embeddedblock SET vectors = vectors[1:%s] || %s::halfvec[]
WHERE user_id = %s AND stream = %s AND block = %s"""
COSINES = """
SELECT stream, kept.block * %s + entry.place,
       COALESCE(1 - NULLIF(entry.vector <=> %s::halfvec, 'NaN'), 0)
FROM memory_embeddedblock AS kept
JOIN unnest(%s::text[], %s::bigint[]) AS head (stream, seq) USING (stream)
CROSS JOIN unnest(kept.vectors) WITH ORDINALITY AS entry (vector, place)
WHERE user_id = %s AND model = %s AND dimension = %s
  AND entry.place <= head.seq - kept.block * %s"""


@cache
def there() -> bool:
    """Whether this database keeps vectors; as it was when this process asked first."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(COLUMN)
        return cursor.fetchone() is not None


def prepare(**signal: Any) -> None:
    """After each `migrate`: have the database keep vectors from now on, if it can."""
    if there() or connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(POSSIBLE)
        if cursor.fetchone() is None:
            return
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(ADD_COLUMN)
            _take_over()
    except DatabaseError as error:
        logger.warning(
            "the server has pgvector, this role may not use it: run CREATE EXTENSION vector as a "
            "role that may, then migrate; until then web processes compare vectors: %s",
            error,
        )
    there.cache_clear()


def append(block: EmbeddedBlock, after: int, vectors: Sequence[Sequence[float]]) -> None:
    """Keep the vectors of the entries of a block that follow the first `after`."""
    found = [_written(vector) for vector in vectors]
    with connection.cursor() as cursor:
        cursor.execute(APPEND, [after, found, block.user_id, block.stream, block.block])


def similarities(
    user: MemoryUser, model: str, vector: Sequence[float], heads: Mapping[Stream, int]
) -> dict[tuple[Stream, int], float]:
    """The cosine of each entry up to the heads that has a vector, from -1 to 1, by stream and seq.

    Vectors of another length than the query's are left out: they are about to be made anew.
    """
    streams, seqs = [str(stream) for stream in heads], [*heads.values()]
    with connection.cursor() as cursor:
        cursor.execute(
            COSINES,
            [BLOCK, _written(vector), streams, seqs, user.pk, model, len(vector), BLOCK],
        )
        return {(Stream(stream), seq): cosine for stream, seq, cosine in cursor.fetchall()}


def _take_over() -> None:
    """Bring in what was kept as matrices."""
    for block in EmbeddedBlock.objects.exclude(matrix=b"").iterator(chunk_size=8):
        from memory.retrieval.vectors import matrix  # it was made with NumPy

        append(block, 0, matrix.rows_of(block).tolist())
        EmbeddedBlock.objects.filter(pk=block.pk).update(matrix=b"")


def _written(vector: Sequence[float]) -> str:
    """As pgvector reads it, brought to unit length: a `halfvec` ends at 65,504."""
    size = math.hypot(*vector) or 1
    return f"[{','.join(str(one / size) for one in vector)}]"
