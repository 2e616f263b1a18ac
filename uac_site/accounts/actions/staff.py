"""Staff as an admin looks after them: made, given roles, shut out, helped back in.

Whatever takes something away, or makes more of a login than its sessions were opened for, ends the
sessions of that login.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import audit
from memory.actions.entitled import check_entitled
from memory.actions.staff import disable_staff, grant_role
from memory.rights import Role
from uac_site.accounts.actions.passwords import give_password
from uac_site.accounts.actions.second_factor import remove_second_factor
from uac_site.accounts.actions.sessions import end_sessions
from uac_site.accounts.second_factor import DEMANDING, device_of


class NameTaken(Exception):
    """Another login has this name."""


class Oneself(Exception):
    """That is for another admin to do."""


@transaction.atomic
def create_staff(
    *, username: str, full_name: str, roles: Collection[Role], actor: Staff, now: datetime
) -> tuple[Staff, str]:
    """A new member of staff and the password to begin with, shown only now. Raises NameTaken."""
    check_entitled(actor)
    if Staff.objects.filter(username__iexact=username).exists():
        raise NameTaken(username)
    first, _, last = full_name.rpartition(" ")
    staff = Staff.objects.create_user(
        username, first_name=first[:150], last_name=last[:150], is_staff=True
    )
    audit.record("staff.create", actor=actor, now=now, of="staff", object_id=staff.pk)
    for role in sorted(roles):
        grant_role(staff=staff, role=role, actor=actor, now=now)
    return staff, give_password(staff=staff, actor=actor, now=now)


@transaction.atomic
def set_email(*, staff: Staff, email: str, actor: Staff, now: datetime) -> None:
    """Say where e-mails to a member of staff go; empty for nowhere."""
    check_entitled(actor)
    Staff.objects.filter(pk=staff.pk).update(email=email)
    audit.record("staff.set_email", actor=actor, now=now, of="staff", object_id=staff.pk)


@transaction.atomic
def promote(*, staff: Staff, role: Role, actor: Staff, now: datetime) -> bool:
    """Give a role; where it demands a second factor there is not, they log in anew and enrol."""
    granted = grant_role(staff=staff, role=role, actor=actor, now=now)
    if granted and role in DEMANDING and device_of(staff) is None:
        end_sessions(staff=staff, actor=actor, now=now)
    return granted


@transaction.atomic
def shut_out(*, staff: Staff, actor: Staff, now: datetime) -> bool:
    """Let somebody in no more and end their sessions. Raises Oneself, LastAdmin."""
    _other_than(staff, actor)
    disabled = disable_staff(staff=staff, actor=actor, now=now)
    end_sessions(staff=staff, actor=actor, now=now)
    return disabled


@transaction.atomic
def reset_second_factor(*, staff: Staff, actor: Staff, now: datetime) -> bool:
    """Forget somebody's authenticator; False if there was none. Raises Oneself."""
    check_entitled(actor)
    _other_than(staff, actor)
    return remove_second_factor(staff=staff, actor=actor, now=now)


@transaction.atomic
def reset_password(*, staff: Staff, actor: Staff, now: datetime) -> str:
    """A password for somebody who lost theirs, shown only now. Raises Oneself."""
    check_entitled(actor)
    _other_than(staff, actor)
    return give_password(staff=staff, actor=actor, now=now)


def _other_than(staff: Staff, actor: Staff) -> None:
    if staff.pk == actor.pk:
        raise Oneself(staff.pk)
