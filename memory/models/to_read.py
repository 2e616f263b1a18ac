"""What a language model is to read, what came of it, and what it may not change by itself."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast

from memory.models.memory_user import MemoryUser


class ReadStatus(models.TextChoices):
    """Where the reading of a message or a fact stands."""

    WAITING = "waiting"
    READ = "read"
    NOTHING = "nothing", "nothing to remember"
    STUCK = "stuck"


class ToReadQuerySet(models.QuerySet["ToRead"]):
    def waiting(self) -> ToReadQuerySet:
        """What a model has yet to read."""
        return self.filter(status=ReadStatus.WAITING)

    def stuck(self) -> ToReadQuerySet:
        """What a model was asked to read and no answer of it could be used."""
        return self.filter(status=ReadStatus.STUCK)

    def doubtful(self) -> ToReadQuerySet:
        """What was read with a doubt; a text cannot pass for one, its quotes are escaped."""
        found = Cast("found", models.TextField())
        return self.alias(found_text=found).filter(found_text__contains='"doubts": ["')


class ToRead(models.Model):
    """A message, or a fact without readings: there is one row for each, from its first moment on.

    The row leaves `waiting` in the transaction that stores what was read, so that nothing is read
    twice or lost.
    """

    pk = models.CompositePrimaryKey("user_id", "stream", "seq")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    stream = models.CharField(max_length=8, help_text="`message` or `fact`.")
    seq = models.PositiveIntegerField()
    status = models.CharField(
        max_length=8, choices=ReadStatus.choices, default=ReadStatus.WAITING, db_default="waiting"
    )
    reason = models.TextField(
        blank=True,
        default="",
        db_default="",
        help_text="Why there is nothing to remember, or why it waits.",
    )
    tries = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Answers that could not be used."
    )
    tried_at = models.DateTimeField(null=True, help_text="When a model was last asked about it.")
    found = models.JSONField(
        null=True, help_text='[{"fact", "quote", "fit", "needs", "doubts", ...}]: what was read.'
    )

    objects = ToReadQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=ReadStatus.values), name="to_read_status_known"
            ),
            models.CheckConstraint(
                condition=Q(stream__in=("message", "fact")), name="to_read_stream_known"
            ),
        ]
        indexes = [
            models.Index(fields=["user", "status", "stream", "seq"], name="to_read_of_user"),
            models.Index(
                fields=["tried_at"], condition=Q(status="waiting"), name="to_read_waiting"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq} ({self.status})"


class HeldStatus(models.TextChoices):
    """Where a held reading stands."""

    HELD = "held"
    CONFIRMED = "confirmed"
    REFUSED = "refused"


class HeldReadingQuerySet(models.QuerySet["HeldReading"]):
    def held(self) -> HeldReadingQuerySet:
        """Those that nobody has decided."""
        return self.filter(status=HeldStatus.HELD)


class HeldReading(models.Model):
    """A model's reading that would overwrite or remove a protected record; a person decides.

    It is not part of the log. Confirmed, it is appended as a reading of its fact.
    """

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    fact_seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=200)
    record_id = models.CharField(max_length=200)
    op = models.CharField(max_length=8)
    data = models.JSONField()
    effective_at = models.DateTimeField()
    quote = models.TextField(help_text="The words that the reading rests on.")
    held_at = models.DateTimeField()
    status = models.CharField(max_length=9, choices=HeldStatus.choices, default=HeldStatus.HELD)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    objects = HeldReadingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=HeldStatus.values), name="held_reading_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status="held", decided_at=None, decided_by=None)
                | (~Q(status="held") & Q(decided_at__isnull=False, decided_by__isnull=False)),
                name="held_reading_decided_by_somebody",
            ),
        ]
        indexes = [models.Index(fields=["user", "status", "id"], name="held_reading_of_user")]

    def __str__(self) -> str:
        return f"{self.op} {self.kind} {self.record_id} ({self.status})"
