"""Passwords."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import audit
from uac_site.accounts.actions.second_factor import LETTERS
from uac_site.accounts.actions.sessions import end_sessions
from uac_site.accounts.models import PasswordDue

GROUPS, GROUP = 4, 4


def new_password() -> str:
    """Sixteen letters and digits in groups, 79 random bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


@transaction.atomic
def change_password(*, staff: Staff, password: str, now: datetime, keep: str = "") -> None:
    """Give oneself another password, checked already; every session but `keep` ends."""
    staff.set_password(password)
    staff.save(update_fields=["password"])
    PasswordDue.objects.filter(pk=staff.pk).delete()
    audit.record("account.change_password", actor=staff, now=now, of="staff", object_id=staff.pk)
    end_sessions(staff=staff, actor=staff, now=now, but=keep)


@transaction.atomic
def give_password(*, staff: Staff, actor: Staff, now: datetime) -> str:
    """A new password for somebody, shown only now; they must choose their own with it."""
    password = new_password()
    staff.set_password(password)
    staff.save(update_fields=["password"])
    PasswordDue.objects.update_or_create(pk=staff.pk, defaults={"since": now})
    audit.record("account.give_password", actor=actor, now=now, of="staff", object_id=staff.pk)
    end_sessions(staff=staff, actor=actor, now=now)
    return password
