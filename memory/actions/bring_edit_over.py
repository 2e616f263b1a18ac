"""Put what somebody wrote by hand on code that has changed meanwhile."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory import access
from memory.actions.code_edits import differences, draft, hands_of, project_of_edit, saved
from memory.code import code_of, load_project
from memory.models import CodeEdit, Proposal
from memory.project.rebase import rebase


@transaction.atomic
def bring_edit_over(
    *, edit_id: UUID, revision: int, actor: access.Somebody, now: datetime
) -> CodeEdit:
    """Put what was typed on the code and the proposal that are there now, line by line.

    Where both sides changed the same lines, what was typed stays, and the edit says so. Raises
    access.NotFound, NotDraft and EditMoved.
    """
    edit = draft(edit_id, revision, actor)
    mine, active = project_of_edit(edit), code_of(edit.user).project
    lines: list[str] = []
    if edit.parent != active.digest:
        rebased = rebase(mine, load_project(edit.parent), active)
        mine, base = rebased.project, active
        lines += _merged(rebased.merged, rebased.kept)
        edit.parent = active.digest
    else:
        base = load_project(edit.base)
    opened = Proposal.objects.open().filter(user=edit.user, parent=active.digest).first()
    if opened is not None and opened.pk != edit.follows_id:
        theirs = load_project(opened.tree_id)
        rebased = rebase(mine, base, theirs)
        mine, base = rebased.project, theirs
        lines += _merged(rebased.merged, rebased.kept)
        edit.hands, edit.follows = sorted(hands_of(edit)), opened
    edit.base = base.digest
    detail = "\n".join(lines or ["nothing that you had changed was changed by others"])
    edit.checks = [{"name": "brought over", "ok": not lines, "detail": detail, "seconds": 0.0}]
    return saved(edit, differences(base, mine), now)


def _merged(merged: tuple[str, ...], kept: tuple[str, ...]) -> list[str]:
    return [
        *(f"{path}: changed on both sides, put together; look at it" for path in merged),
        *(f"{path}: changed on both sides in the same place; your text stays" for path in kept),
    ]
