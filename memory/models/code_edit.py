"""Code that a member of staff writes by hand, until it is a proposal."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from memory.models.memory_user import MemoryUser
from memory.models.proposal import Proposal


class EditStatus(models.TextChoices):
    """Where an edit stands; one that did not pass its checks is a draft again."""

    DRAFT = "draft"
    CHECKING = "checking"
    PROPOSED = "proposed"
    DISCARDED = "discarded"


class CodeEdit(models.Model):
    """Files as somebody wants them, over the tree they began from; all that was typed is kept.

    `base` is the digest of that tree, `parent` that of the person's own then. `files` has only what
    differs from `base`: the text by path, null for a file that is taken away. `revision` counts the
    times it was saved, so that two pages do not write over each other.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=9, choices=EditStatus.choices, default=EditStatus.DRAFT)
    base = models.CharField(max_length=64)
    parent = models.CharField(max_length=64)
    follows = models.ForeignKey(Proposal, null=True, on_delete=models.PROTECT, related_name="edits")
    hands = models.JSONField(
        default=list,
        help_text="The ids of staff who wrote of the proposals that it went on from before.",
    )
    files = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=0)
    summary = models.TextField(blank=True, help_text="What changes and why, by its author.")
    drops_readings = models.BooleanField(
        default=False, help_text="Whether readings that fit the new code no more are left out."
    )
    checks = models.JSONField(default=list, help_text="As of a proposal, of the last attempt.")
    proposal = models.ForeignKey(Proposal, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "author"],
                condition=Q(status__in=("draft", "checking")),
                name="code_edit_one_of_an_author",
            ),
            models.CheckConstraint(
                condition=Q(status__in=EditStatus.values), name="code_edit_status_known"
            ),
        ]

    def __str__(self) -> str:
        return f"edit {self.pk} ({self.status})"
