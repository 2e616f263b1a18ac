"""What facts ask of a person's code, until a proposal answers it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from memory.models.memory_user import MemoryUser
from memory.models.proposal import Proposal


class NeedCause(models.TextChoices):
    """Why the code should change."""

    READING = "reading", "what was said has no place, or asks for a rule"
    CONSTRAINT = "constraint", "a stated constraint that nothing watches"
    CONCERN = "concern", "a concern that a person sent on"
    NOTES = "notes", "several notes of one topic"
    AGE = "age", "it has waited long"
    REQUEST = "request", "a person asked"
    COMMENT = "comment", "a reviewer asked for changes"


class NeedStatus(models.TextChoices):
    """Where a need stands. `failed`: no attempt passed its checks; `dropped`: a person said no."""

    OPEN = "open"
    PROPOSED = "proposed"
    MET = "met"
    DROPPED = "dropped"
    FAILED = "failed"


class NeedQuerySet(models.QuerySet["Need"]):
    def open(self) -> NeedQuerySet:
        """Needs that no proposal answers yet."""
        return self.filter(status=NeedStatus.OPEN)


class Need(models.Model):
    """A fact that asks for a kind or a rule, and why; a person's need of one cause is one row.

    `about` holds what the cause brings with it: `{"fields": [...]}` for a constraint,
    `{"concern", "summary", "records": [{"kind", "id"}]}` for a concern, `{"summary", "records"}`
    for a reading with a conflict that the model saw and no rule watches, `{"topic", "facts":
    [...]}` for notes, `{"proposal", "comment", "lines": [{"path", "side", "line", "quote",
    "text"}]}` for a comment.
    """

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    fact_seq = models.PositiveIntegerField(help_text="The fact that asks for it.")
    cause = models.CharField(max_length=10, choices=NeedCause.choices)
    needs = models.CharField(max_length=4, help_text="`kind` or `rule`.")
    about = models.JSONField(default=dict)
    status = models.CharField(max_length=8, choices=NeedStatus.choices, default=NeedStatus.OPEN)
    proposal = models.ForeignKey(
        Proposal, null=True, on_delete=models.PROTECT, related_name="needs"
    )
    reason = models.TextField(blank=True, help_text="Why no proposal answers it.")
    noted_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    objects = NeedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "fact_seq", "cause"],
                condition=Q(status__in=("open", "proposed")),
                name="need_once_of_a_cause",
            ),
            models.CheckConstraint(
                condition=Q(status__in=NeedStatus.values), name="need_status_known"
            ),
            models.CheckConstraint(condition=Q(needs__in=("kind", "rule")), name="need_known"),
        ]
        indexes = [models.Index(fields=["user", "status", "id"], name="need_of_user")]

    def __str__(self) -> str:
        return f"fact {self.fact_seq} needs a {self.needs} ({self.status})"
