"""Append facts and their readings to a person's log, and bring the records up to date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory import access, audit
from memory.actions.app_keys import app_of
from memory.actions.append_readings import NewStatement, Origin, append_readings
from memory.actions.appended import Appended, applied, repeat
from memory.actions.baseline import SETTLED, settle
from memory.actions.chains import extend
from memory.actions.check_facts import (
    CheckedReading,
    NewFact,
    check_messages,
    check_readings,
    check_references,
    check_targets,
    targets,
)
from memory.actions.corrections import check_corrections, withdrawals
from memory.actions.foresight import foresee_anew
from memory.actions.jobs import enqueue
from memory.actions.project_state import (
    Key,
    project_readings,
    statements_about,
    waits,
)
from memory.actions.submissions import Idempotency, find_submission, record_submission
from memory.actions.to_read import enqueue_reading, note_to_read
from memory.actions.wait import add_waiting, sync_waiting
from memory.code import Code, code_of
from memory.evaluator import evaluator
from memory.models import (
    App,
    AppKey,
    Fact,
    FactBody,
    MemoryUser,
    Stream,
)
from memory.project.chain import free_json, moment
from memory.project.fold import Statement
from memory.rights import Right
from memory.round_trip import one_round_trip
from memory.rows import insert_rows, update_row

HEADS = ("fact_seq", "fact_head", "reading_seq", "reading_head")


@dataclass(frozen=True)
class _Post:
    """Facts on their way into the log of a person, whose row is locked; `first` is a seq."""

    user: MemoryUser
    facts: Sequence[NewFact]
    first: int
    actor: AppKey | App
    app: App
    now: datetime
    origin: Origin

    @property
    def untyped(self) -> list[int]:
        """The seqs of the facts that a model is to read: those without readings, unless it did."""
        if self.origin == "model":
            return []
        return [seq for seq, fact in enumerate(self.facts, self.first) if not fact.readings]


@dataclass(frozen=True)
class _Understood:
    """The readings that came, all statements to append, and those made before on their records."""

    checked: list[CheckedReading]
    new: list[NewStatement]
    before: dict[Key, list[Statement]]


@transaction.atomic
def append_facts(
    *,
    user_id: UUID,
    facts: Sequence[NewFact],
    actor: AppKey | App,
    now: datetime,
    idempotency: Idempotency | None = None,
    evaluate_later: bool = False,
    origin: Origin = "app",
) -> Appended:
    """Append all of the facts or none, read by the project that is active for the person.

    A reading of a kind that the project does not know is kept and waits, and a job is queued that
    proposes a place for it.
    Raises access.NotFound, FactsRefused with the problems of every fact, and KeyReused for an
    idempotency key that came with another request. With `evaluate_later` the evaluation is queued
    here, in the same transaction. Facts without readings wait to be read by a model, unless it is
    the `origin` of these.
    """
    user = access.memory_user(actor, user_id, Right.FACTS_WRITE, lock=True)
    app = app_of(actor)
    earlier = find_submission(app=app, idempotency=idempotency, user=user, stream=Stream.FACT)
    if earlier is not None:
        return repeat(user, earlier)
    settled = settle(user, now)
    code = code_of(user)
    post = _Post(user, facts, user.fact_seq + 1, actor, app, now, origin)
    understood = _understood(post, code)
    appended = _append(post, understood, code, settled=settled, evaluate_later=evaluate_later)
    if post.untyped:
        enqueue_reading(user=user, now=now)
    record_submission(
        app=app,
        idempotency=idempotency,
        user=user,
        stream=Stream.FACT,
        first_seq=appended.first_seq,
        last_seq=appended.last_seq,
        now=now,
    )
    if evaluate_later:
        enqueue(name="evaluate", user=user, now=now)
    foresee_anew(user=user, now=now)
    return appended


def _append(
    post: _Post, understood: _Understood, code: Code, *, settled: bool, evaluate_later: bool
) -> Appended:
    """Write the facts, their readings and the records; what no rule reads is evaluated by that."""
    user, first, now = post.user, post.first, post.now
    with one_round_trip():
        hashes = _insert(post)
        pairs = append_readings(user, understood.new, now)
        effects = project_readings(
            user=user,
            kinds=code.project.kinds,
            before=understood.before,
            new=_by_record(pairs),
        )
        audit.record(
            "facts.append",
            actor=post.actor,
            now=now,
            person=user.pk,
            of="fact",
            object_id=f"{first}-{user.fact_seq}",
        )
        note_to_read(user=user, stream=Stream.FACT, seqs=post.untyped)
        update_row(user, (*HEADS, *SETTLED) if settled else HEADS)
        through = None
        if not evaluate_later:
            touched = frozenset(kind for kind, _ in effects)
            through = evaluator().advance(user=user, first=first, kinds=touched, now=now)
    if len(effects) < len(understood.new):
        _note_waiting(user, understood, pairs, now)
    readings = applied(pairs, effects)
    last = user.fact_seq
    return Appended(user, first, last, hashes, readings, queued=evaluate_later, through=through)


def _understood(post: _Post, code: Code) -> _Understood:
    """What the facts say and what was said before of the same. Raises FactsRefused."""
    user, facts = post.user, post.facts
    check_messages(user, facts)
    check_corrections(user, facts)
    checked = check_readings(facts, code, post.first)
    new = _statements(post, checked, withdrawals(user, facts, post.first, post.now))
    before = statements_about(user, _keys(new, checked, code))
    check_targets(checked, before)
    check_references(checked, code, before, lambda key: _said_of(key, new, user))
    return _Understood(checked, new, before)


def _keys(new: Iterable[NewStatement], checked: Iterable[CheckedReading], code: Code) -> set[Key]:
    """The records that the facts speak of, and those they refer to."""
    spoken = {one.key for one in new if not waits(one.key)}
    return spoken.union(*(targets(one.refs, code.project) for one in checked if one.refs))


def _said_of(key: Key, new: Iterable[NewStatement], user: MemoryUser) -> list[Statement]:
    return [
        one.numbered(seq)
        for seq, one in enumerate(new, start=user.reading_seq + 1)
        if one.key == key
    ]


def _insert(post: _Post) -> tuple[str, ...]:
    user, facts, now = post.user, post.facts, post.now
    recorded = moment(now)
    links = extend(
        user,
        Stream.FACT,
        [
            {
                "text": fact.text,
                "occurred_at": moment(fact.occurred_at or now),
                "recorded_at": recorded,
                "app": str(post.app.pk),
                "source": fact.source,
                "session": fact.session,
                "message": fact.message_seq,
                "metadata": free_json(fact.metadata),
                "corrects": fact.corrects,
            }
            for fact in facts
        ],
    )
    pairs = list(zip(facts, links, strict=True))
    insert_rows(
        Fact,
        shared={"user_id": user.pk, "recorded_at": now, "app_id": post.app.pk},
        columns=("seq", "occurred_at", "commitment", "hash"),
        rows=[
            (link.seq, fact.occurred_at or now, link.commitment, link.hash) for fact, link in pairs
        ],
    )
    insert_rows(
        FactBody,
        shared={"user_id": user.pk},
        columns=("seq", "salt", "canonical", "source", "session"),
        rows=[
            (link.seq, link.salt, link.canonical, fact.source, fact.session) for fact, link in pairs
        ],
    )
    return tuple(link.hash for link in links)


def _statements(
    post: _Post,
    checked: Iterable[CheckedReading],
    withdrawn: Mapping[int, Sequence[NewStatement]],
) -> list[NewStatement]:
    """What the facts say of records, fact by fact; what one takes back comes before it."""
    said: dict[int, list[NewStatement]] = defaultdict(list)
    for index, some in withdrawn.items():
        said[index] += some
    for item in checked:
        said[item.index].append(
            NewStatement(
                key=item.key,
                fact_seq=post.first + item.index,
                effective_at=post.facts[item.index].occurred_at or post.now,
                op=item.op,
                data=item.data,
                origin=post.origin,
            )
        )
    return [one for index in sorted(said) for one in said[index]]


def _note_waiting(
    user: MemoryUser,
    understood: _Understood,
    pairs: Iterable[tuple[Key, Statement]],
    now: datetime,
) -> None:
    """Have structured what waits; take from the waiting what a correction took back."""
    reasons = [reading.waits for reading in understood.checked if reading.waits]
    seqs = [(said.seq, key[0]) for key, said in pairs if waits(key) and said.op == "assert"]
    if seqs:
        rows = [(*one, reason) for one, reason in zip(seqs, reasons, strict=True)]
        add_waiting(user=user, rows=rows)
    withdrawn = (one.key for one in understood.new if one.op == "withdraw")
    taken_back = {key[0] for key in withdrawn if waits(key)}
    restored = sync_waiting(user=user, kinds=taken_back) if taken_back else False
    if seqs or restored:
        enqueue(name="structure", user=user, now=now)


def _by_record(pairs: Iterable[tuple[Key, Statement]]) -> dict[Key, list[Statement]]:
    found: dict[Key, list[Statement]] = defaultdict(list)
    for key, said in pairs:
        if not waits(key):
            found[key].append(said)
    return found
