"""What a query means, and which entries mean the like; nothing where there are no vectors."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.checkpointer.model.errors import ModelError
from memory.models import MemoryUser, Stream
from memory.retrieval.vectors.embedder import embedder
from memory.retrieval.vectors.kept import keeper

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Meaning:
    """A vector and the model that made it."""

    model: str
    vector: Sequence[float]


def meaning_of(user: MemoryUser, text: str) -> Meaning | None:
    """What a query means; None where nobody can tell, or not now. Outside of any transaction."""
    maker = embedder()
    if maker is None:
        return None
    try:
        return Meaning(maker.name, maker.query(text, user.pk))
    except ModelError as error:
        logger.warning("a search goes without vectors: %s", error)
        return None


def similarities(
    user: MemoryUser, meant: Meaning, heads: Mapping[Stream, int]
) -> dict[tuple[Stream, int], float]:
    """The cosine of each entry up to the heads that has a vector, by stream and seq."""
    return keeper().similarities(user, meant.model, meant.vector, heads)
