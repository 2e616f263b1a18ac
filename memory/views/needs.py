"""What asks for code of a person, what it waits for, and the buttons to ask for more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory import access
from memory.actions.needs import NoSuchFact, NotFailed, ask_again, request_structure
from memory.checkpointer.model.config import model_config
from memory.models import (
    MemoryUser,
    Need,
    NeedStatus,
    Proposal,
    ProposalOrigin,
    ProposalStatus,
    Stage,
    ToRead,
)
from memory.models.proposal import ProposalQuerySet
from memory.rights import Right
from memory.views.need_lines import FactLine, fact_lines, need_lines
from memory.views.pages import number_of, staff_page

SHOWN = 50
LOOKED_AT = 200
"""The newest messages and facts that were read, among which what fits nothing is looked for."""
ASKED = "Asked for: a model is writing code for it. The proposal will wait under Review."
NO_MODEL = "Noted. It waits until a language model is configured."


@require_safe
@staff_page(Right.READINGS_CONFIRM)
def person_needs(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """What stands, what was settled lately, attempts that failed, and what fits nothing."""
    person = access.memory_user(request.user, user_id, Right.READINGS_CONFIRM)
    needs = Need.objects.filter(user=person)
    standing = needs.exclude(status__in=(NeedStatus.MET, NeedStatus.DROPPED))
    settled = needs.filter(status__in=(NeedStatus.MET, NeedStatus.DROPPED))
    context = {
        "person": person,
        "asked": bool(model_config().model_for(Stage.STRUCTURE)),
        "open_count": needs.open().count(),
        "standing": need_lines(person, standing.order_by("pk")[:SHOWN]),
        "settled": need_lines(person, settled.order_by("-changed_at", "-pk")[:SHOWN]),
        "attempts": _failed_attempts(person),
        "fits_nothing": _fits_nothing(person),
        "now": timezone.now(),
    }
    return render(request, "memory/person_needs.html", context)


@require_POST
@staff_page(Right.READINGS_CONFIRM)
def ask(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Ask for code: for the fact that is named, or for all that is open."""
    fact = number_of(request.POST.get("fact"))
    try:
        begun = request_structure(
            user_id=user_id, fact_seq=fact, actor=request.user, now=timezone.now()
        )
    except NoSuchFact:
        messages.error(request, "There is no such fact.")
    else:
        _say(request, begun)
    return redirect("person_needs", user_id)


@require_POST
@staff_page(Right.READINGS_CONFIRM)
def try_again(request: HttpRequest, need_id: int) -> HttpResponse:
    """Let a need whose attempts failed be tried once more."""
    need = access.need(request.user, need_id)
    try:
        _say(request, ask_again(need_id=need_id, actor=request.user, now=timezone.now()))
    except NotFailed:
        messages.warning(request, "Somebody has asked for it meanwhile; nothing was changed.")
    return redirect("person_needs", need.user_id)


def _say(request: HttpRequest, begun: bool) -> None:
    if begun:
        messages.success(request, ASKED)
    elif model_config().model_for(Stage.STRUCTURE):
        messages.warning(request, "Nothing is open: what was noted has its proposal.")
    else:
        messages.warning(request, NO_MODEL)


def _failed_attempts(person: MemoryUser) -> ProposalQuerySet:
    """A model's proposals that did not pass their checks, the newest first."""
    failed = Proposal.objects.brief(with_checks=True).filter(
        user=person, status=ProposalStatus.FAILED, origin=ProposalOrigin.MODEL
    )
    return failed.order_by("-created_at")[:SHOWN]


def _fits_nothing(person: MemoryUser) -> list[FactLine]:
    """Facts without a kind for which nothing stands, the newest first."""
    read = ToRead.objects.filter(user=person, status="read").order_by("-tried_at", "-seq")
    rows = read.values_list("found", flat=True)[:LOOKED_AT]
    lacking: list[Mapping[str, Any]] = [
        one for found in rows for one in found or [] if one["fit"] == "none"
    ]
    asked = Need.objects.filter(user=person).exclude(status=NeedStatus.DROPPED)
    standing = set(asked.values_list("fact_seq", flat=True))
    seqs = [one["fact"] for one in lacking if one["fact"] not in standing]
    return fact_lines(person, seqs[:SHOWN])[::-1]
