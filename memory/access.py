"""The only way from somebody (staff or app) and an id to an object; absent and forbidden look alike.

An active app key and an active member of staff reach every person for now; whoever is neither
reaches nobody.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff
from django.db.models import QuerySet

from memory.models import App, MemoryUser

Somebody = Staff | AnonymousUser | App | None


class NotFound(Exception):
    """There is no such object, or not for this somebody."""


def is_staff(somebody: object) -> bool:
    """Whether somebody is an active member of staff."""
    return isinstance(somebody, Staff) and somebody.is_active and somebody.is_staff


def memory_users(somebody: Somebody) -> QuerySet[MemoryUser]:
    """The people somebody may see."""
    if isinstance(somebody, App) or is_staff(somebody):
        return MemoryUser.objects.all()
    return MemoryUser.objects.none()


def memory_user(somebody: Somebody, user_id: UUID) -> MemoryUser:
    """One person. Raises NotFound."""
    user = memory_users(somebody).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    return user
