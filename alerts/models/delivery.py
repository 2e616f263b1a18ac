"""What is to be told to whom, and what came of it: the outbox."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from alerts.models.event import AlertEvent
from alerts.models.webhook import Webhook
from memory.models import MemoryUser


class Channel(models.TextChoices):
    """By what somebody is told."""

    WEBHOOK = "webhook"
    EMAIL = "email", "e-mail"
    BROWSER = "browser", "open page"


class DeliveryStatus(models.TextChoices):
    """Waiting is tried again; failed was tried often enough; dropped is not for them any more."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    DROPPED = "dropped"


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self, now: datetime) -> DeliveryQuerySet:
        """What may be tried now, the longest due first."""
        return self.filter(status=DeliveryStatus.WAITING, next_at__lte=now).order_by("next_at")

    def one_of_each_webhook(self) -> DeliveryQuerySet:
        """Of each webhook that which comes first."""
        place = Window(RowNumber(), partition_by="webhook", order_by=["next_at", "created_at"])
        return self.annotate(place=place).filter(place=1)

    def older_than(self, one: Delivery) -> DeliveryQuerySet:
        """Those made before one."""
        same = Q(created_at=one.created_at, pk__lt=one.pk)
        return self.filter(Q(created_at__lt=one.created_at) | same)


class Delivery(models.Model):
    """One event for one address or member of staff; without an event it is a test.

    `body` is what a webhook is sent, word for word. While an attempt runs, `next_at` lies ahead: a
    worker that is lost leaves it to be tried then. `log` has an entry for each attempt:
    `{"at", "ms", "status", "error"}`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(AlertEvent, null=True, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(MemoryUser, null=True, on_delete=models.PROTECT, related_name="+")
    channel = models.CharField(max_length=7, choices=Channel.choices)
    webhook = models.ForeignKey(
        Webhook, null=True, on_delete=models.PROTECT, related_name="deliveries"
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    body = models.TextField(blank=True)
    status = models.CharField(
        max_length=9, choices=DeliveryStatus.choices, default=DeliveryStatus.WAITING
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    next_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=40, blank=True, help_text="What went wrong last, a code.")
    log = models.JSONField(default=list)
    replay_of = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="replays"
    )

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "webhook"],
                condition=Q(replay_of=None, event__isnull=False, webhook__isnull=False),
                name="delivery_once_to_a_webhook",
            ),
            models.UniqueConstraint(
                fields=["event", "staff", "channel"],
                condition=Q(replay_of=None, event__isnull=False, staff__isnull=False),
                name="delivery_once_to_somebody",
            ),
            models.CheckConstraint(
                condition=Q(channel=Channel.WEBHOOK, webhook__isnull=False, staff=None)
                | Q(channel__in=("email", "browser"), staff__isnull=False, webhook=None),
                name="delivery_to_one_address",
            ),
            models.CheckConstraint(
                condition=Q(status__in=DeliveryStatus.values), name="delivery_status_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(status=DeliveryStatus.WAITING), name="delivery_due"
            ),
            models.Index(fields=["webhook", "-created_at"], name="delivery_of_webhook"),
            models.Index(F("created_at").desc(), F("id").desc(), name="delivery_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.pk} ({self.status})"

    @property
    def error_words(self) -> str:
        """What went wrong last, in words."""
        return self.error.replace("_", " ")


class DeliveryCursor(models.Model):
    """How far the events have been made deliveries: one row."""

    event_id = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"through event {self.event_id}"
