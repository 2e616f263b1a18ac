"""Store what a model has read: facts and readings, what is held, and that it has been read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory import audit
from memory.actions.app_keys import get_or_create_app
from memory.actions.append_facts import append_facts
from memory.actions.append_readings import NewStatement, append_readings
from memory.actions.appended import Appended
from memory.actions.check_facts import FactsRefused
from memory.actions.foresight import foresee_anew
from memory.actions.jobs import enqueue
from memory.actions.needs import note_needs
from memory.actions.project_state import Key, project_readings, statements_about
from memory.actions.to_read import enqueue_reading
from memory.checkpointer.reading.answer import ReadAnswer
from memory.checkpointer.reading.item import Item
from memory.checkpointer.reading.verdict import ReadFact, Verdict
from memory.checkpointer.reading.verify import verify
from memory.code import code_of
from memory.evaluator import Concern, evaluator
from memory.models import HeldReading, MemoryUser, ReadStatus, Record, ToRead
from memory.models.to_read import ToReadQuerySet
from memory.project.fold import Statement

MODEL_APP = "language model"
"""The app that a model's facts are recorded under."""
LONGEST_REASON = 500
HEADS = ("reading_seq", "reading_head")


class ReadMoved(Exception):
    """What was asked about has been read meanwhile, or the person's code or records changed."""


@dataclass(frozen=True)
class Read:
    """What came of a prompt: the messages that the answer may be used for, and the others.

    `again` are those that a model is to be asked about once more, each with a reason, and with how
    many answers refused; `stuck` those that it is not. With `later` the model cannot be asked now.
    """

    digest: str
    items: Mapping[int, Item]
    answer: ReadAnswer | None = None
    stuck: Mapping[int, str] = field(default_factory=dict)
    again: Mapping[int, str] = field(default_factory=dict)
    refused: int = 0
    later: bool = False
    shown: frozenset[Key] = frozenset()
    """The records that the prompt showed: what a concern may name."""

    @property
    def used(self) -> dict[int, Item]:
        """The messages whose answer is stored."""
        left = self.stuck.keys() | self.again.keys()
        return {number: item for number, item in self.items.items() if number not in left}

    @property
    def accounted(self) -> int:
        """How many messages wait no more: read, with nothing to remember, or for a person."""
        return len(self.items) - len(self.again)


@transaction.atomic
def apply_reading(*, user_id: UUID, read: Read, now: datetime) -> None:
    """Store it, in the transaction that ends the job. Raises ReadMoved where it holds no more."""
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    _check_waiting(user, read.items.values())
    concerns: list[Concern] = []
    if read.answer is not None and read.used:
        verdict = _verified(user, read, read.answer)
        user = _store(user, verdict, now)
        _note_read(user, read, verdict, now)
        concerns = _concerns(user, read, verdict)
        seqs = {fact.seq for fact in verdict.facts}
        note_needs(user=user, seqs=seqs, now=now, noticed=concerns)
    _note_unread(user, read, now)
    if not read.later and ToRead.objects.waiting().filter(user=user).exists():
        enqueue_reading(user=user, now=now)
    evaluator().notice(user=user, concerns=concerns, now=now)


def _check_waiting(user: MemoryUser, items: Iterable[Item]) -> None:
    rows = list(items)
    if not rows:
        return
    seqs = [item.seq for item in rows]
    waiting = ToRead.objects.waiting().filter(user=user, stream=rows[0].stream, seq__in=seqs)
    if waiting.count() != len(rows):
        raise ReadMoved(user.pk)


def _verified(user: MemoryUser, read: Read, answer: ReadAnswer) -> Verdict:
    """The answer checked again, under the person's lock: only this decides what is held."""
    code = code_of(user)
    if code.project.digest != read.digest:
        raise ReadMoved(user.pk)
    kept = answer.about(read.used)
    verdict = verify(user=user, code=code, items=read.used, answer=kept, shown=read.shown)
    if verdict.problems:
        raise ReadMoved(user.pk)
    return verdict


def _store(user: MemoryUser, verdict: Verdict, now: datetime) -> MemoryUser:
    """Append what is not held and note what is; the person as stored afterwards."""
    if not verdict.facts:
        return user
    if verdict.facts[0].item.stream == "fact":
        seqs = [fact.item.seq for fact in verdict.facts]
        _append_to_facts(user, verdict.facts, now)
    else:
        appended = _append(user, verdict.facts, now)
        user, seqs = appended.user, list(range(appended.first_seq, appended.last_seq + 1))
    for fact, seq in zip(verdict.facts, seqs, strict=True):
        fact.seq = seq
        _hold(user, fact, now)
    return user


def _append(user: MemoryUser, facts: Sequence[ReadFact], now: datetime) -> Appended:
    """Append what messages say as facts of their own. Raises ReadMoved."""
    try:
        return append_facts(
            user_id=user.pk,
            facts=[fact.new_fact() for fact in facts],
            actor=get_or_create_app(name=MODEL_APP, now=now),
            now=now,
            evaluate_later=True,
            origin="model",
        )
    except FactsRefused as error:
        raise ReadMoved(user.pk) from error


def _append_to_facts(user: MemoryUser, facts: Sequence[ReadFact], now: datetime) -> None:
    """Append readings to facts that came without; the rules run from the queue."""
    new = [
        NewStatement(one.key, fact.item.seq, fact.occurred_at, one.op, one.data, origin="model")
        for fact in facts
        for one, held in zip(fact.checked, fact.held, strict=True)
        if not held
    ]
    if not new:
        return
    before = statements_about(user, {one.key for one in new})
    said: dict[Key, list[Statement]] = {}
    for key, statement in append_readings(user, new, now):
        said.setdefault(key, []).append(statement)
    project_readings(user=user, kinds=code_of(user).project.kinds, before=before, new=said)
    user.save(update_fields=HEADS)
    enqueue(name="evaluate", user=user, now=now)
    foresee_anew(user=user, now=now)


def _hold(user: MemoryUser, fact: ReadFact, now: datetime) -> None:
    HeldReading.objects.bulk_create(
        HeldReading(
            user=user,
            fact_seq=fact.seq,
            kind=one.key[0],
            record_id=one.key[1],
            op=one.op,
            data=one.data,
            effective_at=fact.occurred_at,
            quote=fact.found.quote,
            held_at=now,
        )
        for one, held in zip(fact.checked, fact.held, strict=True)
        if held
    )


def _concerns(user: MemoryUser, read: Read, verdict: Verdict) -> list[Concern]:
    """The concerns, with those of their records that are still there now that all is stored."""
    refs = [ref for one in verdict.concerns for ref in one.records]
    rows = Record.objects.filter(
        user=user, kind__in={ref.kind for ref in refs}, record_id__in={ref.id for ref in refs}
    )
    there = set(rows.values_list("kind", "record_id"))
    found = []
    for one in verdict.concerns:
        item = read.items[one.number]
        concern = Concern(
            severity=one.severity,
            summary=one.summary,
            detail=one.why,
            quote=one.quote,
            message_seq=item.seq if item.stream == "message" else None,
            facts=tuple(fact.seq for fact in verdict.facts if fact.number == one.number),
            records=tuple(key for ref in one.records if (key := (ref.kind, ref.id)) in there),
        )
        found += [concern] if concern.records else []
    return found


def _note_read(user: MemoryUser, read: Read, verdict: Verdict, now: datetime) -> None:
    found: dict[int, list[dict[str, object]]] = {}
    for fact in verdict.facts:
        about = {"fact": fact.seq, "held": sum(fact.held), **fact.about()}
        found.setdefault(fact.number, []).append(about)
    for number, item in read.used.items():
        status = ReadStatus.READ if number in found else ReadStatus.NOTHING
        reason = verdict.nothing.get(number, "")
        _row(user, item).update(
            status=status, reason=reason, tried_at=now, found=found.get(number, [])
        )
    seqs = [item.seq for item in read.used.values()]
    stream = next(iter(read.used.values())).stream
    audit.record(
        "reading.apply",
        actor=None,
        now=now,
        person=user.pk,
        of=stream,
        object_id=f"{min(seqs)}-{max(seqs)}",
    )


def _note_unread(user: MemoryUser, read: Read, now: datetime) -> None:
    for number, reason in {**read.again, **read.stuck}.items():
        row = _row(user, read.items[number])
        status = ReadStatus.STUCK if number in read.stuck else ReadStatus.WAITING
        tries = read.items[number].tries + read.refused
        row.update(status=status, reason=_storable(reason), tries=tries, tried_at=now)


@transaction.atomic
def give_up_reading(*, user_id: UUID, read: Read, reason: str, now: datetime) -> None:
    """Let what still waits of it wait for a person, with the reason; the next is queued."""
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    for item in read.items.values():
        waiting = _row(user, item).filter(status=ReadStatus.WAITING)
        waiting.update(status=ReadStatus.STUCK, reason=_storable(reason), tried_at=now)
    if ToRead.objects.waiting().filter(user=user).exists():
        enqueue_reading(user=user, now=now)


def _storable(reason: str) -> str:
    """A reason that both databases take; it may name a field that a model has made up."""
    return reason.replace("\0", "\ufffd")[:LONGEST_REASON]


def _row(user: MemoryUser, item: Item) -> ToReadQuerySet:
    return ToRead.objects.filter(user=user, stream=item.stream, seq=item.seq)
