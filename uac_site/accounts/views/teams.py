"""Admins look after teams: who belongs to them, for whom they care, and from when to when."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User as Staff
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory.access import NotFound
from memory.actions.teams import (
    AlreadyEnded,
    AlreadyThere,
    NameTaken,
    add_member,
    create_team,
    end_membership,
    end_placement,
    place_person,
    rename_team,
)
from memory.models import CarePlacement, Team, TeamMembership
from memory.rights import Right
from memory.views.pages import staff_page
from uac_site.accounts.office import (
    admin_of,
    in_nobodys_care,
    people_called,
    team_of,
    teams_with_counts,
)
from uac_site.accounts.office_forms import MemberForm, PlacementForm, SpanForm, TeamForm

SHOWN, PAGE = 20, 100
TAKEN = "Another team has this name."
THERE = "They are there already, or will be in that time."
ENDED = "It had ended already."


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.ADMINISTER)
def teams(request: HttpRequest) -> HttpResponse:
    """All teams, and who is in nobody's care; a POST makes a team."""
    form = TeamForm(request.POST or None)
    admin, now = admin_of(request), timezone.now()
    if form.is_valid():
        try:
            made = create_team(name=form.cleaned_data["name"], actor=admin, now=now)
        except NameTaken:
            form.add_error("name", TAKEN)
        else:
            return redirect("team", made.pk)
    alone = in_nobodys_care(admin, now)
    context = {
        "form": form,
        "teams": teams_with_counts(now),
        "alone": alone.order_by("created_at")[:SHOWN],
        "alone_count": alone.count(),
    }
    status = 422 if form.errors else 200
    return render(request, "accounts/office/teams.html", context, status=status)


@require_safe
@staff_page(Right.ADMINISTER)
def team(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """One team."""
    return _page(request, team_of(team_id))


@require_POST
@staff_page(Right.ADMINISTER)
def rename(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """Call it otherwise."""
    found, form = team_of(team_id), TeamForm(request.POST)
    if not form.is_valid():
        return _page(request, found, rename=form)
    name = form.cleaned_data["name"]
    try:
        rename_team(team=found, name=name, actor=admin_of(request), now=timezone.now())
    except NameTaken:
        form.add_error("name", TAKEN)
        return _page(request, found, rename=form)
    return redirect("team", found.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def join(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """Take a member of staff into the team."""
    found, form = team_of(team_id), MemberForm(request.POST)
    if not form.is_valid():
        return _page(request, found, member=form)
    now = timezone.now()
    starts_at, ends_at = form.span(now)
    staff: Staff = form.cleaned_data["staff"]
    try:
        add_member(
            team=found,
            staff=staff,
            actor=admin_of(request),
            now=now,
            starts_at=starts_at,
            ends_at=ends_at,
        )
    except AlreadyThere:
        form.add_error("staff", THERE)
        return _page(request, found, member=form)
    messages.success(request, f"{staff.get_username()} is in the team.")
    return redirect("team", found.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def leave(request: HttpRequest, team_id: UUID, membership_id: int) -> HttpResponse:
    """Take a member of staff out of the team, at once or on a day."""
    row = TeamMembership.objects.filter(team=team_of(team_id), pk=membership_id).first()
    if not isinstance(row, TeamMembership):
        raise NotFound
    return _end(request, team_id, partial(end_membership, membership=row))


@require_POST
@staff_page(Right.ADMINISTER)
def place(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """Place a person with the team; several of one name are offered to choose from."""
    found, form = team_of(team_id), PlacementForm(request.POST)
    if not form.is_valid():
        return _page(request, found, placement=form)
    admin, now = admin_of(request), timezone.now()
    people = people_called(admin, form.cleaned_data["person"])
    if len(people) != 1:
        words = "Several are called so: choose." if people else "Nobody has this name or id."
        form.add_error("person", words)
        return _page(request, found, placement=form, choices=people)
    starts_at, ends_at = form.span(now)
    try:
        place_person(
            user=people[0], team=found, actor=admin, now=now, starts_at=starts_at, ends_at=ends_at
        )
    except AlreadyThere:
        form.add_error("person", THERE)
        return _page(request, found, placement=form)
    messages.success(request, "The person is in the team's care.")
    return redirect("team", found.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def displace(request: HttpRequest, team_id: UUID, placement_id: int) -> HttpResponse:
    """Take a person out of the team's care, at once or on a day."""
    rows = CarePlacement.objects.filter(team=team_of(team_id), pk=placement_id)
    row = rows.filter(user__erased_at=None).first()
    if not isinstance(row, CarePlacement):
        raise NotFound
    return _end(request, team_id, partial(end_placement, placement=row))


def _end(request: HttpRequest, team_id: UUID, end: Callable[..., None]) -> HttpResponse:
    try:
        end(actor=admin_of(request), now=timezone.now(), at=_last_day(request))
    except AlreadyEnded:
        messages.warning(request, ENDED)
    return redirect("team", team_id)


def _last_day(request: HttpRequest) -> Any:
    """The end of the day that was named; None for at once. A day that is over ends it at once."""
    form = SpanForm({"until_day": request.POST.get("until_day", "")})
    return form.span(timezone.now())[1] if form.is_valid() else None


def _page(request: HttpRequest, found: Team, **forms: Any) -> HttpResponse:
    now = timezone.now()
    members = TeamMembership.objects.filter(team=found).select_related("staff")
    placements = CarePlacement.objects.filter(team=found, user__erased_at=None)
    current = placements.unended(now).select_related("user").order_by("starts_at", "pk")
    context = {
        "team": found,
        "members": members.unended(now).order_by("staff__username"),
        "past_members": members.filter(ends_at__lte=now).order_by("-ends_at")[:SHOWN],
        "placements": Paginator(current, PAGE).get_page(request.GET.get("page")),
        "past_placements": placements.filter(ends_at__lte=now)
        .select_related("user")
        .order_by("-ends_at")[:SHOWN],
        "staff": Staff.objects.filter(is_staff=True, is_active=True).order_by("username"),
        "now": now,
        **forms,
    }
    return render(request, "accounts/office/team.html", context, status=422 if forms else 200)
