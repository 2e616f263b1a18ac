"""Comments on lines of a proposal: the form below a line, what is said there, what is settled."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from memory import access
from memory.access import NotFound
from memory.actions.line_comments import (
    AlreadyResolved,
    NoSuchLine,
    NothingSaid,
    TooMany,
    comment_line,
    line_text,
    resolve_comment,
)
from memory.actions.proposals import DigestMismatch, NotOpen
from memory.code import load_project
from memory.models import Proposal
from memory.project.review.tree import changed_files
from memory.rights import Right
from memory.views.line_threads import Thread, comments_on, place_of, place_said, thread_at
from memory.views.pages import staff_page

OVER = "It has been decided meanwhile, or its code is another: nothing more is said of its lines."


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.PROPOSALS_DECIDE)
def comments(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """The place for a comment on the line `?at=`, as a fragment; or what is said there, stored.

    Without JavaScript the proposal's own page has the form, and is where a post leads back to.
    """
    found = access.proposal(request.user, proposal_id)
    if request.method != "POST":
        return _fragment(request, asked_thread(found, request.GET.get("at", "")))
    at, text = request.POST.get("at", ""), request.POST.get("text", "")
    try:
        place = place_of(at, paths_of(found))
        line_text(found, place)
        said = comment_line(
            proposal_id=found.pk,
            digest=request.POST.get("digest", ""),
            place=place,
            text=text,
            actor=request.user,
            now=timezone.now(),
        )
    except NoSuchLine as error:
        raise NotFound from error
    except (NothingSaid, TooMany) as error:
        thread = thread_at(found, place, saying=text, wrong=f"{error}.")
        return _fragment(request, thread, status=422)
    except (NotOpen, DigestMismatch):
        thread = thread_at(found, place, saying=text, wrong=OVER)
        return _fragment(request, thread, status=409)
    if _by_fetch(request):
        return _fragment(request, thread_at(found, place))
    return redirect(f"{reverse('proposal', args=[found.pk])}#comment-{said.pk}")


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def resolve(request: HttpRequest, comment_id: int) -> HttpResponse:
    """Hold a comment for settled."""
    found = access.line_comment(request.user, comment_id)
    try:
        resolve_comment(comment_id=found.pk, actor=request.user, now=timezone.now())
    except AlreadyResolved:
        messages.info(request, "Somebody has settled it already.")
    if _by_fetch(request):
        return _fragment(request, thread_at(found.proposal, place_said(found)))
    return redirect(f"{reverse('proposal', args=[found.proposal_id])}#comment-{found.pk}")


def asked_thread(proposal: Proposal, at: str) -> Thread:
    """The thread with a form that an address asks for. Raises NotFound."""
    try:
        return thread_at(proposal, place_of(at, paths_of(proposal)), saying="")
    except NoSuchLine as error:
        raise NotFound from error


def paths_of(proposal: Proposal) -> list[str]:
    """The files that a proposal's diff shows."""
    before, after = load_project(proposal.parent), load_project(proposal.tree_id)
    return [one.path for one in changed_files(before.files, after.files)]


def _fragment(request: HttpRequest, thread: Thread, status: int = 200) -> HttpResponse:
    context = {
        "thread": thread,
        "person": thread.proposal.user,
        "comments": comments_on(thread.proposal),
        "proposal": thread.proposal,
        "whole": not _by_fetch(request),
    }
    return render(request, "memory/thread_page.html", context, status=status)


def _by_fetch(request: HttpRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"
