"""What an admin may do with all that is recorded of a person: export it, and have it erased."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory import access
from memory.actions.erase import (
    AlreadyAsked,
    NotAsked,
    SameHand,
    ask_erasure,
    confirm_erasure,
    withdraw_erasure,
)
from memory.actions.export_person import export_person
from memory.models import Erasure, ErasureReason, ErasureStatus
from memory.rights import Right
from memory.views.pages import staff_page

SHOWN = 100
FOUND = 20
NOT_ASKED = "That erasure has been decided meanwhile, or was never asked for."


class AskForm(forms.Form):
    """Why a person is to be erased."""

    reason = forms.ChoiceField(choices=ErasureReason.choices)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.ADMINISTER)
def data(request: HttpRequest) -> HttpResponse:
    """Find a person (by POST: a name has no place in an address), and the erasures."""
    sought = request.POST.get("sought", "").replace("\0", "").strip()[:200]
    context = {
        "sought": sought,
        "found": _found(request, sought) if sought else None,
        "asked": _erasures(ErasureStatus.ASKED),
        "decided": _erasures(ErasureStatus.DONE, ErasureStatus.WITHDRAWN),
    }
    return render(request, "memory/data.html", context)


@require_safe
@staff_page(Right.ADMINISTER)
def person_data(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """One person: how much is recorded, the export, and the erasure."""
    person = access.memory_user(request.user, user_id, Right.ADMINISTER)
    asked = Erasure.objects.filter(user=person, status=ErasureStatus.ASKED).first()
    return render(
        request, "memory/person_data.html", {"person": person, "asked": asked, "form": AskForm()}
    )


@require_POST
@staff_page(Right.ADMINISTER)
def export(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Everything about the person as one zip."""
    bundle = export_person(user_id=user_id, actor=request.user, now=timezone.now())
    answer = HttpResponse(bundle.content, content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="person-{user_id}.zip"'
    return answer


@require_POST
@staff_page(Right.ADMINISTER)
def ask(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Ask for the person's erasure."""
    form = AskForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a reason first.")
        return redirect("person_data", user_id)
    try:
        ask_erasure(
            user_id=user_id,
            actor=request.user,
            reason=ErasureReason(form.cleaned_data["reason"]),
            now=timezone.now(),
        )
    except AlreadyAsked:
        messages.warning(request, "Somebody has asked for it already.")
    else:
        messages.success(request, "Asked for. Another admin has to confirm it.")
    return redirect("person_data", user_id)


@require_POST
@staff_page(Right.ADMINISTER)
def confirm(request: HttpRequest, erasure_id: UUID) -> HttpResponse:
    """Erase the person for good."""
    if request.POST.get("sure") != "yes":
        messages.error(request, "Tick that it cannot be undone, then confirm.")
        return redirect("data")
    try:
        erasure = confirm_erasure(erasure_id=erasure_id, actor=request.user, now=timezone.now())
    except NotAsked:
        raise Http404 from None
    except SameHand:
        messages.error(request, "You asked for it, so somebody else has to confirm it.")
    else:
        rows = sum(erasure.erased.values())
        messages.success(request, f"Erased: {rows:,} rows. The chains can still be verified.")
    return redirect("data")


@require_POST
@staff_page(Right.ADMINISTER)
def withdraw(request: HttpRequest, erasure_id: UUID) -> HttpResponse:
    """Call an erasure off."""
    try:
        withdraw_erasure(erasure_id=erasure_id, actor=request.user, now=timezone.now())
    except NotAsked:
        messages.warning(request, NOT_ASKED)
    else:
        messages.success(request, "Called off: nothing was erased.")
    return redirect("data")


def _found(request: HttpRequest, sought: str) -> list[object]:
    people = access.memory_users(request.user, Right.ADMINISTER)
    wanted = Q(display_name__icontains=sought) | Q(external_id__icontains=sought)
    with suppress(ValueError):
        wanted |= Q(pk=UUID(sought))
    return list(people.filter(wanted).order_by("display_name", "external_id")[:FOUND])


def _erasures(*statuses: ErasureStatus) -> list[Erasure]:
    found = Erasure.objects.filter(status__in=statuses).select_related(
        "asked_by", "decided_by", "user"
    )
    return list(found.order_by("-asked_at")[:SHOWN])
