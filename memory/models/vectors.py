"""What a person's facts and messages mean, as vectors; made from the log by a model, and anew."""

from __future__ import annotations

from django.db import models

from memory.models.memory_user import MemoryUser


class EmbeddedBlock(models.Model):
    """The vectors of a block of entries (see `WordIndex`), from its first on, of one model.

    Where the database has pgvector they are in a column of its own, not in `matrix`
    (`memory.retrieval.vectors.pgvector`).
    """

    pk = models.CompositePrimaryKey("user_id", "stream", "block")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    stream = models.CharField(max_length=8, help_text="`message` or `fact`.")
    block = models.PositiveIntegerField(help_text="From 0; seq 1 to 1,024 are in the first.")
    model = models.CharField(max_length=200, help_text="Which made them; of another they are void.")
    dimension = models.PositiveIntegerField()
    count = models.PositiveIntegerField(help_text="How many entries have one.")
    matrix = models.BinaryField(help_text="A row an entry, 16-bit floats, of unit length.")

    def __str__(self) -> str:
        return f"{self.stream} block {self.block}: {self.count} by {self.model}"
