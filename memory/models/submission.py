"""Posts that carried an idempotency key."""

from __future__ import annotations

from django.db import models

from memory.models.app import App
from memory.models.memory_user import MemoryUser


class Stream(models.TextChoices):
    """The three chains of a person."""

    MESSAGE = "message"
    FACT = "fact"
    READING = "reading"


class Submission(models.Model):
    """What one post with an idempotency key appended, so that its repeat appends nothing."""

    pk = models.CompositePrimaryKey("app_id", "key")
    app = models.ForeignKey(App, on_delete=models.PROTECT, related_name="+", db_index=False)
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the request.")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    stream = models.CharField(max_length=10, choices=Stream.choices)
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    recorded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.stream} {self.first_seq}-{self.last_seq}"
