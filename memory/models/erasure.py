"""The erasure of one person: asked for by one, confirmed by another, and recorded for good."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from memory.models.memory_user import MemoryUser


class ErasureStatus(models.TextChoices):
    """Asked for, called off, or done."""

    ASKED = "asked"
    WITHDRAWN = "withdrawn"
    DONE = "done"


class ErasureReason(models.TextChoices):
    """Why; coded, since a free text might hold what is to be erased."""

    WISH = "wish", "The person asked for it"
    CONSENT = "consent", "Consent was withdrawn"
    RETENTION = "retention", "The time to keep the data is over"
    LAW = "law", "A court or an authority ordered it"
    MISTAKE = "mistake", "Recorded by mistake, or for a test"


class Erasure(models.Model):
    """While none of a person's is done, the database refuses to delete from their log."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(
        max_length=10, choices=ErasureStatus.choices, default=ErasureStatus.ASKED
    )
    reason = models.CharField(max_length=10, choices=ErasureReason.choices)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    erased = models.JSONField(default=dict, help_text="How many rows of each table.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(status="asked"), name="erasure_one_asked_per_user"
            ),
            models.CheckConstraint(
                condition=~Q(status="done")
                | (Q(decided_by__isnull=False) & ~Q(decided_by=F("asked_by"))),
                name="erasure_by_two",
            ),
        ]

    def __str__(self) -> str:
        return f"erasure {self.pk} ({self.status})"
