"""Somebody whose password was right and who is not in yet: kept in a session that opens nothing."""

from __future__ import annotations

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.models import User as Staff
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from memory import access
from uac_site.accounts.second_factor import DEVICE

WHO, THEN = "pending", "then"


def begin(request: HttpRequest, *, staff: Staff, then: str) -> None:
    """Remember who stands at the door and the page they wanted, in a new session."""
    request.session.flush()
    request.session[WHO] = staff.pk
    request.session[HASH_SESSION_KEY] = staff.get_session_auth_hash()
    request.session[THEN] = then


def staff_of(request: HttpRequest) -> Staff | None:
    """Who stands at the door; None once they are not to be let in any more."""
    staff = Staff.objects.filter(pk=int(request.session.get(WHO, 0))).first()
    if staff is None or not access.is_staff(staff):
        return None
    kept = request.session.get(HASH_SESSION_KEY, "")
    return staff if constant_time_compare(kept, staff.get_session_auth_hash()) else None


def then_of(request: HttpRequest) -> str:
    """The page they wanted."""
    return str(request.session.get(THEN, ""))


def proved_of(request: HttpRequest) -> str:
    """The device whose code was given in this session."""
    return str(request.session.get(DEVICE, ""))
