"""The steps of logging in: password, code, a password of one's own, enrolment."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User as Staff
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from uac_site.accounts import pending
from uac_site.accounts.actions.attempts import Held, attempt_passed, begin_attempt
from uac_site.accounts.actions.passwords import change_password
from uac_site.accounts.actions.second_factor import WrongCode, prove
from uac_site.accounts.actions.sessions import note_refused, sign_out
from uac_site.accounts.address import address_of
from uac_site.accounts.forms import WRONG_CODE, CodeForm, NewPasswordForm, SignInForm
from uac_site.accounts.models import RecoveryCode
from uac_site.accounts.second_factor import CODE, DEVICE, PASSWORD
from uac_site.accounts.throttling import Counter, code_counters, password_counters
from uac_site.accounts.views.door import at_the_door, go_on, home_of, locked, safe


class SignInView(LoginView):
    """The first step: name and password."""

    authentication_form = SignInForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True
    counters: list[Counter]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        name = request.POST.get("username", "")[:150]
        counters = password_counters(name, address_of(request))
        try:
            self.counters = begin_attempt(counters=counters, now=timezone.now())
        except Held as held:
            return locked(request, held)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        staff: Staff = form.get_user()
        attempt_passed(counters=self.counters, now=timezone.now())
        pending.begin(self.request, staff=staff, then=self.get_redirect_url())
        return go_on(self.request, staff)

    def form_invalid(self, form: Any) -> HttpResponse:
        name = self.request.POST.get("username", "")[:150]
        staff = Staff.objects.filter(username=name.replace("\0", "")).first()
        note_refused(staff=staff, step="log_in", now=timezone.now())
        return super().form_invalid(form)

    def get_default_redirect_url(self) -> str:
        """Where those go on who are in already."""
        user = self.request.user
        return home_of(user) if isinstance(user, Staff) else super().get_default_redirect_url()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        without = not settings.SECOND_FACTOR_REQUIRED
        return super().get_context_data(**kwargs, without_second_factor=without)


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_door(CODE)
def code(request: HttpRequest, staff: Staff) -> HttpResponse:
    """The second step: a code of the authenticator, or a recovery code."""
    form = CodeForm(request.POST or None)
    if form.is_valid():
        now = timezone.now()
        try:
            counters = begin_attempt(counters=code_counters(staff.pk, address_of(request)), now=now)
            device = prove(staff=staff, code=form.cleaned_data["code"], now=now)
        except Held as held:
            return locked(request, held)
        except WrongCode:
            note_refused(staff=staff, step="code", now=now)
            form.add_error("code", WRONG_CODE)
        else:
            attempt_passed(counters=counters, now=now)
            request.session[DEVICE] = device.persistent_id
            return go_on(request, staff)
    left = RecoveryCode.objects.unused(staff).count()
    context = {"form": form, "recovery_codes": left}
    return render(request, "accounts/code.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_door(PASSWORD)
def own_password(request: HttpRequest, staff: Staff) -> HttpResponse:
    """Choose a password instead of the one an administrator gave."""
    form = NewPasswordForm(staff, request.POST or None)
    if form.is_valid():
        change_password(staff=staff, password=form.cleaned_data["new"], now=timezone.now())
        proved = pending.proved_of(request)
        pending.begin(request, staff=staff, then=pending.then_of(request))
        if proved:
            request.session[DEVICE] = proved
        return go_on(request, staff)
    status = 422 if form.errors else 200
    return render(request, "accounts/own_password.html", {"form": form}, status=status)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """End this session."""
    sign_out(request=request, now=timezone.now())
    return redirect(settings.LOGOUT_REDIRECT_URL)


@require_safe
def session_ended(request: HttpRequest) -> HttpResponse:
    """What whoever comes with a session that is over reads."""
    context = {
        "next": safe(request, request.GET.get("next", "")),
        "idle_minutes": int(settings.SESSION_IDLE.total_seconds()) // 60,
        "longest_hours": int(settings.SESSION_LONGEST.total_seconds()) // 3_600,
    }
    return render(request, "accounts/session_ended.html", context)
