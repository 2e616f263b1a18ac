"""Send a proposal back with a comment, for a language model to write the next one."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory import access
from memory.actions.line_comments import as_asked, unresolved
from memory.actions.needs import note_comment, reopen_needs
from memory.actions.proposals import DigestMismatch, NotOpen, ReasonMissing, decide, locked
from memory.actions.propose import clear_provisional
from memory.actions.wait import set_reasons
from memory.checkpointer.model.config import model_config
from memory.models import Proposal, ProposalStatus, Stage
from memory.rights import Right

NO_MODEL = "no language model is configured that could write it anew; reject it instead"
NOT_ASKED_FOR = "no model wrote it, and what it is made from would lead to the same; reject it"
LONGEST_COMMENT = 4_000


class CannotChange(ValueError):
    """Nobody could write the proposal anew; it says why, and what to do instead."""


def why_not_changed(proposal: Proposal) -> str:
    """Why changes of this proposal cannot be asked for; empty where they can."""
    if not model_config().model_for(Stage.STRUCTURE):
        return NO_MODEL
    if not proposal.needs.exists():
        return NOT_ASKED_FOR
    return ""


@transaction.atomic
def request_changes(
    *, proposal_id: UUID, digest: str, actor: access.Somebody, comment: str, now: datetime
) -> Proposal:
    """Ask for another attempt at a proposal, bound to the digest that the reviewer saw.

    What asked for it asks again, with the comment and those on lines that nobody has settled; its
    provisional alerts go. Raises PermissionDenied, access.NotFound, NotOpen, DigestMismatch,
    ReasonMissing where there is neither sort of comment, and CannotChange.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    comment = comment.replace("\0", "").strip()[:LONGEST_COMMENT]
    proposal, user = locked(staff, proposal_id)
    lines = as_asked(proposal, unresolved(proposal))
    if not comment and not lines:
        raise ReasonMissing("say what is to be changed")
    if proposal.status != ProposalStatus.OPEN:
        raise NotOpen(proposal.pk)
    if proposal.digest != digest:
        raise DigestMismatch(proposal.pk)
    if reason := why_not_changed(proposal):
        raise CannotChange(reason)
    decide(proposal, ProposalStatus.CHANGES, staff, comment, now)
    words = f"changes of its proposal were asked for: {comment or 'see the comments on its lines'}"
    set_reasons(user=user, reasons=dict.fromkeys(proposal.readings, words))
    note_comment(user=user, proposal=proposal, comment=comment, lines=lines, now=now)
    reopen_needs(proposal_id=proposal.pk, reason=words, now=now)
    clear_provisional(user=user, now=now)
    return access.proposal(staff, proposal_id)
