"""Admins look after staff: who there is, what they may do, and how they get in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.models import User as Staff
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory.access import NotFound
from memory.actions.staff import LastAdmin, NotGranted, enable_staff, withdraw_role
from memory.models import RoleGrant, TeamMembership
from memory.rights import Right, Role
from memory.views.pages import staff_page
from uac_site.accounts.actions.staff import (
    NameTaken,
    Oneself,
    create_staff,
    promote,
    reset_password,
    reset_second_factor,
    set_email,
    shut_out,
)
from uac_site.accounts.models import StaffSession
from uac_site.accounts.office import admin_of, members, staff_found
from uac_site.accounts.office_forms import EmailForm, NewStaffForm, RoleForm
from uac_site.accounts.second_factor import device_of

PAGE = 50
LAST_ADMIN = "Nobody else could administer then. Give somebody else the role of an admin first."
ONESELF = "That is for another admin to do: nobody lets themselves in by a back door."


@require_safe
@staff_page(Right.ADMINISTER)
def staff_list(request: HttpRequest) -> HttpResponse:
    """All staff; `?q=` searches names."""
    sought = request.GET.get("q", "").replace("\0", "").strip()[:150]
    page = Paginator(staff_found(sought), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "sought": sought, "members": members(list(page), timezone.now())}
    return render(request, "accounts/office/staff.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.ADMINISTER)
def new_staff(request: HttpRequest) -> HttpResponse:
    """Make a login; its first password is shown once."""
    form = NewStaffForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        try:
            staff, password = create_staff(
                username=data["username"],
                full_name=data["full_name"],
                roles=[Role(role) for role in data["roles"]],
                actor=admin_of(request),
                now=timezone.now(),
            )
        except NameTaken:
            form.add_error("username", "Another login has this name.")
        else:
            return _password(request, staff, password, new=True)
    context = {"form": form, "roles": Role.choices, "chosen": form["roles"].value() or []}
    status = 422 if form.errors else 200
    return render(request, "accounts/office/new_staff.html", context, status=status)


@require_safe
@staff_page(Right.ADMINISTER)
def one_staff(request: HttpRequest, staff_id: int) -> HttpResponse:
    """One member of staff: roles, teams, and the way in."""
    staff, now = _staff(staff_id), timezone.now()
    member = members([staff], now)[0]
    context = {
        "one": member,
        "staff": staff,
        "roles": [(role, role in member.roles) for role in Role],
        "grants": RoleGrant.objects.filter(staff=staff).order_by("-starts_at", "-pk"),
        "memberships": TeamMembership.objects.filter(staff=staff)
        .select_related("team")
        .order_by("-starts_at", "-pk"),
        "device": device_of(staff),
        "sessions": StaffSession.rows.of(staff).open(now).count(),
        "oneself": staff.pk == request.user.pk,
        "now": now,
    }
    return render(request, "accounts/office/one_staff.html", context)


@require_POST
@staff_page(Right.ADMINISTER)
def email(request: HttpRequest, staff_id: int) -> HttpResponse:
    """Say where e-mails to a member of staff go; empty for nowhere."""
    staff, form = _staff(staff_id), EmailForm(request.POST)
    if form.is_valid():
        set_email(
            staff=staff,
            email=form.cleaned_data["email"],
            actor=admin_of(request),
            now=timezone.now(),
        )
        messages.success(request, "The address is saved.")
    else:
        messages.warning(request, "This is no e-mail address.")
    return redirect("one_staff", staff.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def grant(request: HttpRequest, staff_id: int) -> HttpResponse:
    """Give a role."""
    staff, form = _staff(staff_id), RoleForm(request.POST)
    if not form.is_valid():
        raise NotFound
    role = form.cleaned_data["role"]
    promote(staff=staff, role=role, actor=admin_of(request), now=timezone.now())
    messages.success(request, f"{staff.get_username()} is {_a(role)} now.")
    return redirect("one_staff", staff.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def withdraw(request: HttpRequest, staff_id: int) -> HttpResponse:
    """Take a role back."""
    staff, form = _staff(staff_id), RoleForm(request.POST)
    if not form.is_valid():
        raise NotFound
    role = form.cleaned_data["role"]
    try:
        withdraw_role(staff=staff, role=role, actor=admin_of(request), now=timezone.now())
    except LastAdmin:
        messages.warning(request, LAST_ADMIN)
    except NotGranted:
        messages.warning(request, "They did not have the role any more.")
    else:
        messages.success(request, f"{staff.get_username()} is no longer {_a(role)}.")
    if staff.pk == request.user.pk and role == Role.ADMIN:
        return redirect("account")
    return redirect("one_staff", staff.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def disable(request: HttpRequest, staff_id: int) -> HttpResponse:
    """Let somebody in no more; at once."""

    def act(staff: Staff, actor: Staff, now: datetime) -> str:
        shut_out(staff=staff, actor=actor, now=now)
        return f"{staff.get_username()} is shut out, and all their sessions have ended."

    return _act(request, staff_id, act)


@require_POST
@staff_page(Right.ADMINISTER)
def enable(request: HttpRequest, staff_id: int) -> HttpResponse:
    """Let somebody in again."""

    def act(staff: Staff, actor: Staff, now: datetime) -> str:
        enable_staff(staff=staff, actor=actor, now=now)
        return f"{staff.get_username()} may come in again."

    return _act(request, staff_id, act)


@require_POST
@staff_page(Right.ADMINISTER)
def forget_second_factor(request: HttpRequest, staff_id: int) -> HttpResponse:
    """Reset a second factor whose phone is lost."""

    def act(staff: Staff, actor: Staff, now: datetime) -> str:
        if not reset_second_factor(staff=staff, actor=actor, now=now):
            return "There was no second factor to reset."
        return "The second factor is reset and their sessions have ended."

    return _act(request, staff_id, act)


@require_POST
@staff_page(Right.ADMINISTER)
def new_password(request: HttpRequest, staff_id: int) -> HttpResponse:
    """A password for who lost theirs, shown once."""
    staff = _staff(staff_id)
    try:
        password = reset_password(staff=staff, actor=admin_of(request), now=timezone.now())
    except Oneself:
        messages.warning(request, ONESELF)
        return redirect("one_staff", staff.pk)
    return _password(request, staff, password, new=False)


def _act(
    request: HttpRequest, staff_id: int, act: Callable[[Staff, Staff, datetime], str]
) -> HttpResponse:
    staff = _staff(staff_id)
    try:
        messages.success(request, act(staff, admin_of(request), timezone.now()))
    except Oneself:
        messages.warning(request, ONESELF)
    except LastAdmin:
        messages.warning(request, LAST_ADMIN)
    return redirect("one_staff", staff.pk)


def _password(request: HttpRequest, staff: Staff, password: str, *, new: bool) -> HttpResponse:
    """The password, which no redirect, message or session keeps."""
    context = {"staff": staff, "password": password, "new": new}
    return render(request, "accounts/office/password.html", context)


def _staff(staff_id: int) -> Staff:
    try:
        return Staff.objects.get(pk=staff_id, is_staff=True)
    except Staff.DoesNotExist:
        raise NotFound from None


def _a(role: Role) -> str:
    return f"{'an' if role.value.startswith('a') else 'a'} {role.value}"
