"""Write code by hand: an edit is begun, saved file by file, checked, and becomes a proposal.

It is bound to the tree that it began from. All that was typed is kept until it is a proposal or its
author throws it away. Whoever wrote of it may not approve it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import access, audit
from memory.actions.jobs import enqueue
from memory.actions.proposals import locked
from memory.checkpointer.structuring.bounds import FOREIGN
from memory.code import code_of, load_project
from memory.models import CodeEdit, EditStatus, MemoryUser, Proposal, ProposalStatus
from memory.project.policy.check import PLACES
from memory.project.tree import Project
from memory.rights import Right

JOB = "edit"
UNDER_WAY = (EditStatus.DRAFT, EditStatus.CHECKING)
EDITED = (ProposalStatus.OPEN, ProposalStatus.FAILED, ProposalStatus.SUPERSEDED)
"""Proposals from which somebody may go on writing."""
LONGEST_FILE = 200_000
MOST_FILES = 200
LONGEST_SUMMARY = 2_000


class NotEditable(Exception):
    """The proposal has been decided."""


class NotDraft(Exception):
    """The edit is being checked, or is a proposal, or was thrown away."""


class EditMoved(Exception):
    """Another page saved the edit since this one was opened; nothing was written."""


class EditStale(Exception):
    """The code or the proposal that the edit began from is not in force any more."""


class BadFile(ValueError):
    """A file that cannot stand where it is to stand, or is too long."""


class NothingToPropose(ValueError):
    """An edit in which nothing differs, or that does not say what it changes."""


@transaction.atomic
def begin_edit(
    *, user_id: UUID, actor: access.Somebody, now: datetime, proposal_id: UUID | None = None
) -> CodeEdit:
    """Begin an edit of the person's active code or of a proposal; the one under way, if there is.

    Raises PermissionDenied, access.NotFound and NotEditable.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    user = access.memory_user(staff, user_id, Right.PROPOSALS_DECIDE, lock=True)
    under_way = CodeEdit.objects.filter(user=user, author=staff, status__in=UNDER_WAY).first()
    if under_way is not None:
        return under_way
    active = code_of(user).project.digest
    base, parent, follows = active, active, None
    if proposal_id is not None:
        follows, _ = locked(staff, proposal_id)
        if follows.user_id != user.pk or follows.status not in EDITED:
            raise NotEditable(proposal_id)
        base, parent = follows.tree_id, follows.parent
    edit = CodeEdit.objects.create(
        user=user,
        author=staff,
        base=base,
        parent=parent,
        follows=follows,
        created_at=now,
        changed_at=now,
    )
    record_of(edit, "edit.begin", staff, now)
    return edit


def project_of_edit(edit: CodeEdit) -> Project:
    """The project as the edit has it."""
    files = dict(load_project(edit.base).files)
    for path, text in edit.files.items():
        if text is None:
            files.pop(path, None)
        else:
            files[path] = text
    return Project(files)


@transaction.atomic
def save_file(
    *, edit_id: UUID, revision: int, path: str, text: str, actor: access.Somebody, now: datetime
) -> CodeEdit:
    """Keep a file as it was typed; `revision` is that of the page it was typed on.

    Raises access.NotFound, NotDraft, EditMoved and BadFile.
    """
    edit = draft(edit_id, revision, actor)
    if not any(place.fullmatch(path) for place in PLACES.values()) and path not in edit.files:
        raise BadFile(f"{path[:200]}: {FOREIGN}")
    text = _typed(text)
    if len(text) > LONGEST_FILE:
        raise BadFile(f"{path}: a file has {LONGEST_FILE:,} characters at most")
    before = load_project(edit.base).files.get(path)
    same = before is not None and _typed(before) == text
    files = {**edit.files, path: text}
    if same:
        del files[path]
    if len(files) > MOST_FILES:
        raise BadFile(f"an edit changes {MOST_FILES} files at most")
    return saved(edit, files, now)


@transaction.atomic
def remove_file(
    *, edit_id: UUID, revision: int, path: str, actor: access.Somebody, now: datetime
) -> CodeEdit:
    """Take a file away. Raises access.NotFound, NotDraft, EditMoved and BadFile."""
    edit = draft(edit_id, revision, actor)
    if path not in project_of_edit(edit).files:
        raise BadFile(f"{path[:200]}: there is no such file")
    files = {**edit.files, path: None}
    if path not in load_project(edit.base).files:
        del files[path]
    return saved(edit, files, now)


@transaction.atomic
def put_back(
    *, edit_id: UUID, revision: int, path: str, actor: access.Somebody, now: datetime
) -> CodeEdit:
    """Have a file as it was where the edit began. Raises access.NotFound, NotDraft, EditMoved."""
    edit = draft(edit_id, revision, actor)
    return saved(edit, {one: text for one, text in edit.files.items() if one != path}, now)


@transaction.atomic
def submit_edit(
    *,
    edit_id: UUID,
    revision: int,
    summary: str,
    drops_readings: bool,
    actor: access.Somebody,
    now: datetime,
) -> CodeEdit:
    """Have the edit checked, from the queue; if all is well it becomes a proposal.

    Raises access.NotFound, NotDraft, EditMoved, NothingToPropose and EditStale.
    """
    edit = draft(edit_id, revision, actor)
    edit.summary = summary.replace("\0", "").strip()[:LONGEST_SUMMARY]
    edit.drops_readings = drops_readings
    if not edit.summary:
        raise NothingToPropose("say what changes and why: the reviewer reads it first")
    if project_of_edit(edit).digest in (edit.parent, edit.base):
        raise NothingToPropose("nothing differs from the code that this began from")
    if why := why_stale(edit):
        raise EditStale(why)
    edit.status, edit.checks = EditStatus.CHECKING, []
    edit.changed_at = now
    edit.save()
    enqueue(name=JOB, user=edit.user, now=now)
    record_of(edit, "edit.check", edit.author, now)
    return edit


@transaction.atomic
def stop_checking(*, edit_id: UUID, actor: access.Somebody, now: datetime) -> CodeEdit:
    """Have an edit that is being checked back as a draft. Raises access.NotFound and NotDraft."""
    edit = access.code_edit(actor, edit_id, lock=True)
    if edit.status != EditStatus.CHECKING:
        raise NotDraft(edit_id)
    edit.status, edit.changed_at = EditStatus.DRAFT, now
    edit.revision += 1
    edit.save()
    return edit


@transaction.atomic
def discard_edit(*, edit_id: UUID, actor: access.Somebody, now: datetime) -> None:
    """Throw an edit away, also one that is being checked. Raises access.NotFound and NotDraft."""
    edit = access.code_edit(actor, edit_id, lock=True)
    if edit.status not in UNDER_WAY:
        raise NotDraft(edit_id)
    edit.status, edit.files, edit.changed_at = EditStatus.DISCARDED, {}, now
    edit.save()
    record_of(edit, "edit.discard", edit.author, now)


def hands_of(edit: CodeEdit) -> set[int]:
    """The ids of all staff who may have written any of it: its author, and whoever's it went on
    from, also before it was brought over."""
    return {edit.author_id, *edit.hands, *(edit.follows.hands if edit.follows else ())}


def why_stale(edit: CodeEdit) -> str:
    """Why an edit cannot be proposed on what it began from; empty where it can."""
    if code_of(edit.user).project.digest != edit.parent:
        return "the person's code has changed since"
    opened = Proposal.objects.open().brief().filter(user=edit.user).first()
    if opened is not None and opened.pk != edit.follows_id:
        return "another proposal has been made since"
    return ""


def differences(base: Project, mine: Project) -> dict[str, str | None]:
    """The files in which one project differs from another; null for one that it lacks."""
    paths = base.files.keys() | mine.files.keys()
    return {
        path: mine.files.get(path)
        for path in sorted(paths)
        if base.files.get(path) != mine.files.get(path)
    }


def start_checking(
    *, user: MemoryUser, staff: Staff, project: Project, summary: str, now: datetime
) -> CodeEdit:
    """Have a whole project checked as an edit of the active code, for a locked person."""
    active = code_of(user).project
    edit = CodeEdit.objects.create(
        user=user,
        author=staff,
        base=active.digest,
        parent=active.digest,
        files=differences(active, project),
        summary=summary,
        status=EditStatus.CHECKING,
        created_at=now,
        changed_at=now,
    )
    enqueue(name=JOB, user=user, now=now)
    return edit


def draft(edit_id: UUID, revision: int, actor: access.Somebody) -> CodeEdit:
    """An edit to write in, locked. Raises access.NotFound, NotDraft and EditMoved."""
    edit = access.code_edit(actor, edit_id, lock=True)
    if edit.status != EditStatus.DRAFT:
        raise NotDraft(edit_id)
    if edit.revision != revision:
        raise EditMoved(edit_id)
    return edit


def saved(edit: CodeEdit, files: Mapping[str, str | None], now: datetime) -> CodeEdit:
    """The locked edit with these files; another revision of it where anything is new."""
    if files != edit.files or edit.checks:
        edit.files, edit.changed_at = dict(files), now
        edit.revision += 1
        edit.save()
    return edit


def _typed(text: str) -> str:
    """What a text area makes of a text, with an end to its last line; forms send CR LF."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return text if not text or text.endswith("\n") else text + "\n"


def record_of(edit: CodeEdit, action: str, staff: Staff, now: datetime) -> None:
    """Record in the audit what somebody did with an edit."""
    audit.record(action, actor=staff, now=now, person=edit.user_id, of="edit", object_id=edit.pk)
