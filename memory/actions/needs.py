"""Note what asks for code, have it structured where a model is configured, and settle it.

A need is noted in the transaction that stores what asks. It stands until a proposal that answers it
is approved or rejected; a proposal that falls by the way leaves it open again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max, Min

from memory import access, audit
from memory.access import Somebody
from memory.actions.asking import Asked, asked_by
from memory.actions.jobs import enqueue
from memory.checkpointer.model.config import model_config
from memory.evaluator import Concern
from memory.models import (
    Fact,
    Job,
    JobStatus,
    MemoryUser,
    Need,
    NeedCause,
    NeedStatus,
    Proposal,
    Stage,
)
from memory.models.need import NeedQuerySet
from memory.rights import Right

PATIENCE = timedelta(days=1)
"""How long what is not urgent waits for company."""
SWEEP_PEOPLE = 50
REST = timedelta(minutes=30)
REST_BROKEN = timedelta(hours=6)
ENDED_BADLY = (JobStatus.FAILED, JobStatus.CANCELLED)
STANDING = (NeedStatus.OPEN, NeedStatus.PROPOSED, NeedStatus.FAILED)
LONGEST_REASON = 2_000


class NotFailed(Exception):
    """The need does not stand as failed any more."""


class NoSuchFact(ValueError):
    """The person has no fact of that number."""


def note_needs(
    *, user: MemoryUser, seqs: Iterable[int], now: datetime, noticed: Sequence[Concern] = ()
) -> int:
    """Note what the facts that were just read ask for, of a locked person; how much that is.

    `noticed` is what the model was concerned about as it read them. What is urgent is structured at
    once, where a model is configured.
    """
    asked = asked_by(user, list(seqs), noticed)
    noted = Need.objects.bulk_create(
        [
            Need(
                user=user,
                fact_seq=one.fact_seq,
                cause=one.cause,
                needs=one.needs,
                about=dict(one.about),
                noted_at=now,
                changed_at=now,
            )
            for one in asked
        ],
        ignore_conflicts=True,
    )
    enqueue_structure(user=user, now=now)
    return len(noted)


def enqueue_structure(*, user: MemoryUser, now: datetime, urgent: bool = True) -> bool:
    """Have the open needs structured; without a model they go on waiting. Whether they will be.

    Needs of cause `age` start nothing for a day, unless `urgent` is False.
    """
    if not model_config().model_for(Stage.STRUCTURE):
        return False
    needs = Need.objects.open().filter(user=user)
    if not (_due(needs, now) if urgent else needs).exists():
        return False
    enqueue(name="structure", user=user, now=now)
    return True


def _due(needs: NeedQuerySet, now: datetime) -> NeedQuerySet:
    return needs.exclude(cause=NeedCause.AGE, noted_at__gt=now - PATIENCE)


def note_concern(
    *,
    user: MemoryUser,
    concern_id: int,
    summary: str,
    records: Sequence[Mapping[str, str]],
    facts: Sequence[int],
    now: datetime,
) -> Need:
    """Note that a concern was sent on to become a rule, of a locked person.

    `records` are `{"kind", "id"}`. A concern about a fact of which another stands is added to it.
    """
    seq = max(facts, default=0)
    named = [dict(one) for one in records]
    before = _standing(user, seq, NeedCause.CONCERN)
    if before is not None and before.about["concern"] != concern_id:
        summary = f"{before.about['summary']}\n{summary}"
        known = before.about["records"]
        named = [*known, *(one for one in named if one not in known)]
    about = {"concern": concern_id, "summary": summary, "records": named}
    return _note(user, Asked(seq, NeedCause.CONCERN, "rule", about), now)


def note_comment(
    *,
    user: MemoryUser,
    proposal: Proposal,
    comment: str,
    lines: Sequence[Mapping[str, str | int]],
    now: datetime,
) -> Need:
    """Note what a reviewer wants otherwise about a proposal, of a locked person.

    `lines` are comments on its lines: `{"path", "side", "line", "quote", "text"}`. It takes the
    place of what was asked about the proposal before.
    """
    answered = Need.objects.filter(proposal=proposal)
    seqs = [*proposal.facts, *answered.values_list("fact_seq", flat=True)]
    answered.filter(cause=NeedCause.COMMENT).update(status=NeedStatus.MET, changed_at=now)
    said = [dict(one) for one in lines]
    about = {"proposal": str(proposal.pk), "comment": comment, "lines": said}
    return _note(user, Asked(max(seqs, default=0), NeedCause.COMMENT, "rule", about), now)


@transaction.atomic
def request_structure(
    *, user_id: UUID, fact_seq: int | None, actor: Somebody, now: datetime
) -> bool:
    """Ask for code: for a fact, or without one for all that is open. Whether it will be made.

    Without a model, or with nothing open, nothing is. Raises access.NotFound and NoSuchFact.
    """
    user = access.memory_user(actor, user_id, Right.READINGS_CONFIRM, lock=True)
    if fact_seq is not None:
        if not Fact.objects.filter(user=user, seq=fact_seq).exists():
            raise NoSuchFact(fact_seq)
        before = _standing(user, fact_seq, NeedCause.REQUEST)
        if before is None or before.status == NeedStatus.FAILED:
            _note(user, Asked(fact_seq, NeedCause.REQUEST, "kind"), now)
    begun = enqueue_structure(user=user, now=now, urgent=False)
    _audit("need.ask", user, actor, fact_seq or "", now)
    return begun


@transaction.atomic
def ask_again(*, need_id: int, actor: Somebody, now: datetime) -> bool:
    """Open a failed need again; whether a model is asked about it.

    Raises access.NotFound and NotFailed.
    """
    found = access.need(actor, need_id)
    user = access.memory_user(actor, found.user_id, Right.READINGS_CONFIRM, lock=True)
    failed = Need.objects.filter(pk=need_id, status=NeedStatus.FAILED)
    if not failed.update(status=NeedStatus.OPEN, proposal=None, reason="", changed_at=now):
        raise NotFailed(need_id)
    _audit("need.again", user, actor, need_id, now)
    return enqueue_structure(user=user, now=now, urgent=False)


def needs_proposed(
    *, user: MemoryUser, ids: Iterable[int], proposal: Proposal, now: datetime
) -> None:
    """Note that a proposal answers these open needs of a locked person."""
    Need.objects.open().filter(user=user, pk__in=list(ids)).update(
        status=NeedStatus.PROPOSED, proposal=proposal, reason="", changed_at=now
    )


def needs_failed(
    *,
    user: MemoryUser,
    ids: Iterable[int],
    reason: str,
    now: datetime,
    proposal: Proposal | None = None,
) -> None:
    """Note that no attempt at these open needs of a locked person passed, and why."""
    Need.objects.open().filter(user=user, pk__in=list(ids)).update(
        status=NeedStatus.FAILED,
        proposal=proposal,
        reason=reason.replace("\0", "\ufffd")[:LONGEST_REASON],
        changed_at=now,
    )


def meet_needs(*, proposal_id: UUID, now: datetime) -> None:
    """Note that the proposal was approved."""
    _proposed(proposal_id).update(status=NeedStatus.MET, changed_at=now)


def drop_needs(*, proposal_id: UUID, reason: str, now: datetime) -> None:
    """Note that the proposal was rejected: the same facts do not ask again by themselves."""
    _proposed(proposal_id).update(status=NeedStatus.DROPPED, reason=reason, changed_at=now)


def reopen_needs(*, proposal_id: UUID, reason: str, now: datetime) -> None:
    """Let what the proposal was to answer ask again: it answers nothing any more."""
    _proposed(proposal_id).update(
        status=NeedStatus.OPEN, proposal=None, reason=reason, changed_at=now
    )


def _proposed(proposal_id: UUID) -> NeedQuerySet:
    return Need.objects.filter(proposal=proposal_id, status=NeedStatus.PROPOSED)


def enqueue_open_needs(*, now: datetime) -> int:
    """Queue people whose needs are due, with no job for them nor one that has just ended; how many.

    A model was configured later or could not be asked, or what is not urgent has waited its time.
    """
    if not model_config().model_for(Stage.STRUCTURE):
        return 0
    jobs = Job.objects.filter(name="structure", user__isnull=False)
    ended = jobs.values("user").annotate(last=Max("finished_at")).filter(last__gt=now - REST)
    broken = jobs.filter(status__in=ENDED_BADLY, finished_at__gt=now - REST_BROKEN)
    due = _due(Need.objects.open(), now).exclude(
        user__in=Job.objects.under_way().filter(name="structure", user__isnull=False).values("user")
    )
    due = due.exclude(user__in=ended.values("user")).exclude(user__in=broken.values("user"))
    people = due.values("user").annotate(since=Min("changed_at")).order_by(F("since").asc())
    ids = [row["user"] for row in people[:SWEEP_PEOPLE]]
    for user in MemoryUser.objects.filter(pk__in=ids):
        with transaction.atomic():
            enqueue(name="structure", user=user, now=now)
    return len(ids)


def _standing(user: MemoryUser, fact_seq: int, cause: NeedCause) -> Need | None:
    """The need of a fact and a cause that is neither met nor dropped; there is one at most."""
    found = Need.objects.filter(user=user, fact_seq=fact_seq, cause=cause, status__in=STANDING)
    return found.first()


def _note(user: MemoryUser, asked: Asked, now: datetime) -> Need:
    """Store what a person asks for; one that stands is open again, with what is new about it."""
    need = _standing(user, asked.fact_seq, asked.cause) or Need(
        user=user, fact_seq=asked.fact_seq, cause=asked.cause, noted_at=now
    )
    need.needs, need.about = asked.needs, dict(asked.about)
    need.status, need.proposal, need.reason, need.changed_at = NeedStatus.OPEN, None, "", now
    need.save()
    enqueue_structure(user=user, now=now)
    return need


def _audit(action: str, user: MemoryUser, actor: Somebody, of: object, now: datetime) -> None:
    audit.record(action, actor=actor, now=now, person=user.pk, of="need", object_id=of)
