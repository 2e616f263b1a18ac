"""Admins look after the keys of apps: made and rotated with a secret shown once, revoked."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory.access import NotFound
from memory.actions.app_keys import (
    OVERLAP,
    NotActive,
    create_app_key,
    revoke_app_key,
    rotate_app_key,
    set_app_team,
)
from memory.models import App, AppKey, Reach, Team
from memory.rights import SCOPES, Right
from memory.views.pages import staff_page
from uac_site.accounts.office import admin_of
from uac_site.accounts.office_forms import AppTeamForm, KeyForm, RotateForm

SOON = timedelta(days=30)


@require_safe
@staff_page(Right.ADMINISTER)
def keys(request: HttpRequest) -> HttpResponse:
    """Apps with their keys; those that open nothing any more on demand: `?all=yes`."""
    now, everything = timezone.now(), request.GET.get("all") == "yes"
    found = AppKey.objects.all() if everything else AppKey.objects.active(now)
    rows = found.select_related("app", "app__team").order_by("app__name", "-created_at")
    context = {
        "rows": [(key, key.state_at(now)) for key in rows],
        "apps": App.objects.select_related("team").order_by("name"),
        "teams": Team.objects.order_by("name"),
        "everything": everything,
        "soon": now + SOON,
    }
    return render(request, "accounts/office/keys.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.ADMINISTER)
def new_key(request: HttpRequest) -> HttpResponse:
    """Make a key; its secret is shown once."""
    form = KeyForm(request.POST or None)
    if form.is_valid():
        key, secret = create_app_key(
            app_name=form.cleaned_data["app"],
            grant=form.grant(),
            actor=admin_of(request),
            now=timezone.now(),
            team=form.cleaned_data["team"],
        )
        return _secret(request, key, secret)
    context = {
        "form": form,
        "scopes": SCOPES,
        "chosen": form["scopes"].value() or [],
        "reaches": Reach.choices,
        "reach": form["reach"].value(),
        "team": str(form["team"].value() or ""),
        "teams": Team.objects.order_by("name"),
        "apps": App.objects.order_by("name"),
    }
    status = 422 if form.errors else 200
    return render(request, "accounts/office/new_key.html", context, status=status)


@require_safe
@staff_page(Right.ADMINISTER)
def key(request: HttpRequest, key_id: UUID) -> HttpResponse:
    """One key: what it may do, and how it is replaced or revoked."""
    found, now = _key(key_id), timezone.now()
    context = {
        "key": found,
        "state": found.state_at(now),
        "people": found.people.order_by("display_name", "external_id"),
        "overlap": OVERLAP.days,
        "replaced_by": AppKey.objects.filter(replaces=found).first(),
        "soon": now + SOON,
    }
    return render(request, "accounts/office/key.html", context)


@require_POST
@staff_page(Right.ADMINISTER)
def rotate(request: HttpRequest, key_id: UUID) -> HttpResponse:
    """A new key that may do the same; the old one ends after the overlap."""
    found, form = _key(key_id), RotateForm(request.POST)
    if not form.is_valid():
        messages.warning(request, "Both keys may open the door for 0 to 90 days.")
        return redirect("key", found.pk)
    overlap = timedelta(days=form.cleaned_data["days"])
    try:
        made, secret = rotate_app_key(
            key=found, actor=admin_of(request), now=timezone.now(), overlap=overlap
        )
    except NotActive:
        messages.warning(request, "This key opens nothing any more: make a new one.")
        return redirect("key", found.pk)
    return _secret(request, made, secret, replaced=found)


@require_POST
@staff_page(Right.ADMINISTER)
def revoke(request: HttpRequest, key_id: UUID) -> HttpResponse:
    """Close the door to a key, at once."""
    found = _key(key_id)
    if revoke_app_key(key=found, actor=admin_of(request), now=timezone.now()):
        messages.success(request, f"The key {found} of {found.app} is revoked.")
    else:
        messages.warning(request, "It opened nothing any more.")
    return redirect("key", found.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def app_team(request: HttpRequest) -> HttpResponse:
    """Into whose care people come whom an app introduces."""
    form = AppTeamForm(request.POST)
    if not form.is_valid():
        raise NotFound
    app, team = form.cleaned_data["app"], form.cleaned_data["team"]
    set_app_team(app=app, team=team, actor=admin_of(request), now=timezone.now())
    messages.success(request, f"New people of {app}: {team or 'in nobody’s care'}.")
    return redirect("keys")


def _secret(
    request: HttpRequest, made: AppKey, secret: str, *, replaced: AppKey | None = None
) -> HttpResponse:
    """The secret, which no redirect, message or session keeps."""
    if replaced is not None:
        replaced.refresh_from_db()
    context = {"key": made, "secret": secret, "replaced": replaced}
    return render(request, "accounts/office/secret.html", context)


def _key(key_id: UUID) -> AppKey:
    try:
        return AppKey.objects.select_related("app", "app__team", "replaces").get(pk=key_id)
    except AppKey.DoesNotExist:
        raise NotFound from None
