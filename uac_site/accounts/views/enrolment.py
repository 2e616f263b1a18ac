"""Enrol an authenticator: at the door where a role demands it, on the account where one likes."""

from __future__ import annotations

import io
from base64 import b32encode
from binascii import unhexlify
from collections.abc import Callable

import segno
from django.contrib import messages
from django.contrib.auth.models import User as Staff
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_otp.plugins.otp_totp.models import TOTPDevice, default_key

from uac_site.accounts import pending
from uac_site.accounts.actions.attempts import Held, attempt_passed, begin_attempt
from uac_site.accounts.actions.second_factor import (
    WrongCode,
    enrol,
    new_recovery_codes,
    prove,
    remove_second_factor,
)
from uac_site.accounts.actions.sessions import end_sessions, sign_in
from uac_site.accounts.address import address_of
from uac_site.accounts.forms import WRONG_CODE, CodeForm
from uac_site.accounts.models import RecoveryCode
from uac_site.accounts.second_factor import DEVICE, ENROL, device_of, required_of
from uac_site.accounts.throttling import code_counters
from uac_site.accounts.views.door import (
    at_the_door,
    home_of,
    locked,
    member,
    own_page,
    safe,
    to_login,
)

KEY = "enrol_key"  # in the session: a key that was shown to somebody else is never enrolled


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_door(ENROL)
def enrol_at_the_door(request: HttpRequest, staff: Staff) -> HttpResponse:
    """The last step where a role demands a second factor and there is none yet."""

    def enter(device: TOTPDevice) -> str:
        then = safe(request, pending.then_of(request))
        sign_in(request=request, staff=staff, proved=device.persistent_id, now=timezone.now())
        return then or home_of(staff)

    return _enrol(request, staff, "accounts/enrol_at_the_door.html", enter)


@require_http_methods(["GET", "HEAD", "POST"])
@own_page
def second_factor(request: HttpRequest) -> HttpResponse:
    """One's own second factor: enrol one, or what there is."""
    staff = member(request)
    if device_of(staff) is not None:
        return _state(request, staff, CodeForm())

    def stay(device: TOTPDevice) -> str:
        key = request.session.session_key or ""
        end_sessions(staff=staff, actor=staff, now=timezone.now(), but=key)
        request.session[DEVICE] = device.persistent_id
        return resolve_url("second_factor")

    return _enrol(request, staff, "accounts/enrol.html", stay)


@require_POST
@own_page
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """New recovery codes, for a code of the authenticator."""
    staff = member(request)
    refused = _proved_again(request, staff)
    if refused is not None:
        return refused
    codes = new_recovery_codes(staff=staff, now=timezone.now())
    return _codes(request, codes, resolve_url("second_factor"))


@require_POST
@own_page
def remove(request: HttpRequest) -> HttpResponse:
    """Do without a second factor, where no role demands one; all sessions end."""
    staff = member(request)
    if required_of(staff):
        messages.warning(request, "Your role demands a second factor. An admin can reset it.")
        return redirect("second_factor")
    refused = _proved_again(request, staff)
    if refused is not None:
        return refused
    remove_second_factor(staff=staff, actor=staff, now=timezone.now())
    return to_login()


@require_safe
def qr(request: HttpRequest) -> HttpResponse:
    """The key being enrolled, for the phone's camera. It is made of the session, for it alone."""
    staff = request.user if isinstance(request.user, Staff) else pending.staff_of(request)
    key = request.session.get(KEY)
    if staff is None or key is None:
        raise Http404
    image = io.BytesIO()
    address = TOTPDevice(user=staff, key=key).config_url
    segno.make(address, error="m").save(
        image, kind="svg", scale=5, border=4, dark="#000", light="#fff", xmldecl=False
    )
    return HttpResponse(image.getvalue(), content_type="image/svg+xml")


def _enrol(
    request: HttpRequest, staff: Staff, template: str, enrolled: Callable[[TOTPDevice], str]
) -> HttpResponse:
    """The form, or the recovery codes; `enrolled` says where they lead on to."""
    form = CodeForm(request.POST or None)
    if form.is_valid():
        try:
            device, codes = _enrolled(request, staff, form)
        except Held as held:
            return locked(request, held)
        except WrongCode:
            form.add_error("code", WRONG_CODE)
        else:
            return _codes(request, codes, enrolled(device))
    return _form(request, staff, form, template)


def _enrolled(request: HttpRequest, staff: Staff, form: CodeForm) -> tuple[TOTPDevice, list[str]]:
    """The device and its recovery codes. Raises Held, WrongCode."""
    now = timezone.now()
    key = request.session.get(KEY, "")
    counters = begin_attempt(counters=code_counters(staff.pk, address_of(request)), now=now)
    code = form.cleaned_data["code"].replace(" ", "")
    device, codes = enrol(staff=staff, key=key, code=code, now=now)
    attempt_passed(counters=counters, now=now)
    request.session.pop(KEY, None)
    return device, codes


def _proved_again(request: HttpRequest, staff: Staff) -> HttpResponse | None:
    """None once a code was given; else the page to answer with."""
    if device_of(staff) is None:
        return redirect("second_factor")
    form = CodeForm(request.POST)
    if not form.is_valid():
        return _state(request, staff, form)
    now = timezone.now()
    try:
        counters = begin_attempt(counters=code_counters(staff.pk, address_of(request)), now=now)
        prove(staff=staff, code=form.cleaned_data["code"], now=now)
    except Held as held:
        return locked(request, held)
    except WrongCode:
        form.add_error("code", WRONG_CODE)
        return _state(request, staff, form)
    attempt_passed(counters=counters, now=now)
    return None


def _form(request: HttpRequest, staff: Staff, form: CodeForm, template: str) -> HttpResponse:
    key = request.session.setdefault(KEY, default_key())
    letters = b32encode(unhexlify(key)).decode()
    context = {
        "form": form,
        "name": staff.get_username(),
        "letters": [letters[at : at + 4] for at in range(0, len(letters), 4)],
    }
    return render(request, template, context, status=422 if form.errors else 200)


def _state(request: HttpRequest, staff: Staff, form: CodeForm) -> HttpResponse:
    context = {
        "form": form,
        "device": device_of(staff),
        "left": RecoveryCode.objects.unused(staff).count(),
        "required": required_of(staff),
    }
    status = 422 if form.errors else 200
    return render(request, "accounts/second_factor.html", context, status=status)


def _codes(request: HttpRequest, codes: list[str], then: str) -> HttpResponse:
    """The codes, which no redirect, message or session keeps."""
    return render(request, "accounts/recovery_codes.html", {"codes": codes, "then": then})
