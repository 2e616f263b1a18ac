"""Alerts, and the early words that are no alerts yet."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from memory.models import MemoryUser, Proposal


class Severity(models.TextChoices):
    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


class Status(models.TextChoices):
    """Where an alert stands; the events tell how it got there."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    OVERRIDDEN = "overridden"
    RESOLVED = "resolved"


ACTIVE = (Status.OPEN, Status.ACKNOWLEDGED, Status.OVERRIDDEN)


class Origin(models.TextChoices):
    """What an alert tells of: the person, or a rule that could not be run.

    The last two are early words: what the rules of a proposal would say, and what the model noticed
    while it read. They are marked as that wherever they are shown, and never counted as alerts.
    """

    FINDING = "finding"
    FAILURE = "failure"
    PROVISIONAL = "provisional", "rule not yet approved"
    CONCERN = "concern", "noticed by the model, no rule yet"


ORDINARY = (Origin.FINDING, Origin.FAILURE)
EARLY = (Origin.PROVISIONAL, Origin.CONCERN)


class AlertQuerySet(models.QuerySet["Alert"]):
    def early(self) -> AlertQuerySet:
        """Early words alone."""
        return self.filter(origin__in=EARLY)

    def concerns(self) -> AlertQuerySet:
        """What the model noticed."""
        return self.filter(origin=Origin.CONCERN)

    def provisional(self) -> AlertQuerySet:
        """What rules that are not approved yet would say."""
        return self.filter(origin=Origin.PROVISIONAL)

    def standing(self) -> AlertQuerySet:
        """Alerts a person should see: open or acknowledged."""
        return self.filter(status__in=(Status.OPEN, Status.ACKNOWLEDGED))

    def active(self) -> AlertQuerySet:
        """Alerts whose cause still holds, overridden ones too."""
        return self.filter(status__in=ACTIVE)

    def worst_first(self) -> AlertQuerySet:
        """Critical before warning before information, the newest first within each."""
        rank = models.Case(
            models.When(severity=Severity.CRITICAL, then=0),
            models.When(severity=Severity.WARNING, then=1),
            default=2,
            output_field=models.SmallIntegerField(),
        )
        return self.order_by(rank, "-opened_at", "-pk")


_Manager = models.Manager.from_queryset(AlertQuerySet)


class OrdinaryManager(_Manager["Alert"]):
    """Alerts as everybody lists and counts them; early words are no alerts."""

    def get_queryset(self) -> AlertQuerySet:
        """Without early words."""
        return AlertQuerySet(self.model, using=self._db).filter(origin__in=ORDINARY)


class Alert(models.Model):
    """A rule's finding, with severity, evidence and a life of its own; or an early word.

    `evidence` lists `{"kind", "id", "data", "facts"}`: each record as it was when the alert last
    changed, and the seq of the facts it rests on; their words stay in the log. A concern that was
    dismissed is overridden, and one that a rule was asked for is acknowledged.
    """

    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="alerts")
    rule = models.CharField(max_length=200)
    origin = models.CharField(max_length=11, choices=Origin.choices, default=Origin.FINDING)
    dedupe_key = models.CharField(max_length=64)
    severity = models.CharField(max_length=10, choices=Severity.choices)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.OPEN)
    summary = models.CharField(max_length=140)
    detail = models.TextField(blank=True)
    grade = models.CharField(max_length=40, blank=True)
    action = models.TextField(blank=True)
    basis = models.JSONField(default=list, help_text="Ids of the reference-table rows used.")
    unknown = models.JSONField(default=list, help_text="What is not known, in words.")
    evidence = models.JSONField(default=list)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 over what it shows.")
    version = models.CharField(max_length=64, help_text="Digest of the project that found it.")
    tables = models.CharField(max_length=64, help_text="Digest of the reference tables.")
    fact_seq = models.PositiveIntegerField(help_text="The last fact seen when it last changed.")
    proposal = models.ForeignKey(
        Proposal,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Whose rule says it, where that is not approved yet.",
    )
    quote = models.TextField(
        blank=True, default="", db_default="", help_text="The words that a concern rests on."
    )
    message_seq = models.PositiveIntegerField(null=True, help_text="The message that they are in.")
    facts = models.JSONField(
        null=True, help_text="The seq of each fact that a concern's message was read as."
    )
    opened_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    objects = OrdinaryManager()
    every = AlertQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "dedupe_key"],
                condition=Q(status__in=ACTIVE),
                name="alert_one_active",
            ),
            models.CheckConstraint(
                condition=Q(severity__in=Severity.values), name="alert_severity_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=Status.values), name="alert_status_known"
            ),
        ]
        indexes = [models.Index(fields=["status", "-opened_at"], name="alert_standing")]

    def __str__(self) -> str:
        return f"alert {self.pk} ({self.severity}, {self.status})"
