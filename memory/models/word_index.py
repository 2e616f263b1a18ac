"""The words of a person's facts and messages, for search; made from the log, and made anew from it.

Entries are taken in blocks of `BLOCK` by seq, so that a person's index grows by its last block and
is read in few rows. Everything is keyed by the person first: no figure of one tells of another.
"""

from __future__ import annotations

from django.db import models

from memory.models.memory_user import MemoryUser

BLOCK = 1_024


class WordIndex(models.Model):
    """How far a person's index reaches, and by which rules words were told (`words.ANALYZER`)."""

    user = models.OneToOneField(
        MemoryUser, primary_key=True, on_delete=models.PROTECT, related_name="+"
    )
    analyzer = models.PositiveSmallIntegerField()
    fact_seq = models.PositiveIntegerField(default=0)
    message_seq = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"facts to {self.fact_seq}, messages to {self.message_seq}"


class IndexedBlock(models.Model):
    """Of each entry of a block in turn: its length, what it follows, what it corrects."""

    pk = models.CompositePrimaryKey("user_id", "stream", "block")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    stream = models.CharField(max_length=8, help_text="`message` or `fact`.")
    block = models.PositiveIntegerField(help_text="From 0; seq 1 to 1,024 are in the first.")
    lengths = models.BinaryField(help_text="Words, 16 bits each.")
    previous = models.BinaryField(help_text="Seq before it in its session, 32 bits each; 0: none.")
    corrects = models.BinaryField(help_text="Seq of the fact that it corrects, 32 bits; 0: none.")

    def __str__(self) -> str:
        return f"{self.stream} block {self.block}"


class Posting(models.Model):
    """Where a term stands in a block."""

    pk = models.CompositePrimaryKey("user_id", "term", "stream", "block")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    term = models.CharField(max_length=64)
    stream = models.CharField(max_length=8)
    block = models.PositiveIntegerField()
    places = models.BinaryField(help_text="Place in the block and count, 16 bits each, in turn.")

    def __str__(self) -> str:
        return f"{self.stream} block {self.block}"
