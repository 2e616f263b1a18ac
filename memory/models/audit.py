"""Who did or read what: one row each, which only grow, sealed into a chain in batches."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class ActorKind(models.TextChoices):
    """What acted: a member of staff, an app, the system by itself, or who has its console."""

    STAFF = "staff"
    APP = "app"
    SYSTEM = "system"
    CONSOLE = "console"
    NOBODY = "nobody"


class Outcome(models.TextChoices):
    """How it ended: done, refused (nothing was changed or shown), or failed on our side."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


class AuditEvent(models.Model):
    """One write, or one request that read; never updated, dropped only when it is too old.

    It holds ids, codes and counts, no personal content: what is said of a person can be erased, and
    this stays. Whom and what it names are ids of any table, not references, so that nothing waits
    for them and they may outlive their object. `digest` covers all columns but the id.
    """

    id = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=10, choices=ActorKind.choices)
    actor_id = models.CharField(max_length=40, blank=True)
    credential = models.CharField(max_length=40, blank=True, help_text="The id of an app's key.")
    action = models.CharField(max_length=60)
    object_kind = models.CharField(max_length=60, blank=True)
    object_id = models.CharField(max_length=100, blank=True)
    person_id = models.UUIDField(null=True, help_text="The memory user it is about.")
    request_id = models.CharField(max_length=32, blank=True)
    address = models.CharField(max_length=45, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    digest = models.CharField(max_length=64)

    class Meta:
        indexes = [
            models.Index(fields=["person_id", "id"], name="audit_person"),
            # Apps make nearly all events, one a post: those are found by person or by time
            models.Index(
                fields=["actor_id", "id"], condition=~Q(actor_kind="app"), name="audit_staff"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.pk}"


class AuditSeal(models.Model):
    """A batch of events, fixed for good: each seal covers the one before.

    `ranges` lists the ids covered, `[[first, last], ...]`; `last_event` is the highest id that was
    looked at, `gaps` those below it that had not been committed yet, which a later seal may cover.
    `root` covers the digests of the events, `hash` all of it and the seal before.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    sealed_at = models.DateTimeField()
    last_event = models.BigIntegerField()
    ranges = models.JSONField()
    gaps = models.JSONField()
    count = models.PositiveIntegerField()
    root = models.CharField(max_length=64)
    prev = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"seal {self.number}"


class AuditDrop(models.Model):
    """The events of all seals up to this one were old enough and have been dropped.

    Their seals stay, and the database lets nobody delete an event that no such row covers.
    """

    through = models.OneToOneField(AuditSeal, on_delete=models.PROTECT, primary_key=True)
    last_event = models.BigIntegerField(help_text="No event with a higher id was dropped.")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"dropped through seal {self.through_id}"
