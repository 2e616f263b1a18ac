"""Staff: their roles, the teams they belong to, and the people whom a team cares for.

All of it is dated and nothing is deleted, so that it can be told who could see whom, and when.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from memory.models.memory_user import MemoryUser
from memory.rights import Role


class DatedQuerySet(models.QuerySet[models.Model]):
    def at(self, now: datetime) -> Self:
        """Those that hold at a moment."""
        return self.filter(Q(ends_at=None) | Q(ends_at__gt=now), starts_at__lte=now)

    def unended(self, now: datetime) -> Self:
        """Those that hold at a moment or begin later."""
        return self.filter(Q(ends_at=None) | Q(ends_at__gt=now))


class Dated(models.Model):
    """Something that holds from a moment on, until another one if there is an end."""

    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)

    objects = DatedQuerySet.as_manager()

    class Meta:
        abstract = True

    def holds_at(self, now: datetime) -> bool:
        """Whether it holds at a moment."""
        return self.starts_at <= now and (self.ends_at is None or self.ends_at > now)


def _ends_after_start(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(ends_at=None) | Q(ends_at__gte=F("starts_at")), name=name
    )


class RoleGrant(Dated):
    """A role of a member of staff. Superusers are admins without one."""

    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="role_grants"
    )
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["staff", "role"], condition=Q(ends_at=None), name="role_granted_once"
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="role_known"),
            _ends_after_start("role_ends_after_start"),
        ]

    def __str__(self) -> str:
        return f"{self.staff_id}: {self.role}"


class Team(models.Model):
    """Staff who care for the same people."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class TeamMembership(Dated):
    """A member of staff in a team."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="memberships")
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="team_memberships"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["staff", "team"], condition=Q(ends_at=None), name="membership_once"
            ),
            _ends_after_start("membership_ends_after_start"),
        ]

    def __str__(self) -> str:
        return f"{self.staff_id} in {self.team_id}"


class CarePlacement(Dated):
    """A person whom a team cares for."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="placements")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="placements")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "team"], condition=Q(ends_at=None), name="placement_once"
            ),
            _ends_after_start("placement_ends_after_start"),
        ]
        indexes = [models.Index(fields=["team", "user"], name="placement_team")]

    def __str__(self) -> str:
        return f"{self.user_id} with {self.team_id}"
