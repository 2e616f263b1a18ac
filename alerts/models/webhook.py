"""Addresses that are told of alert events."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q

from alerts.models.alert import Severity
from memory.models import AppKey, MemoryUser, Team

OVERLAP = timedelta(days=2)
"""How long the secret before a rotation goes on signing beside the new one."""


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def active(self) -> WebhookQuerySet:
        """Those that nobody has ended."""
        return self.filter(ended_at=None)


class Webhook(models.Model):
    """An address of an app, told what its key may see, or of a team, told of its people.

    Its secret is not stored: it is computed from its id, `secret_number` and the site's key
    (`alerts.delivery.signing`). One that is `narrowed` is told of its `people` alone, were none
    of them left after an erasure; any other is told of everybody in reach.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.ForeignKey(AppKey, null=True, on_delete=models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="+")
    url = models.CharField(max_length=500)
    kinds = models.JSONField(help_text="The kinds of events it is told of.")
    least = models.CharField(
        max_length=10, choices=Severity.choices, help_text="It is told of this and what is graver."
    )
    narrowed = models.BooleanField(default=False, db_default=False)
    people = models.ManyToManyField(MemoryUser, blank=True, related_name="+")
    tells_summary = models.BooleanField(
        default=False, help_text="The body says what the alert says; else ids and severity alone."
    )
    since_event = models.BigIntegerField(help_text="It is told of events after this one.")
    secret_number = models.PositiveSmallIntegerField(default=1)
    rotated_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    ended_why = models.CharField(max_length=40, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(key__isnull=False, team=None) | Q(key=None, team__isnull=False),
                name="webhook_of_a_key_or_a_team",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    def secret_numbers(self, now: datetime) -> list[int]:
        """The secrets that sign at a moment, the newest first."""
        both = self.rotated_at is not None and now < self.rotated_at + OVERLAP
        return [self.secret_number, self.secret_number - 1] if both else [self.secret_number]
