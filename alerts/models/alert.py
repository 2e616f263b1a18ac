"""Alerts, and the early words that are no alerts yet."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from memory.models import MemoryUser, Proposal


class Severity(models.TextChoices):
    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


class Status(models.TextChoices):
    """Where an alert stands; the events tell how it got there, `alerts.lifecycle` how it may."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    SHELVED = "shelved"
    OVERRIDDEN = "overridden"
    CLEARED = "cleared", "cleared, not acknowledged"
    RESOLVED = "resolved"
    SUPERSEDED = "superseded"


ACTIVE = (Status.OPEN, Status.ACKNOWLEDGED, Status.SHELVED, Status.OVERRIDDEN)
"""The cause holds."""
CURRENT = (*ACTIVE, Status.CLEARED)
"""Not over yet: one for each dedupe key."""
STANDING = (Status.OPEN, Status.ACKNOWLEDGED, Status.SHELVED)
PAST = (Status.RESOLVED, Status.SUPERSEDED)


class Origin(models.TextChoices):
    """What an alert tells of: the person, a rule that could not be run, or an alert that waits.

    Two are early words: what the rules of a proposal would say, and what the model noticed
    while it read. They are marked as that wherever they are shown, and never counted as alerts.
    """

    FINDING = "finding"
    FAILURE = "failure"
    PROVISIONAL = "provisional", "rule not yet approved"
    CONCERN = "concern", "noticed by the model, no rule yet"
    UNANSWERED = "unanswered", "nobody has acknowledged an alert"


RULED = (Origin.FINDING, Origin.FAILURE)
"""What evaluations open and clear."""
ORDINARY = (*RULED, Origin.UNANSWERED)
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
        """Alerts whose cause holds and that nobody has judged not to apply."""
        return self.filter(status__in=STANDING)

    def current(self) -> AlertQuerySet:
        """Alerts that are not over yet: the active ones, and those cleared unacknowledged."""
        return self.filter(status__in=CURRENT)

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

    `owner` is who acknowledged or shelved it, and `until` when that ends by itself. `recurrences`
    counts how often its cause came back, `opened_at` is when it did so last, and `status_at` when
    it came to stand as it does: an open alert has waited for somebody since then.
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
    due = models.DateField(null=True, help_text="The last day to act, where there is one.")
    basis = models.JSONField(default=list, help_text="Ids of the reference-table rows used.")
    unknown = models.JSONField(default=list, help_text="What is not known, in words.")
    evidence = models.JSONField(default=list)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 over what it shows.")
    version = models.CharField(max_length=64, help_text="Digest of the project that found it.")
    tables = models.CharField(max_length=64, help_text="Digest of the reference tables.")
    fact_seq = models.PositiveIntegerField(help_text="The last fact seen when it last changed.")
    reading_seq = models.PositiveIntegerField(null=True, help_text="The last reading seen then.")
    found_on = models.DateField(null=True, help_text="The person's date then.")
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
    about = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The alert that nobody has acknowledged.",
    )
    opened_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    status_at = models.DateTimeField()
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    until = models.DateTimeField(null=True, help_text="When it opens again by itself.")
    recurrences = models.PositiveIntegerField(default=0, db_default=0)
    first_opened_at = models.DateTimeField()

    objects = OrdinaryManager()
    every = AlertQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "dedupe_key"],
                condition=Q(status__in=CURRENT),
                name="alert_one_active",
            ),
            models.CheckConstraint(
                condition=Q(severity__in=Severity.values), name="alert_severity_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=Status.values), name="alert_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.SHELVED) | Q(until__isnull=False),
                name="alert_shelved_until",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "-opened_at"], name="alert_standing"),
            models.Index(
                fields=["user", "dedupe_key"], condition=Q(status__in=PAST), name="alert_past"
            ),
            models.Index(fields=["until"], condition=Q(until__isnull=False), name="alert_until"),
        ]

    def __str__(self) -> str:
        return f"alert {self.pk} ({self.severity}, {self.status})"
