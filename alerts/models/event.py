"""What happened to alerts: a history that only grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import connection, models
from django.db.models import F

from alerts.models.alert import ORDINARY, Alert, Severity
from memory.models import App, MemoryUser
from memory.round_trip import one_round_trip
from memory.rows import insert_rows


class EventKind(models.TextChoices):
    OPENED = "opened"
    RECURRED = "recurred", "recurred: its cause came back before anybody had acknowledged it"
    CHANGED = "changed"
    REOPENED = "reopened", "reopened: it asks for attention again"
    ACKNOWLEDGED = "acknowledged"
    SHELVED = "shelved"
    OVERRIDDEN = "overridden"
    ESCALATED = "escalated", "escalated: nobody had acknowledged it, and a team was told again"
    EXPIRED = "expired", "expired: what was acknowledged or shelved until then opens again"
    RESOLVED = "resolved", "resolved: somebody has seen that its cause is gone"
    SUPERSEDED = "superseded", "superseded: newer code says it otherwise, or not at all"
    DISMISSED = "dismissed", "dismissed: a concern that a person judges not to apply"
    SENT = "sent", "sent: a person asked for a rule about a concern"
    CLEARED = "cleared"


class OverrideReason(models.TextChoices):
    """Why a clinician judges that an alert does not apply."""

    TOLERATED = "tolerated", "Tolerated before"
    BENEFIT = "benefit", "Benefit outweighs risk"
    NOT_RELEVANT = "not_relevant", "Not clinically relevant"
    WRONG_FACT = "wrong_fact", "Wrong fact"
    DUPLICATE = "duplicate", "Duplicate"
    OTHER = "other", "Other"


EVENT_COLUMNS = (
    "alert_id",
    "user_id",
    "kind",
    "at",
    "actor_id",
    "app_id",
    "reason",
    "comment",
    "until",
    "severity",
    "after_seq",
    "fact_seq",
    "said_by_id",
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

    def ordinary(self) -> AlertEventQuerySet:
        """Events of alerts, without those of early words."""
        return self.filter(alert__origin__in=ORDINARY)

    def caused_by(self, user_id: Any, first_seq: int, last_seq: int) -> AlertEventQuerySet:
        """Events of evaluations that covered any of a person's facts `first_seq..last_seq`.

        What people do, and what happens to early words, covers no fact.
        """
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
    app = models.ForeignKey(App, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=20, choices=OverrideReason.choices, blank=True)
    comment = models.TextField(blank=True)
    until = models.DateTimeField(null=True, help_text="When what was done ends by itself.")
    severity = models.CharField(max_length=10, choices=Severity.choices)
    after_seq = models.PositiveIntegerField(help_text="Evaluated through this fact before.")
    fact_seq = models.PositiveIntegerField(help_text="Evaluated through this fact now.")
    said_by = models.ForeignKey(
        Alert,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The alert that says what this one said, where it gave way to that.",
    )

    objects = AlertEventQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["user", "fact_seq"], name="event_user_seq"),
            models.Index(fields=["kind", "at"], name="event_kind_at"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
