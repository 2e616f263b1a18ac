"""Let somebody in, and end sessions."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth import login, logout
from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.http import HttpRequest

from memory import audit
from memory.actions.entitled import Administrator
from memory.models import Outcome
from memory.standing import announce_change
from uac_site.accounts.address import address_of
from uac_site.accounts.models import StaffSession
from uac_site.accounts.second_factor import DEVICE
from uac_site.accounts.sessions import ADDRESS, BROWSER

BACKEND = "django.contrib.auth.backends.ModelBackend"


@transaction.atomic
def sign_in(*, request: HttpRequest, staff: Staff, proved: str, now: datetime) -> None:
    """Begin a session for somebody who has passed every step; `proved` names their device."""
    request.session.flush()
    login(request, staff, backend=BACKEND)
    if proved:
        request.session[DEVICE] = proved
    request.session[ADDRESS] = address_of(request)
    request.session[BROWSER] = request.headers.get("User-Agent", "")[:200]
    audit.record("account.log_in", actor=staff, now=now, of="staff", object_id=staff.pk)


def note_refused(*, staff: Staff | None, step: str, now: datetime) -> None:
    """Record that somebody gave a wrong password or code; `staff` if the name is one's."""
    audit.record(
        f"account.{step}",
        actor=audit.NOBODY,
        now=now,
        of="staff",
        object_id=staff.pk if staff else "",
        outcome=Outcome.REFUSED,
    )


@transaction.atomic
def sign_out(*, request: HttpRequest, now: datetime) -> None:
    """End the session of a request."""
    if isinstance(request.user, Staff):
        staff = request.user
        audit.record("account.log_out", actor=staff, now=now, of="staff", object_id=staff.pk)
    logout(request)
    announce_change()


@transaction.atomic
def end_sessions(*, staff: Staff, actor: Administrator, now: datetime, but: str = "") -> int:
    """End all sessions of somebody, except the one with the key `but`; how many were open."""
    rows = StaffSession.rows.of(staff).exclude(session_key=but)
    open_ones = rows.open(now).count()
    rows.delete()
    audit.record("account.end_sessions", actor=actor, now=now, of="staff", object_id=staff.pk)
    announce_change()
    return open_ones
