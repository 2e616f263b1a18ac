"""Chat apps and the keys they authenticate with."""

from __future__ import annotations

import hashlib
import secrets
import uuid

from django.db import models


class App(models.Model):
    """A program that posts facts and asks questions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class AppKeyQuerySet(models.QuerySet["AppKey"]):
    def active(self) -> AppKeyQuerySet:
        """Keys that still open the door."""
        return self.filter(revoked_at=None)

    def for_secret(self, secret: str) -> AppKeyQuerySet:
        """The active key with this secret, if there is one."""
        return self.active().filter(digest=AppKey.digest_of(secret)).select_related("app")


class AppKey(models.Model):
    """One secret of an app; only its SHA-256 is kept (the secret has 256 random bits)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    app = models.ForeignKey(App, on_delete=models.PROTECT, related_name="keys")
    prefix = models.CharField(max_length=12, help_text="The first characters, to tell keys apart.")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = AppKeyQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.prefix}…"

    @staticmethod
    def new_secret() -> str:
        """A secret with 256 random bits and a prefix that secret scanners can find."""
        return f"uac_{secrets.token_urlsafe(32)}"

    @staticmethod
    def digest_of(secret: str) -> str:
        """The SHA-256 of a secret, in hex."""
        return hashlib.sha256(secret.encode()).hexdigest()
