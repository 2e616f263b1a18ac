"""Proposed code: a proposal's page, and the decision."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory import access
from memory.access import NotFound
from memory.actions.approvals import AlreadyApproved, OwnProposal
from memory.actions.change_requests import CannotChange, request_changes
from memory.actions.proposals import (
    DigestMismatch,
    NotOpen,
    ReasonMissing,
    RecordsMoved,
    approve_proposal,
    reject_proposal,
)
from memory.actions.propose import ParentMoved
from memory.actions.rebuild import JOB, NotMoved, ask_rebuild
from memory.actions.ticks import NotTicked
from memory.code import load_project
from memory.forms import ChangesForm, RejectForm
from memory.models import Job, Proposal
from memory.project.review.tree import key_of
from memory.rights import Right
from memory.views.approval_lines import approvals_of
from memory.views.diff_modes import modes_of
from memory.views.line_comments import asked_thread, paths_of
from memory.views.line_threads import comments_on, threads_of, with_threads
from memory.views.pages import staff_page
from memory.views.proposal_page import STATUS_WORDS, page_of
from memory.views.proposal_story import story_of

DECIDED = "This proposal has been {words} meanwhile; nothing was changed."
NOT_SEEN = "The code is not what this page had shown. Look at it as it is now, and decide anew."
MOVED = (
    "Nothing was approved: the person's code has changed since this was proposed. "
    "Have it rebuilt on the code that is active now."
)
MISFIT = (
    "Nothing was approved: something was recorded meanwhile for which this code has no place. "
    "{then}"
)
ANEW = "It is being built again."
BY_HAND = "Edit it so that it has."
OWN = "Nothing was approved: you wrote some of this code, so that another reviewer has to decide."
REBUILDING = "It is being built again and checked. This page says where the new one is."
TWICE = "You have approved it already. It takes another reviewer."
APPROVED = "Approved: the code is active for this person from now on."
FIRST = "Your approval is recorded. The code becomes active with that of another reviewer."


@require_safe
@staff_page(Right.PROPOSALS_DECIDE)
def proposal(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """One proposal with all that a decision needs, its diff as `DiffModes` say."""
    return _page(request, access.proposal(request.user, proposal_id))


@require_safe
@staff_page(Right.PROPOSALS_DECIDE)
def proposal_file(request: HttpRequest, proposal_id: UUID, key: str) -> HttpResponse:
    """A changed file as plain text to keep, `?side=old` as it was: all of it, however long."""
    found = access.proposal(request.user, proposal_id)
    tree = found.parent if request.GET.get("side") == "old" else found.tree_id
    files = load_project(tree).files
    path = next((one for one in paths_of(found) if key_of(one) == key and one in files), None)
    if path is None:
        raise NotFound
    answer = HttpResponse(files[path], content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{key}.txt"'
    return answer


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def approve(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """Make the proposed code the person's own; bound to the digest that the page had shown.

    Takes a tick at each doubt; without one the page says what was left out, with 422.
    """
    found = access.proposal(request.user, proposal_id)
    ticked = frozenset(request.POST.getlist("ticked"))
    try:
        done = approve_proposal(
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
    except OwnProposal:
        messages.error(request, OWN)
    except AlreadyApproved:
        messages.info(request, TWICE)
    except RecordsMoved:
        messages.warning(request, MISFIT.format(then=BY_HAND if found.hands else ANEW))
    except ParentMoved:
        messages.warning(request, MOVED)
    else:
        messages.success(request, FIRST if done.left else APPROVED)
    return _back(found)


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
    return _back(found)


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
    except ReasonMissing:
        form.add_error("comment", "Say in a few words what is to be changed.")
        return _page(request, found, changes_form=form, status=422)
    except CannotChange as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, "Asked for: a model writes another proposal with your comment.")
    return _back(found)


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def rebuild(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """Have it built again on the code that is active now."""
    found = access.proposal(request.user, proposal_id)
    try:
        ask_rebuild(proposal_id=found.pk, actor=request.user, now=timezone.now())
    except NotOpen:
        return _too_late(request, found)
    except NotMoved:
        messages.info(request, "It is built on the code that is active now; nothing was changed.")
    else:
        messages.success(request, REBUILDING)
    return _back(found)


def _page(
    request: HttpRequest,
    found: Proposal,
    *,
    form: RejectForm | None = None,
    changes_form: ChangesForm | None = None,
    ticked: frozenset[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    modes, now = modes_of(request), timezone.now()
    page = page_of(found, modes.view)
    comments = comments_on(found)
    threads = threads_of(found, comments)
    if at := request.GET.get("at"):
        asked = asked_thread(found, at)
        threads = [*(one for one in threads if one.at != asked.at), asked]
    context = {
        "page": replace(page, files=with_threads(request, page.files, threads, modes.view)),
        "rebuilding": Job.objects.under_way().filter(user=found.user_id, name=JOB).exists(),
        "comments": comments,
        "asked_before": comments_on(found.follows) if found.follows else (),
        "approvals": approvals_of(found, access.staff(request.user, Right.PROPOSALS_DECIDE)),
        "evidence": page.evidence,
        "story": story_of(found),
        "modes": modes,
        "form": form or RejectForm(),
        "changes_form": changes_form or ChangesForm(),
        "ticked": ticked,
        "now": now,
        "today": found.user.local_date(now),
    }
    return render(request, "memory/proposal.html", context, status=status)


def _back(found: Proposal) -> HttpResponse:
    """To the top of the page, where what came of it stands: the form's own address has a place."""
    return redirect(f"{reverse('proposal', args=[found.pk])}#main")


def _too_late(request: HttpRequest, found: Proposal) -> HttpResponse:
    """Somebody, or a newer proposal, came first: say so and show how it stands."""
    current = access.proposal(request.user, found.pk)
    messages.warning(request, DECIDED.format(words=STATUS_WORDS[current.status][0]))
    return _back(found)
