"""What every entry of the log has: a place in its person's chain, and a body apart."""

from __future__ import annotations

from django.db import models

from memory.models.memory_user import MemoryUser


class Entry(models.Model):
    """One link of a person's chain; never updated or deleted (triggers refuse it).

    `commitment` is SHA-256 over the body's salt and canonical text; `hash` covers the hash before,
    the stream, the person, `seq` and the commitment (`memory.project.chain`). Nothing personal
    stands here, so that a body can be erased and the chain still verify.
    """

    pk = models.CompositePrimaryKey("user_id", "seq")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()
    recorded_at = models.DateTimeField()
    commitment = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        abstract = True


class Body(models.Model):
    """The personal part of an entry: the exact canonical text that was hashed, and its salt."""

    pk = models.CompositePrimaryKey("user_id", "seq")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()
    salt = models.CharField(max_length=32)
    canonical = models.TextField()

    class Meta:
        abstract = True
