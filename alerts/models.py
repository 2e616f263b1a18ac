"""Alerts, the events of their lives, and how far each person has been evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.db import connection, models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce, NullIf

from memory.models import MemoryUser, Proposal
from memory.round_trip import one_round_trip
from memory.rows import insert_rows


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


class EventKind(models.TextChoices):
    OPENED = "opened"
    CHANGED = "changed"
    ACKNOWLEDGED = "acknowledged"
    OVERRIDDEN = "overridden"
    CLEARED = "cleared"


class OverrideReason(models.TextChoices):
    """Why a clinician judges that an alert does not apply."""

    TOLERATED = "tolerated", "Tolerated before"
    BENEFIT = "benefit", "Benefit outweighs risk"
    NOT_RELEVANT = "not_relevant", "Not clinically relevant"
    WRONG_FACT = "wrong_fact", "Wrong fact"
    DUPLICATE = "duplicate", "Duplicate"
    OTHER = "other", "Other"


class Origin(models.TextChoices):
    """What an alert tells of: the person, or a rule that could not be run.

    The last two are early words: what the rules of a proposal would say, and what the model noticed
    while it read. They are marked as that wherever they are shown, and never counted as alerts.
    """

    FINDING = "finding"
    FAILURE = "failure"
    PROVISIONAL = "provisional", "rule not yet approved"
    CONCERN = "concern", "noticed by the model, no rule yet"


EARLY = (Origin.PROVISIONAL, Origin.CONCERN)


class AlertQuerySet(models.QuerySet["Alert"]):
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


class Alert(models.Model):
    """A rule's finding, with severity, evidence and a life of its own.

    `evidence` lists `{"kind", "id", "data", "facts"}`: each record as it was when the alert last
    changed, and the seq of the facts it rests on; their words stay in the log.
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
    opened_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    objects = AlertQuerySet.as_manager()

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


EVENT_COLUMNS = (
    "alert_id",
    "user_id",
    "kind",
    "at",
    "actor_id",
    "reason",
    "comment",
    "severity",
    "after_seq",
    "fact_seq",
)
EVENT_LOCK = 7_016_702_716  # any number that is ours alone: the advisory lock of the event order


def lock_event_order() -> None:
    """Let the ids of events commit in order: PostgreSQL would not without; SQLite has one writer.

    A reader who saw id n may then ask for what came after n and miss nothing. It is held until the
    transaction ends.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [EVENT_LOCK])


class AlertEventQuerySet(models.QuerySet["AlertEvent"]):
    def after(self, event_id: int) -> AlertEventQuerySet:
        """Events that came after the given one, in order."""
        return self.filter(pk__gt=event_id).order_by("pk")

    def caused_by(self, user_id: Any, first_seq: int, last_seq: int) -> AlertEventQuerySet:
        """Events of evaluations that covered any of a person's facts `first_seq..last_seq`."""
        covering = self.filter(
            user_id=user_id,
            after_seq__lt=last_seq,
            fact_seq__gte=first_seq,
            fact_seq__gt=F("after_seq"),
        )
        return covering.order_by("pk")

    def append(self, events: Sequence[AlertEvent]) -> None:
        """Insert events, whose ids commit in order; the last thing a transaction does."""
        if not events:
            return
        with one_round_trip():
            lock_event_order()
            ids = insert_rows(
                self.model,
                shared={},
                columns=EVENT_COLUMNS,
                rows=[[getattr(event, name) for name in EVENT_COLUMNS] for event in events],
            )
        for event, event_id in zip(events, ids(), strict=True):
            event.pk = event_id


class AlertEvent(models.Model):
    """One thing that happened to an alert; never updated or deleted."""

    alert = models.ForeignKey(Alert, on_delete=models.PROTECT, related_name="events")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=12, choices=EventKind.choices)
    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(max_length=20, choices=OverrideReason.choices, blank=True)
    comment = models.TextField(blank=True)
    severity = models.CharField(max_length=10, choices=Severity.choices)
    after_seq = models.PositiveIntegerField(help_text="Evaluated through this fact before.")
    fact_seq = models.PositiveIntegerField(help_text="Evaluated through this fact now.")

    objects = AlertEventQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["user", "fact_seq"], name="event_user_seq")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class WatermarkQuerySet(models.QuerySet["Watermark"]):
    def behind(self, *, adopted: str, ground: str) -> WatermarkQuerySet:
        """People with something the rules have not seen, whatever the date.

        `adopted` is the digest of the baseline in force, the code of those who have no other.
        """
        theirs = Coalesce(NullIf("user__tree", Value("")), Value(adopted))
        return self.annotate(theirs=theirs).filter(
            ~Q(version=F("theirs"))
            | ~Q(ground=ground)
            | Q(fact_seq__lt=F("user__fact_seq"))
            | Q(reading_seq__lt=F("user__reading_seq"))
        )

    def before(self, local_date: date, zone: str) -> WatermarkQuerySet:
        """People of a time zone who were last evaluated on another date."""
        return self.filter(user__timezone=zone).exclude(local_date=local_date)


class Watermark(models.Model):
    """How far the rules have seen a person: what, with which code and tables, on which date."""

    user = models.OneToOneField(
        MemoryUser, on_delete=models.PROTECT, primary_key=True, related_name="watermark"
    )
    fact_seq = models.PositiveIntegerField(default=0)
    reading_seq = models.PositiveIntegerField(default=0)
    version = models.CharField(max_length=64, blank=True, help_text="Digest of the project.")
    ground = models.CharField(
        max_length=64, blank=True, help_text="Digest of the library and the reference tables."
    )
    local_date = models.DateField(null=True)
    evaluated_at: models.DateTimeField[datetime, datetime] = models.DateTimeField()

    objects = WatermarkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"through fact {self.fact_seq}"
