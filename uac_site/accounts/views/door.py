"""What the steps of logging in share: attempts are counted, and a page says how long to wait."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from memory.access import is_staff, rights_of
from memory.rights import Right
from uac_site.accounts import pending
from uac_site.accounts.actions.attempts import Held
from uac_site.accounts.actions.sessions import sign_in
from uac_site.accounts.second_factor import next_step

HOMES = (
    (Right.ALERTS_READ, "dashboard"),
    (Right.PROPOSALS_DECIDE, "proposals"),
    (Right.ADMINISTER, "staff"),
    (Right.AUDIT_READ, "audit"),
)
Step = Callable[[HttpRequest, Staff], HttpResponse]


def member(request: HttpRequest) -> Staff:
    """Whoever is logged in, whatever their roles. Raises PermissionDenied."""
    if isinstance(request.user, Staff) and is_staff(request.user):
        return request.user
    raise PermissionDenied


def own_page(view: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of whoever is logged in about themselves, whatever their roles."""
    return login_required(view)


def safe(request: HttpRequest, address: str) -> str:
    """An address on this site, or empty."""
    good = url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    )
    return address if good else ""


def to_login(then: str = "") -> HttpResponse:
    """The first step, with the page that was wanted."""
    query = f"?{urlencode({'next': then})}" if then else ""
    return redirect(f"{reverse(settings.LOGIN_URL)}{query}")


def at_the_door(name: str) -> Callable[[Step], Callable[[HttpRequest], HttpResponse]]:
    """A page for whoever stands at the door and has this step before them; others go on."""

    def decorate(view: Step) -> Callable[[HttpRequest], HttpResponse]:
        @wraps(view)
        def page(request: HttpRequest) -> HttpResponse:
            if isinstance(request.user, Staff):
                return redirect(home_of(request.user))
            staff = pending.staff_of(request)
            if staff is None:
                return to_login(pending.then_of(request))
            step = next_step(staff, proved=pending.proved_of(request))
            return view(request, staff) if step == name else go_on(request, staff)

        return page

    return decorate


def go_on(request: HttpRequest, staff: Staff) -> HttpResponse:
    """The next step, or in."""
    proved, then = pending.proved_of(request), pending.then_of(request)
    step = next_step(staff, proved=proved)
    if step:
        return redirect(step)
    sign_in(request=request, staff=staff, proved=proved, now=timezone.now())
    return redirect(safe(request, then) or home_of(staff))


def home_of(staff: Staff) -> str:
    """The first page of somebody's work; without any, their account."""
    rights = rights_of(staff)
    return reverse(next((name for right, name in HOMES if right in rights), "account"))


def locked(request: HttpRequest, held: Held) -> HttpResponse:
    """Too many attempts: how long to wait, and what else to do."""
    wait = max(held.until - timezone.now(), timedelta(seconds=1))
    seconds = int(wait.total_seconds()) + 1
    context = {"seconds": seconds, "words": wait_words(seconds), "back": request.get_full_path()}
    response = render(request, "accounts/locked.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response


def wait_words(seconds: int) -> str:
    """`30 seconds`, `4 minutes`, `1 hour`."""
    if seconds < 100:
        return f"{seconds} second{'' if seconds == 1 else 's'}"
    minutes = -(-seconds // 60)
    return f"{minutes} minutes" if minutes < 60 else "1 hour"
