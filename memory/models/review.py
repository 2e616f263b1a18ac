"""What reviewers leave with a proposal: approvals, comments on its lines, and what was settled.

None of it is ever updated; triggers refuse it.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from memory.models.memory_user import MemoryUser
from memory.models.proposal import Proposal

BY = settings.AUTH_USER_MODEL


class Approval(models.Model):
    """One reviewer's yes to a proposal as they saw it; some proposals take two.

    `ticked` are the doubts that were looked at: `{"key", "concern", "path", "line", "gone",
    "words"}`.
    """

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="approvals")
    digest = models.CharField(max_length=64, help_text="Of the tree that was approved.")
    by = models.ForeignKey(BY, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    ticked = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["proposal", "by"], name="approval_once_of_a_reviewer")
        ]

    def __str__(self) -> str:
        return f"approval {self.pk} of {self.digest[:12]}"


class Side(models.TextChoices):
    """Which text of a diff a line is of."""

    OLD = "old", "before"
    NEW = "new", "now"


class LineComment(models.Model):
    """What a reviewer said of one line of a proposal's diff; `line` counts from 1."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="line_comments")
    digest = models.CharField(max_length=64, help_text="Of the proposed tree.")
    path = models.CharField(max_length=300)
    side = models.CharField(max_length=3, choices=Side.choices)
    line = models.PositiveIntegerField()
    text = models.TextField()
    by = models.ForeignKey(BY, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(side__in=Side.values), name="line_comment_side_known"
            )
        ]

    def __str__(self) -> str:
        return f"comment {self.pk} on {self.path}:{self.line}"


class CommentResolution(models.Model):
    """That somebody holds a comment for settled; it is not sent along any more."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+")
    comment = models.OneToOneField(LineComment, on_delete=models.PROTECT, related_name="resolution")
    by = models.ForeignKey(BY, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"resolution of comment {self.comment_id}"
