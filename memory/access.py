"""The only way from somebody (staff, app) and an id to an object; absent and forbidden look alike.

An active app key and an active member of staff reach every person for now; whoever is neither
reaches nobody.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from memory.models import App, MemoryUser, Proposal
from memory.models.proposal import ProposalQuerySet

Somebody = Staff | AnonymousUser | App | None


class NotFound(Exception):
    """There is no such object, or not for this somebody."""


def is_staff(somebody: object) -> bool:
    """Whether somebody is an active member of staff."""
    return isinstance(somebody, Staff) and somebody.is_active and somebody.is_staff


def staff(somebody: object) -> Staff:
    """Somebody as the active member of staff they are. Raises PermissionDenied."""
    if isinstance(somebody, Staff) and is_staff(somebody):
        return somebody
    raise PermissionDenied


def memory_users(somebody: Somebody) -> QuerySet[MemoryUser]:
    """The people somebody may see."""
    if isinstance(somebody, App) or is_staff(somebody):
        return MemoryUser.objects.all()
    return MemoryUser.objects.none()


def memory_user(somebody: Somebody, user_id: UUID, *, lock: bool = False) -> MemoryUser:
    """One person, with `lock` held until the transaction ends. Raises NotFound."""
    users = memory_users(somebody)
    try:
        return (users.select_for_update(no_key=True) if lock else users).get(pk=user_id)
    except MemoryUser.DoesNotExist:
        raise NotFound from None


def proposals(somebody: Somebody) -> ProposalQuerySet:
    """The proposals somebody may see and decide: staff, those of the people they may see."""
    if is_staff(somebody):
        return Proposal.objects.filter(user__in=memory_users(somebody))
    return Proposal.objects.none()


def proposal(somebody: Somebody, proposal_id: UUID) -> Proposal:
    """One proposal. Raises NotFound."""
    try:
        return proposals(somebody).select_related("user", "decided_by").get(pk=proposal_id)
    except Proposal.DoesNotExist:
        raise NotFound from None
