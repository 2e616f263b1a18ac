"""Staff: their roles, and whether they may come in at all."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.db.models import Q

from memory import audit
from memory.actions.entitled import Administrator, check_entitled
from memory.models import RoleGrant
from memory.rights import Role
from memory.standing import announce_change


class LastAdmin(Exception):
    """Nobody would be left who may administer."""


class NotGranted(Exception):
    """They do not have the role."""


@transaction.atomic
def grant_role(*, staff: Staff, role: Role, actor: Administrator, now: datetime) -> bool:
    """Give a member of staff a role; False where they have it already."""
    check_entitled(actor)
    Staff.objects.select_for_update().get(pk=staff.pk)
    if RoleGrant.objects.at(now).filter(staff=staff, role=role).exists():
        return False
    RoleGrant.objects.filter(staff=staff, role=role, starts_at__gt=now).delete()
    RoleGrant.objects.create(staff=staff, role=role, starts_at=now)
    _record(f"staff.grant_{role.value}", staff, actor, now)
    return True


@transaction.atomic
def withdraw_role(*, staff: Staff, role: Role, actor: Administrator, now: datetime) -> None:
    """Take a role back; open pages close. Raises NotGranted and LastAdmin."""
    check_entitled(actor)
    Staff.objects.select_for_update().get(pk=staff.pk)
    if role == Role.ADMIN and not staff.is_superuser:
        _check_admin_left(staff, now)
    granted = RoleGrant.objects.at(now).filter(staff=staff, role=role)
    if not granted.update(ends_at=now):
        raise NotGranted(role)
    _record(f"staff.withdraw_{role.value}", staff, actor, now)


@transaction.atomic
def disable_staff(*, staff: Staff, actor: Administrator, now: datetime) -> bool:
    """Let somebody in no more; open pages close. False where it is so. Raises LastAdmin."""
    check_entitled(actor)
    _check_admin_left(staff, now)
    changed = Staff.objects.filter(pk=staff.pk, is_active=True).update(is_active=False)
    if changed:
        _record("staff.disable", staff, actor, now)
    return bool(changed)


@transaction.atomic
def enable_staff(*, staff: Staff, actor: Administrator, now: datetime) -> bool:
    """Let somebody in again, with the roles and teams they have; False where they may."""
    check_entitled(actor)
    changed = Staff.objects.filter(pk=staff.pk, is_active=False).update(is_active=True)
    if changed:
        _record("staff.enable", staff, actor, now)
    return bool(changed)


def _check_admin_left(leaving: Staff, now: datetime) -> None:
    admins = RoleGrant.objects.at(now).filter(role=Role.ADMIN)
    if not (leaving.is_superuser or admins.filter(staff=leaving).exists()):
        return
    left = Staff.objects.filter(is_active=True, is_staff=True).exclude(pk=leaving.pk)
    if not left.filter(Q(is_superuser=True) | Q(pk__in=admins.values("staff"))).exists():
        raise LastAdmin(leaving.pk)


def _record(action: str, staff: Staff, actor: Administrator, now: datetime) -> None:
    audit.record(action, actor=actor, now=now, of="staff", object_id=staff.pk)
    announce_change()
