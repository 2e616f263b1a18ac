"""Enrol, use and take away the second factor."""

from __future__ import annotations

import secrets
from binascii import unhexlify
from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import transaction
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from memory import audit
from memory.actions.entitled import Administrator
from uac_site.accounts.actions.sessions import end_sessions
from uac_site.accounts.models import RecoveryCode
from uac_site.accounts.second_factor import device_of

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
CODES, GROUPS, GROUP = 10, 3, 4
TOTP_DIGITS = 6


class WrongCode(Exception):
    """The code is not one that opens the door now."""


def is_app_code(code: str) -> bool:
    """Whether a code looks like an authenticator's, not like a recovery code."""
    return len(code) == TOTP_DIGITS and code.isascii() and code.isdigit()


@transaction.atomic
def enrol(*, staff: Staff, key: str, code: str, now: datetime) -> tuple[TOTPDevice, list[str]]:
    """Take the authenticator that holds `key` (hex) and just showed `code`; with new codes.

    It replaces the one before. Raises WrongCode.
    """
    totp = TOTP(unhexlify(key))
    totp.time = now.timestamp()
    if not is_app_code(code) or not totp.verify(int(code), 1):
        raise WrongCode
    Staff.objects.select_for_update().get(pk=staff.pk)
    TOTPDevice.objects.filter(user=staff).delete()
    device = TOTPDevice.objects.create(
        user=staff, name="authenticator", key=key, confirmed=True, last_t=totp.t()
    )
    audit.record("account.enrol", actor=staff, now=now, of="staff", object_id=staff.pk)
    return device, new_recovery_codes(staff=staff, now=now)


@transaction.atomic
def new_recovery_codes(*, staff: Staff, now: datetime) -> list[str]:
    """Ten new codes instead of those there were; shown only now."""
    codes = [_new_code() for _ in range(CODES)]
    RecoveryCode.objects.filter(staff=staff).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(staff=staff, digest=RecoveryCode.digest_of(code), made_at=now)
        for code in codes
    )
    audit.record("account.recovery_codes", actor=staff, now=now, of="staff", object_id=staff.pk)
    return codes


@transaction.atomic
def prove(*, staff: Staff, code: str, now: datetime) -> TOTPDevice:
    """Check a code of the authenticator, or use a recovery code up; the device. Raises WrongCode.

    A code opens once: the device remembers the last time step it took.
    """
    code = code.strip().replace(" ", "")
    devices = TOTPDevice.objects.select_for_update().filter(user=staff, confirmed=True)
    device: TOTPDevice | None = devices.first()
    if device is None:
        raise WrongCode
    if is_app_code(code):
        right = device.verify_token(code)
    else:
        unused = RecoveryCode.objects.unused(staff)
        right = bool(unused.filter(digest=RecoveryCode.digest_of(code)).update(used_at=now))
    if not right:
        raise WrongCode
    if not is_app_code(code):
        audit.record("account.use_recovery", actor=staff, now=now, of="staff", object_id=staff.pk)
    return device


@transaction.atomic
def remove_second_factor(*, staff: Staff, actor: Administrator, now: datetime) -> bool:
    """Forget somebody's authenticator and codes and end their sessions; False if there was none.

    Where their roles demand one, they enrol a new one when they log in next.
    """
    if device_of(staff) is None:
        return False
    TOTPDevice.objects.filter(user=staff).delete()
    RecoveryCode.objects.filter(staff=staff).delete()
    audit.record(
        "account.remove_second_factor", actor=actor, now=now, of="staff", object_id=staff.pk
    )
    end_sessions(staff=staff, actor=actor, now=now)
    return True


def _new_code() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))
