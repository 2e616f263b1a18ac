"""Proposed code: the list of what waits for a decision, a proposal's page, and the decision."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory import access
from memory.actions.change_requests import CannotChange, request_changes
from memory.actions.proposals import (
    DigestMismatch,
    NotOpen,
    ParentMoved,
    approve_proposal,
    reject_proposal,
)
from memory.actions.ticks import NotTicked
from memory.forms import ChangesForm, RejectForm
from memory.models import Proposal, ProposalStatus
from memory.rights import Right
from memory.views.diff_modes import modes_of
from memory.views.held_rows import held_rows
from memory.views.pages import staff_page
from memory.views.proposal_page import STATUS_WORDS, StatusTag, page_of
from memory.views.proposal_story import story_of

PAGE = 50
HELD = 20
DECIDED = "This proposal has been {words} meanwhile; nothing was changed."
NOT_SEEN = "The code is not what this page had shown. Look at it as it is now, and decide anew."
MOVED = (
    "The person's code has changed since this was proposed, so it cannot be approved as it is. "
    "It is being built again on the code that is active now."
)


@require_safe
@staff_page(Right.PROPOSALS_DECIDE)
def proposals(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, the longest first; `?status=` lists the others."""
    asked = request.GET.get("status", "")
    status = asked if asked in ProposalStatus.values else ProposalStatus.OPEN.value
    found = access.proposals(request.user).brief(with_checks=True).filter(status=status)
    order = "created_at" if status == ProposalStatus.OPEN else "-created_at"
    found = found.select_related("user").order_by(order, "pk")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    held = access.held_readings(request.user).held().select_related("user").order_by("pk")
    context = {
        "page": page,
        "held": held_rows(held[:HELD]),
        "held_count": held.count(),
        "status": status,
        "statuses": [(name, StatusTag(*words)) for name, words in STATUS_WORDS.items()],
        "now": timezone.now(),
    }
    return render(request, "memory/proposals.html", context)


@require_safe
@staff_page(Right.PROPOSALS_DECIDE)
def proposal(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """One proposal with all that a decision needs, its diff as `DiffModes` say."""
    return _page(request, access.proposal(request.user, proposal_id))


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def approve(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """Make the proposed code the person's own; bound to the digest that the page had shown.

    Takes a tick at each doubt; without one the page says what was left out, with 422.
    """
    found = access.proposal(request.user, proposal_id)
    ticked = frozenset(request.POST.getlist("ticked"))
    try:
        approve_proposal(
            proposal_id=found.pk,
            digest=request.POST.get("digest", ""),
            actor=access.staff(request.user, Right.PROPOSALS_DECIDE),
            now=timezone.now(),
            ticked=ticked,
        )
    except NotOpen:
        return _too_late(request, found)
    except NotTicked:
        return _page(request, found, ticked=ticked, status=422)
    except DigestMismatch:
        messages.error(request, NOT_SEEN)
    except ParentMoved:
        messages.warning(request, MOVED)
    else:
        messages.success(request, "Approved: the code is active for this person from now on.")
    return redirect("proposal", found.pk)


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def reject(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """Send a proposal back with a reason."""
    found = access.proposal(request.user, proposal_id)
    form = RejectForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form=form, status=422)
    try:
        reject_proposal(
            proposal_id=found.pk,
            actor=access.staff(request.user, Right.PROPOSALS_DECIDE),
            reason=form.cleaned_data["reason"],
            now=timezone.now(),
        )
    except NotOpen:
        return _too_late(request, found)
    messages.success(request, "Rejected: nothing has changed, and the facts go on waiting.")
    return redirect("proposal", found.pk)


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def changes(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """Ask for another attempt with a comment; bound to the digest that the page had shown."""
    found = access.proposal(request.user, proposal_id)
    form = ChangesForm(request.POST)
    if not form.is_valid():
        return _page(request, found, changes_form=form, status=422)
    try:
        request_changes(
            proposal_id=found.pk,
            digest=request.POST.get("digest", ""),
            actor=access.staff(request.user, Right.PROPOSALS_DECIDE),
            comment=form.cleaned_data["comment"],
            now=timezone.now(),
        )
    except NotOpen:
        return _too_late(request, found)
    except DigestMismatch:
        messages.error(request, NOT_SEEN)
    except CannotChange as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, "Asked for: a model writes another proposal with your comment.")
    return redirect("proposal", found.pk)


def _page(
    request: HttpRequest,
    found: Proposal,
    *,
    form: RejectForm | None = None,
    changes_form: ChangesForm | None = None,
    ticked: frozenset[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    modes = modes_of(request)
    context = {
        "page": page_of(found, modes.view),
        "story": story_of(found),
        "modes": modes,
        "form": form or RejectForm(),
        "changes_form": changes_form or ChangesForm(),
        "ticked": ticked,
        "now": timezone.now(),
    }
    return render(request, "memory/proposal.html", context, status=status)


def _too_late(request: HttpRequest, found: Proposal) -> HttpResponse:
    """Somebody, or a newer proposal, came first: say so and show how it stands."""
    current = access.proposal(request.user, found.pk)
    messages.warning(request, DECIDED.format(words=STATUS_WORDS[current.status][0]))
    return redirect("proposal", found.pk)
