"""The person remembered."""

from __future__ import annotations

import uuid
import zoneinfo
from datetime import date, datetime

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from memory.models.app import App

GENESIS = "0" * 64


def validate_zone(name: str) -> None:
    """Refuse what is not an IANA time zone."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            f"{name!r} is not an IANA time zone; give one such as Europe/Berlin.", code="zone"
        )


class PresentManager(models.Manager["MemoryUser"]):
    """The people there are: who was erased is as unknown as who never was."""

    def get_queryset(self) -> models.QuerySet[MemoryUser]:
        return super().get_queryset().filter(erased_at=None)


class MemoryUser(models.Model):
    """A person, the heads of their three chains, and their code; its row is the person's lock.

    The row of somebody erased stays, without a name, so that the chains can still be verified.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    external_id = models.CharField(max_length=200, db_index=True)
    display_name = models.CharField(max_length=200, blank=True)
    timezone = models.CharField(max_length=64, default="UTC", validators=[validate_zone])
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(App, null=True, on_delete=models.PROTECT, editable=False)

    message_seq = models.PositiveIntegerField(default=0, editable=False)
    message_head = models.CharField(max_length=64, default=GENESIS, editable=False)
    fact_seq = models.PositiveIntegerField(default=0, editable=False)
    fact_head = models.CharField(max_length=64, default=GENESIS, editable=False)
    reading_seq = models.PositiveIntegerField(default=0, editable=False)
    reading_head = models.CharField(max_length=64, default=GENESIS, editable=False)

    tree = models.CharField(max_length=64, blank=True, default="", editable=False)
    """Digest of the project that is active for the person; empty: the adopted baseline."""
    baseline = models.CharField(max_length=64, blank=True, default="", editable=False)
    """Digest of the baseline that the tree was built on; the same where there is no overlay."""
    foresees_since = models.DateTimeField(null=True, editable=False)
    """Since when the rules of an open proposal are run beside the approved ones; null: none are."""
    erased_at = models.DateTimeField(null=True, editable=False)

    objects = PresentManager()
    everybody: models.Manager[MemoryUser] = models.Manager()
    """Those erased too: for verification alone."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(tree="", baseline="") | ~(Q(tree="") | Q(baseline="")),
                name="memory_user_tree_on_baseline",
            ),
            models.UniqueConstraint(
                fields=["created_by", "external_id"], name="memory_user_of_app"
            ),
            models.UniqueConstraint(
                fields=["external_id"],
                condition=Q(created_by=None),
                name="memory_user_of_no_app",
            ),
        ]
        indexes = [models.Index(fields=["baseline"], name="memory_user_baseline")]

    def __str__(self) -> str:
        return self.display_name or self.external_id

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The person's time zone."""
        return zoneinfo.ZoneInfo(self.timezone)

    def local_date(self, now: datetime) -> date:
        """The date it is for the person at an aware `now`."""
        return now.astimezone(self.zone).date()
