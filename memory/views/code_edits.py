"""Writing code by hand: the pages on which staff edit files, have them checked, or restore some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory import access
from memory.access import NotFound
from memory.actions.bring_edit_over import bring_edit_over
from memory.actions.code_edits import (
    BadFile,
    EditMoved,
    EditStale,
    NotDraft,
    NotEditable,
    NothingToPropose,
    begin_edit,
    discard_edit,
    project_of_edit,
    put_back,
    remove_file,
    save_file,
    stop_checking,
    submit_edit,
)
from memory.actions.proposals import ReasonMissing
from memory.actions.restore_version import (
    CannotRestore,
    restore_version,
    restored,
    why_not_restored,
)
from memory.forms import RestoreForm
from memory.models import CodeEdit, EditStatus
from memory.project.review.render import show_diff
from memory.rights import Right
from memory.views.banner import banner_of
from memory.views.diff_modes import modes_of
from memory.views.edit_page import edit_page
from memory.views.pages import number_of, staff_page

UNDER_WAY = "You had begun this edit before; go on with it, or throw it away to begin another."
DECIDED = "That proposal has been decided; edit the code that is active instead."
ELSEWHERE = (
    "Nothing was saved: another page has saved this edit since. What you typed is still below; "
    "copy what you need of it, then open the file again."
)
CHECKED = "It is being checked. What you typed is kept whatever comes of it."
STALE = "Nothing was checked: {why}. Bring what you typed over to what is there now."


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def begin(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Begin to edit the code that is active for a person."""
    edit = begin_edit(user_id=user_id, actor=request.user, now=timezone.now())
    return _begun(request, edit, edit.follows_id is None)


@require_POST
@staff_page(Right.PROPOSALS_DECIDE)
def begin_of_proposal(request: HttpRequest, proposal_id: UUID) -> HttpResponse:
    """Begin to edit the code of a proposal."""
    found = access.proposal(request.user, proposal_id)
    try:
        edit = begin_edit(
            user_id=found.user_id, proposal_id=found.pk, actor=request.user, now=timezone.now()
        )
    except NotEditable:
        messages.error(request, DECIDED)
        return redirect("proposal", found.pk)
    return _begun(request, edit, edit.follows_id == found.pk)


def _begun(request: HttpRequest, edit: CodeEdit, wanted: bool) -> HttpResponse:
    if edit.revision or not wanted:
        messages.info(request, UNDER_WAY)
    return redirect("edit", edit.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.PROPOSALS_DECIDE)
def edit(request: HttpRequest, edit_id: UUID) -> HttpResponse:
    """An edit and its files, `?file=` in the text area; every button keeps what was typed."""
    found = access.code_edit(request.user, edit_id)
    if found.status == EditStatus.PROPOSED and found.proposal_id is not None:
        return redirect("proposal", found.proposal_id)
    if found.status == EditStatus.DISCARDED:
        raise NotFound
    if request.method != "POST":
        return _page(request, found, request.GET.get("file", ""))
    try:
        return _done(request, found)
    except NotDraft:
        messages.warning(request, "It is being checked, so that nothing of it can be changed now.")
        return redirect("edit", found.pk)
    except (EditMoved, BadFile, NothingToPropose, EditStale) as error:
        return _refused(request, found, error)


def _done(request: HttpRequest, found: CodeEdit) -> HttpResponse:
    """Keep what was typed, then do what the button says: `do` is a verb, or one and a path."""
    verb, _, path = request.POST.get("do", "save").partition(" ")
    by = _Hand(found.pk, request.user, timezone.now())
    if verb == "discard":
        discard_edit(edit_id=by.edit_id, actor=by.actor, now=by.now)
        messages.success(request, "Thrown away; nothing was changed.")
        return redirect("versions", found.user_id)
    if verb == "stop":
        stop_checking(edit_id=by.edit_id, actor=by.actor, now=by.now)
        return redirect("edit", found.pk)
    opened, revision = request.POST.get("file", ""), number_of(request.POST.get("revision"))
    revision = -1 if revision is None else revision
    if opened and "text" in request.POST:
        revision = by.keep(revision, opened, request.POST["text"])
    match verb:
        case "add":
            opened = request.POST.get("path", "").strip()
            if opened in project_of_edit(access.code_edit(by.actor, by.edit_id)).files:
                raise BadFile(f"{opened} is there already")
            by.keep(revision, opened, _beginning(opened))
        case "remove":
            by.act(remove_file, revision, path)
        case "back":
            by.act(put_back, revision, path)
        case "open":
            opened = path
        case "over":
            bring_edit_over(edit_id=by.edit_id, revision=revision, actor=by.actor, now=by.now)
        case "check":
            submit_edit(
                edit_id=by.edit_id,
                revision=revision,
                summary=request.POST.get("summary", ""),
                drops_readings="drops" in request.POST,
                actor=by.actor,
                now=by.now,
            )
            messages.success(request, CHECKED)
    line = number_of(request.GET.get("line"))
    query = {"file": opened} | ({"line": str(line)} if line else {})
    return redirect(f"{reverse('edit', args=[found.pk])}?{urlencode(query)}")


@dataclass(frozen=True)
class _Hand:
    """Who saves which edit, and when."""

    edit_id: UUID
    actor: access.Somebody
    now: datetime

    def keep(self, revision: int, path: str, text: str) -> int:
        """Keep a file as it was typed; the revision that makes."""
        edit = save_file(
            edit_id=self.edit_id,
            revision=revision,
            path=path,
            text=text,
            actor=self.actor,
            now=self.now,
        )
        return edit.revision

    def act(self, verb: Callable[..., CodeEdit], revision: int, path: str) -> None:
        """Take a file away, or put it back."""
        verb(edit_id=self.edit_id, revision=revision, path=path, actor=self.actor, now=self.now)


def _beginning(path: str) -> str:
    """What a new file has in it, so that its writer sees what is wanted there."""
    if path.startswith("rules/"):
        return (
            '"""What it watches, in a sentence."""\n\nfrom datetime import date\n\n'
            "from uac import Alert\n\n\ndef check(today: date) -> list[Alert]:\n    return []\n"
        )
    return '"""What it holds, in a sentence."""\n'


def _refused(request: HttpRequest, found: CodeEdit, error: Exception) -> HttpResponse:
    """Show the page with all that was typed, and why nothing came of it."""
    words = ELSEWHERE if isinstance(error, EditMoved) else f"{str(error)[:500]}."
    if isinstance(error, EditStale):
        words = STALE.format(why=error)
    current = access.code_edit(request.user, found.pk)
    typed = request.POST.get("text") if isinstance(error, EditMoved | BadFile) else None
    return _page(
        request,
        current,
        request.POST.get("file", ""),
        typed=typed,
        wrong=words,
        summary=request.POST.get("summary", ""),
        status=409 if isinstance(error, EditMoved | EditStale) else 422,
    )


def _page(
    request: HttpRequest,
    found: CodeEdit,
    wanted: str,
    *,
    typed: str | None = None,
    wrong: str = "",
    summary: str | None = None,
    status: int = 200,
) -> HttpResponse:
    page = edit_page(found, wanted, typed)
    line = request.GET.get("line", "")
    context = {
        "page": page,
        "person": found.user,
        "banner": banner_of(found.user),
        "wrong": wrong,
        "summary": found.summary if summary is None else summary,
        "line": line if line.isdigit() and len(line) < 7 else "",
    }
    return render(request, "memory/edit.html", context, status=status)


@require_safe
@staff_page(Right.PROPOSALS_DECIDE)
def edit_status(request: HttpRequest, edit_id: UUID) -> HttpResponse:
    """Where an edit stands, in a word, for a page that waits."""
    found = access.code_edit(request.user, edit_id)
    return HttpResponse(found.status, content_type="text/plain; charset=utf-8")


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.PROPOSALS_DECIDE)
def restore(request: HttpRequest, user_id: UUID, number: int) -> HttpResponse:
    """Bring an earlier version back as a new one: what would change, why not, and the reason."""
    person = access.memory_user(request.user, user_id, Right.PROPOSALS_DECIDE)
    what = restored(person, number)
    form = RestoreForm(request.POST or None)
    refused: list[str] = why_not_restored(person, what)
    if request.method == "POST" and form.is_valid():
        try:
            edit = restore_version(
                user_id=person.pk,
                number=number,
                reason=form.cleaned_data["reason"],
                actor=request.user,
                now=timezone.now(),
            )
        except CannotRestore as error:
            refused = str(error).splitlines()
        except ReasonMissing as error:
            form.add_error("reason", str(error))
        else:
            messages.success(request, CHECKED)
            return redirect("edit", edit.pk)
    modes = modes_of(request)
    files = show_diff(what.code.project.files, what.rebased.project.files, modes.view)
    context = {
        "person": person,
        "banner": banner_of(person),
        "what": what,
        "refused": refused,
        "form": form,
        "files": files,
        "modes": modes,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "memory/restore.html", context, status=status)
