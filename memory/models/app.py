"""Chat apps and the keys they authenticate with."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import datetime

from django.db import models
from django.db.models import Q

from memory.rights import Right


class App(models.Model):
    """A program that posts facts and asks questions; its people are placed with its team."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)
    created_at = models.DateTimeField()
    team = models.ForeignKey(
        "memory.Team",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The team that cares for people whom the app introduces from now on; without "
        "one nobody sees their alerts until an admin places them.",
    )

    def __str__(self) -> str:
        return self.name


class Reach(models.TextChoices):
    """Which people a key may touch."""

    ALL = "all", "all people"
    LISTED = "listed", "the people listed"
    OWN = "own", "the people its app has created"


class AppKeyQuerySet(models.QuerySet["AppKey"]):
    def active(self, now: datetime) -> AppKeyQuerySet:
        """Keys that open the door at a moment."""
        return self.filter(revoked_at=None, expires_at__gt=now)

    def for_secret(self, secret: str, now: datetime) -> AppKeyQuerySet:
        """The active key with this secret, if there is one."""
        return self.active(now).filter(digest=AppKey.digest_of(secret)).select_related("app")


class AppKey(models.Model):
    """One secret of an app; only its SHA-256 is kept (the secret has 256 random bits)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    app = models.ForeignKey(App, on_delete=models.PROTECT, related_name="keys")
    prefix = models.CharField(max_length=12, help_text="The first characters, to tell keys apart.")
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(help_text="What it may do: a list of `memory.rights.SCOPES`.")
    reach = models.CharField(max_length=6, choices=Reach.choices)
    people = models.ManyToManyField(
        "memory.MemoryUser", blank=True, related_name="+", help_text="With a reach of listed."
    )
    requests_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="Empty: as UAC_REQUESTS_PER_MINUTE has it."
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )

    objects = AppKeyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(reach__in=Reach.values), name="key_reach_known"),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}…"

    def may(self, right: Right) -> bool:
        """Whether a right is among its scopes."""
        return right.value in self.scopes

    def state_at(self, now: datetime) -> str:
        """`active`, `expired` or `revoked`."""
        if self.revoked_at is not None:
            return "revoked"
        return "active" if self.expires_at > now else "expired"

    @staticmethod
    def new_secret() -> str:
        """A secret with 256 random bits and a prefix that secret scanners can find."""
        return f"uac_{secrets.token_urlsafe(32)}"

    @staticmethod
    def digest_of(secret: str) -> str:
        """The SHA-256 of a secret, in hex."""
        return hashlib.sha256(secret.encode()).hexdigest()
