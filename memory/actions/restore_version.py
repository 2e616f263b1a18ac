"""Bring an earlier approved version of a person's code back, as a new one.

What was good once may not fit what has been recorded since, and what it would take away may be what
keeps somebody safe today. So it is checked and replayed like any other change, and another reviewer
decides: whoever restores counts as its author.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory import access
from memory.actions.code_edits import LONGEST_SUMMARY, UNDER_WAY, record_of, start_checking
from memory.actions.proposals import ReasonMissing
from memory.code import Code, code_of, load_project
from memory.models import CodeEdit, CodeVersion, MemoryUser, Proposal
from memory.project.rebase import Rebased, rebase
from memory.refit import misfits
from memory.rights import Right

MOST_NAMED = 10


class CannotRestore(ValueError):
    """The version cannot be brought back as things are; a line for each reason."""


@dataclass(frozen=True)
class Restored:
    """A version on the baseline that the person has today."""

    version: CodeVersion
    code: Code
    rebased: Rebased


def restored(user: MemoryUser, number: int) -> Restored:
    """What a version would be today: its own files as they were, all else of today's baseline.

    Raises access.NotFound.
    """
    found = CodeVersion.objects.filter(user=user, number=number).select_related("approved_by")
    version = found.first()
    if version is None:
        raise access.NotFound
    code = code_of(user)
    project, old = load_project(version.tree_id), load_project(version.baseline_id)
    return Restored(version, code, rebase(project, old, code.baseline))


def why_not_restored(user: MemoryUser, what: Restored) -> list[str]:
    """Why a version cannot be brought back, a line each; nothing where it can."""
    before, after = what.code.project, what.rebased.project
    if before.digest == after.digest:
        return ["it is the code that is active already"]
    lines = []
    if Proposal.objects.open().filter(user=user).exists():
        lines.append("another proposal waits for a decision, which this would take the place of")
    stranded = list(misfits(user, before, after))
    kinds = Counter((kind, why) for kind, _, why in stranded)
    for (kind, why), count in sorted(kinds.items())[:MOST_NAMED]:
        records = "1 record" if count == 1 else f"{count:,} records"
        lines.append(f"{records} of {kind} would have no place in it: {why}")
    if len(kinds) > MOST_NAMED:
        lines.append(f"and {len(kinds) - MOST_NAMED:,} more reasons of that sort")
    return lines


@transaction.atomic
def restore_version(
    *, user_id: UUID, number: int, reason: str, actor: access.Somebody, now: datetime
) -> CodeEdit:
    """Have an earlier version checked and proposed, from the queue; the edit that becomes of it.

    Raises PermissionDenied, access.NotFound, ReasonMissing and CannotRestore.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    user = access.memory_user(staff, user_id, Right.PROPOSALS_DECIDE, lock=True)
    reason = reason.replace("\0", "").strip()[: LONGEST_SUMMARY - 200]
    if not reason:
        raise ReasonMissing("say why it is brought back")
    what = restored(user, number)
    lines = why_not_restored(user, what)
    if CodeEdit.objects.filter(user=user, author=staff, status__in=UNDER_WAY).exists():
        lines.append("you are writing code for this person by hand: propose or discard that first")
    if lines:
        raise CannotRestore("\n".join(lines))
    summary = "\n".join([f"Version {number} is brought back: {reason}", *_notes(what.rebased)])
    edit = start_checking(
        user=user, staff=staff, project=what.rebased.project, summary=summary, now=now
    )
    record_of(edit, "code.restore", staff, now)
    return edit


def _notes(rebased: Rebased) -> list[str]:
    """Where the baseline has changed under the version since, a line a file."""
    return [
        *(f"{path} has changed in the baseline since: put together." for path in rebased.merged),
        *(
            f"{path} has changed there since in the same place: the version's text stays."
            for path in rebased.kept
        ),
    ]
