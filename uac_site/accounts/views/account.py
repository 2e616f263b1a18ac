"""One's own account: password, sessions, what is left of this one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from uac_site.accounts.actions.attempts import Held, attempt_passed, begin_attempt
from uac_site.accounts.actions.passwords import change_password
from uac_site.accounts.actions.sessions import end_sessions
from uac_site.accounts.address import address_of
from uac_site.accounts.forms import ChangePasswordForm
from uac_site.accounts.limits import left
from uac_site.accounts.models import RecoveryCode, StaffSession
from uac_site.accounts.second_factor import device_of, required_of
from uac_site.accounts.throttling import code_counters
from uac_site.accounts.views.door import locked, member, own_page, to_login


@require_safe
@own_page
def account(request: HttpRequest) -> HttpResponse:
    """Who one is here, and where one is logged in."""
    staff = member(request)
    now = timezone.now()
    context = {
        "device": device_of(staff),
        "recovery_codes": RecoveryCode.objects.unused(staff).count(),
        "required": required_of(staff),
        "sessions": StaffSession.rows.of(staff).open(now).order_by("-seen_at"),
        "this": request.session.session_key,
        "now": now,
    }
    return render(request, "accounts/account.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@own_page
def password(request: HttpRequest) -> HttpResponse:
    """Change one's own password; the other sessions end."""
    staff = member(request)
    form = ChangePasswordForm(staff, request.POST or None)
    if form.is_valid():
        now = timezone.now()
        try:
            counters = begin_attempt(counters=code_counters(staff.pk, address_of(request)), now=now)
        except Held as held:
            return locked(request, held)
        if staff.check_password(form.cleaned_data["old"]):
            attempt_passed(counters=counters, now=now)
            request.session.cycle_key()
            key = request.session.session_key or ""
            change_password(staff=staff, password=form.cleaned_data["new"], now=now, keep=key)
            update_session_auth_hash(request, staff)
            messages.success(request, "Your password is changed. Other sessions have ended.")
            return redirect("account")
        form.add_error("old", "This is not your present password.")
    status = 422 if form.errors else 200
    return render(request, "accounts/password.html", {"form": form}, status=status)


@require_POST
@own_page
def end_others(request: HttpRequest) -> HttpResponse:
    """Log out everywhere else, or everywhere: `everywhere=yes`."""
    staff = member(request)
    everywhere = request.POST.get("everywhere") == "yes"
    key = "" if everywhere else request.session.session_key or ""
    ended = end_sessions(staff=staff, actor=staff, now=timezone.now(), but=key)
    if everywhere:
        request.session.flush()
        return to_login()
    messages.success(request, f"Sessions ended elsewhere: {ended}.")
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
def session(request: HttpRequest) -> JsonResponse:
    """What is left of this session, in seconds; a POST renews it first."""
    if request.method == "POST" and request.user.is_authenticated:
        request.session.save()
    rest = left(request.session, now=timezone.now())
    return JsonResponse({"left": rest.seconds, "renewable": rest.renewable})
