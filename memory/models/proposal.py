"""Code that waits for a person's decision, and the readings that wait for code."""

from __future__ import annotations

import uuid
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q

from memory.models.code import Tree
from memory.models.memory_user import MemoryUser
from memory.project.danger import NONE


class ProposalStatus(models.TextChoices):
    """Where a proposal stands; only an open one can be decided."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    FAILED = "failed"
    CHANGES = "changes", "changes requested"


class ProposalOrigin(models.TextChoices):
    """Who wrote the code of a proposal."""

    INFERRED = "inferred", "inferred from payloads"
    MODEL = "model", "a language model"
    UPGRADE = "upgrade", "a new baseline"
    PERSON = "person", "a member of staff, by hand"


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def open(self) -> ProposalQuerySet:
        """Proposals that somebody may approve or reject."""
        return self.filter(status=ProposalStatus.OPEN)

    def brief(self, *, with_checks: bool = False) -> ProposalQuerySet:
        """Without what grows with the facts; for lists and links."""
        grow = ("placements", "readings", "renames", "replay", "provisional", "facts", "attempts")
        return self.defer(*grow, *(() if with_checks else ("checks",)))


class Proposal(models.Model):
    """A project for one person, checked by machine, to be approved or rejected as it is.

    It was built on the tree `parent`, and is approved while that is the person's tree, or rebuilt.
    A failed one did not pass its checks.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="proposals")
    status = models.CharField(
        max_length=10, choices=ProposalStatus.choices, default=ProposalStatus.OPEN
    )
    parent = models.CharField(max_length=64, help_text="The person's tree that it changes.")
    tree = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="+")
    baseline = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="+")
    summary = models.TextField(help_text="What changes, in plain words.")
    reason = models.TextField(blank=True, help_text="Why: what asked for the change.")
    checks = models.JSONField(
        default=list, help_text='[{"name", "ok", "detail", "seconds"}], in the order they ran.'
    )
    placements = models.JSONField(
        default=list, help_text='[{"reading", "kind", "id", "data"}]: what it would place now.'
    )
    renames = models.JSONField(
        default=dict, help_text="For each kind, the JSON names whose fields are called otherwise."
    )
    readings = models.JSONField(default=list, help_text="The seq of each reading it was made from.")
    origin = models.CharField(
        max_length=8, choices=ProposalOrigin.choices, default=ProposalOrigin.INFERRED
    )
    facts = models.JSONField(
        default=list, help_text="The seq of each fact that asked for it, with readings or without."
    )
    provisional = models.JSONField(
        default=list, help_text="What its rules would raise now, as `memory.evaluator.Would`."
    )
    replay = models.JSONField(
        default=list,
        help_text='[{"seq", "on", "opened", "cleared"}]: what its rules would have done, and when.',
    )
    model = models.CharField(max_length=100, blank=True, help_text="Which model wrote it.")
    cost = models.DecimalField(max_digits=14, decimal_places=6, default=Decimal(0))
    tokens = models.PositiveIntegerField(default=0, help_text="Read and written by the model.")
    attempts = models.JSONField(
        default=list, help_text='[{"problem", "tree"}]: answers that were sent back, in order.'
    )
    follows = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="attempts_after"
    )
    comment = models.TextField(blank=True, help_text="What the reviewer of the one before asked.")
    outline = models.JSONField(
        default=dict,
        help_text='What a list shows: {"domains", "kinds", "rules"} as `memory.project.outline` '
        'has them, {"gained", "lost"}: alerts by severity.',
    )
    danger = models.PositiveSmallIntegerField(
        default=NONE, help_text="Rank of the gravest alert that its rules would raise now."
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    hands = models.JSONField(
        default=list,
        help_text="The ids of all staff who wrote any of it by hand: none of them approves it.",
    )
    created_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    decision_reason = models.TextField(blank=True)

    objects = ProposalQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(status="open"), name="proposal_one_open_per_user"
            ),
            models.CheckConstraint(
                condition=Q(status__in=ProposalStatus.values), name="proposal_status_known"
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-created_at"], name="proposal_of_user"),
            models.Index(fields=["status", "-created_at"], name="proposal_status"),
            models.Index(
                fields=["danger", "-created_at"],
                condition=Q(status="open"),
                name="proposal_queue",
            ),
        ]

    def __str__(self) -> str:
        return f"proposal {self.pk} ({self.status})"

    @property
    def digest(self) -> str:
        """What an approval is bound to: the digest of the tree that the reviewer saw."""
        return self.tree_id


class Waiting(models.Model):
    """A reading that has no place in the person's records yet: its kind is not known, or not so.

    The row goes when the reading is placed or taken back; which readings wait can be told from the
    log alone.
    """

    pk = models.CompositePrimaryKey("user_id", "reading_seq")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    reading_seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=200)
    reason = models.TextField(help_text="Why it waits, in words for a person.")

    def __str__(self) -> str:
        return f"reading {self.reading_seq} ({self.kind})"
