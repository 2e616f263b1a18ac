"""Who turns texts into vectors: a model in a folder, an endpoint, or nobody."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from django.conf import settings

from memory.checkpointer.model.embeddings import EmbeddingClient

if TYPE_CHECKING:
    from memory.retrieval.vectors.bert import Bert

QUERY_SECONDS = 5.0
"""How long a search waits for the vector of its query."""
SAMPLE = 1_000_000
Vectors = Sequence[Sequence[float]]


class Embedder(Protocol):
    """Turns texts into vectors, by a model whose name is stored beside them."""

    @property
    def name(self) -> str:
        """Of the model; another one makes other vectors."""

    def entries(self, texts: Sequence[str], person: UUID) -> Vectors:
        """A vector for each text, in the background. Raises ModelError."""

    def query(self, text: str, person: UUID) -> Sequence[float]:
        """The vector of a query, while somebody waits. Raises ModelError."""


class LocalEmbedder:
    """A model in a folder, in this process."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.name = folder, _name_of(folder)

    def entries(self, texts: Sequence[str], person: UUID) -> Vectors:
        found: list[list[float]] = _bert(self.folder).vectors(texts).tolist()
        return found

    def query(self, text: str, person: UUID) -> Sequence[float]:
        found: list[float] = _bert(self.folder).vectors([text])[0].tolist()
        return found


class RemoteEmbedder:
    """A model at the endpoint of the settings."""

    def __init__(self, client: EmbeddingClient) -> None:
        self.client, self.name = client, client.model

    def entries(self, texts: Sequence[str], person: UUID) -> Vectors:
        return self.client.vectors(texts, person=person)

    def query(self, text: str, person: UUID) -> Sequence[float]:
        return self.client.quick(QUERY_SECONDS).vectors([text], person=person)[0]


def embedder() -> Embedder | None:
    """Whom the settings name; None where vectors are not wanted."""
    if settings.EMBED_FOLDER is not None:
        return LocalEmbedder(settings.EMBED_FOLDER)
    client = EmbeddingClient()
    return RemoteEmbedder(client) if client.model else None


@cache
def _bert(folder: Path) -> Bert:
    from memory.retrieval.vectors.bert import Bert  # NumPy may not be installed

    return Bert(folder)


@cache
def _name_of(folder: Path) -> str:
    """The folder's name and a digest of what is in it, the same on every machine."""
    with (folder / "model.safetensors").open("rb") as file:
        digest = hashlib.sha256(file.read(SAMPLE))
    digest.update((folder / "config.json").read_bytes())
    return f"{folder.name} {digest.hexdigest()[:12]}"[:200]
