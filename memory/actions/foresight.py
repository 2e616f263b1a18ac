"""Foresee what the rules of an open proposal would say, as long as nobody has decided it.

They were run when it was proposed. What is recorded while it waits, and each new day, has them run
again: a danger that only they know of is shown before they are approved.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from memory.actions.jobs import enqueue
from memory.actions.outlines import foreseen_outline
from memory.actions.place_proposed import would_say
from memory.code import Code, code_of, load_project
from memory.evaluator import Would, evaluator
from memory.models import MemoryUser, Proposal
from memory.refit import changed_rules


@dataclass(frozen=True)
class Foreseen:
    """What the rules of a proposal would raise, and of what: the heads of the log, and the date."""

    proposal: Proposal
    would: Would
    seen: tuple[int, int, date]


def foresee_anew(*, user: MemoryUser, now: datetime) -> None:
    """Have it done from the queue, in the transaction at hand; nothing where none is open.

    Whoever adds to the log of a locked person says so here; it asks the database nothing then.
    """
    if user.foresees_since is not None:
        enqueue(name="foresee", user=user, now=now)


def foresee(*, user_id: UUID, now: datetime) -> Foreseen | None:
    """Run the rules, outside any transaction; None where no proposal with rules of its own is open.

    What a rule that fails said before stays. Raises NoWorker where the sandbox has no room.
    """
    opened = Proposal.objects.open().filter(user=user_id, user__foresees_since__isnull=False)
    proposal = opened.select_related("user").first()
    if proposal is None:
        return None
    user = proposal.user
    code = Code(load_project(proposal.tree_id), load_project(proposal.baseline_id))
    would = evaluator().would_find(
        user=user,
        project=code.project,
        rules=changed_rules(code_of(user).project, code.project),
        placed=would_say(user, code, proposal.placements),
        now=now,
    )
    before = proposal.provisional["found"]
    kept = (one for one in before if one["rule"] in would.failed)
    return Foreseen(proposal, Would((*would.found, *kept), would.failed), _seen(user, now))


def show_foreseen(*, foreseen: Foreseen, now: datetime) -> None:
    """Let it stand as provisional if the proposal is open still, as the last thing of a job.

    Where something was recorded meanwhile, or a day began, or another proposal took its place, the
    next job is queued.
    """
    proposal, would = foreseen.proposal, foreseen.would
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=proposal.user_id)
    opened = Proposal.objects.open().filter(pk=proposal.pk)
    found = would.as_json()
    is_open = bool(opened.update(provisional=found, **foreseen_outline(proposal.outline, would)))
    if not is_open or _seen(user, now) != foreseen.seen:
        foresee_anew(user=user, now=now)
    if is_open:
        evaluator().show_provisional(user=user, proposal=proposal, found=would, now=now)


def _seen(user: MemoryUser, now: datetime) -> tuple[int, int, date]:
    return user.fact_seq, user.reading_seq, user.local_date(now)
