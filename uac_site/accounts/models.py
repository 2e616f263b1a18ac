"""What is kept of logging in: sessions, failed attempts, recovery codes."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User as Staff
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.crypto import salted_hmac


class StaffSessionQuerySet(models.QuerySet["StaffSession"]):
    def open(self, now: datetime) -> StaffSessionQuerySet:
        """Sessions of people who are logged in."""
        return self.filter(expire_date__gt=now, staff__isnull=False)

    def of(self, staff: Staff) -> StaffSessionQuerySet:
        """The sessions of one member of staff."""
        return self.filter(staff=staff)


class StaffSession(AbstractBaseSession):
    """A session as `accounts.sessions` keeps it; deleting the row ends it."""

    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    address = models.CharField(max_length=64, blank=True)
    browser = models.CharField(max_length=200, blank=True)

    rows = StaffSessionQuerySet.as_manager()

    @classmethod
    def get_session_store_class(cls) -> type:
        from uac_site.accounts.sessions import SessionStore  # it needs this model

        return SessionStore


class Throttle(models.Model):
    """How often something failed lately, and until when it is refused.

    `key` is a keyed digest of what, name and address: names that were typed, which may be
    passwords by mistake, are not kept.
    """

    key = models.CharField(max_length=64, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(db_index=True)
    held_until = models.DateTimeField(null=True)
    passed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.key[:8]}…: {self.failures}"


class RecoveryCodeQuerySet(models.QuerySet["RecoveryCode"]):
    def unused(self, staff: Staff) -> RecoveryCodeQuerySet:
        """What is left of somebody's codes."""
        return self.filter(staff=staff, used_at=None)


class RecoveryCode(models.Model):
    """One way in without the phone, good once; only a digest keyed with SECRET_KEY is kept."""

    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    objects = RecoveryCodeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["staff", "digest"], name="recovery_code_once")
        ]

    def __str__(self) -> str:
        return f"of {self.staff_id}, {'used' if self.used_at else 'unused'}"

    @staticmethod
    def digest_of(code: str) -> str:
        """The digest of a code as typed: case, spaces and hyphens do not matter."""
        plain = "".join(letter for letter in code.casefold() if letter.isalnum())
        return salted_hmac("accounts.recovery", plain, algorithm="sha256").hexdigest()


class PasswordDue(models.Model):
    """Somebody whose password was set by an administrator: they choose their own at the door."""

    staff = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.staff_id} since {self.since:%Y-%m-%d}"
