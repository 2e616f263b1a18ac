"""Append facts and their readings to a person's log, and bring the records up to date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory import access
from memory.actions.chains import extend
from memory.actions.check_facts import (
    CheckedReading,
    NewFact,
    check_messages,
    check_readings,
    check_targets,
)
from memory.actions.jobs import enqueue
from memory.actions.project_state import (
    Key,
    effect_of,
    project_readings,
    statement_of,
    statements_about,
)
from memory.actions.submissions import Idempotency, find_submission, record_submission
from memory.evaluator import evaluator
from memory.models import (
    App,
    Fact,
    FactBody,
    MemoryUser,
    Reading,
    ReadingBody,
    Stream,
    Submission,
)
from memory.project.chain import Canonical, free_json, moment
from memory.project.fold import Statement, fold
from memory.project.schema import Kind
from memory.round_trip import one_round_trip
from memory.rows import insert_rows


@dataclass(frozen=True)
class AppliedReading:
    """A reading as stored; `effect` says what it did to its record."""

    fact_seq: int
    seq: int
    kind: str
    op: str
    record_id: str
    effect: str


@dataclass(frozen=True)
class Appended:
    """What a post appended (or, when `repeated`, had appended before)."""

    user: MemoryUser
    first_seq: int
    last_seq: int
    hashes: tuple[str, ...]
    readings: tuple[AppliedReading, ...]
    queued: bool
    through: int | None = None
    """The fact through which the person is evaluated, where no rule reads what is new."""
    repeated: bool = False


@transaction.atomic
def append_facts(
    *,
    user_id: UUID,
    facts: Sequence[NewFact],
    actor: App,
    kinds: Mapping[str, Kind],
    now: datetime,
    idempotency: Idempotency | None = None,
    evaluate_later: bool = False,
) -> Appended:
    """Append all of the facts or none.

    Raises access.NotFound, FactsRefused with the problems of every fact, and KeyReused for an
    idempotency key that came with another request. With `evaluate_later` the evaluation is queued
    here, in the same transaction.
    """
    user = access.memory_user(actor, user_id, lock=True)
    earlier = find_submission(app=actor, idempotency=idempotency, user=user, stream=Stream.FACT)
    if earlier is not None:
        return _repeat(user, earlier)
    first = user.fact_seq + 1
    check_messages(user, facts)
    checked = check_readings(facts, kinds, first)
    before = statements_about(user, {reading.key for reading in checked})
    check_targets(checked, before)
    with one_round_trip():
        hashes = _append_facts(user, facts, actor, now)
        pairs = _append_readings(user, facts, checked, first, now)
        effects = project_readings(user=user, kinds=kinds, before=before, new=_by_record(pairs))
    user.save(update_fields=["fact_seq", "fact_head", "reading_seq", "reading_head"])
    record_submission(
        app=actor,
        idempotency=idempotency,
        user=user,
        stream=Stream.FACT,
        first_seq=first,
        last_seq=user.fact_seq,
        now=now,
    )
    through = None
    if evaluate_later:
        enqueue(name="evaluate", user=user, now=now)
    else:
        touched = frozenset(reading.key[0] for reading in checked)
        through = evaluator().advance(user=user, first=first, kinds=touched, now=now)
    readings = tuple(
        AppliedReading(said.fact_seq, said.seq, kind, said.op, record_id, effects[kind, record_id])
        for (kind, record_id), said in pairs
    )
    return Appended(
        user, first, user.fact_seq, hashes, readings, queued=evaluate_later, through=through
    )


def _append_facts(
    user: MemoryUser, facts: Sequence[NewFact], actor: App, now: datetime
) -> tuple[str, ...]:
    recorded = moment(now)
    links = extend(
        user,
        Stream.FACT,
        [
            {
                "text": fact.text,
                "occurred_at": moment(fact.occurred_at or now),
                "recorded_at": recorded,
                "app": str(actor.pk),
                "source": fact.source,
                "session": fact.session,
                "message": fact.message_seq,
                "metadata": free_json(fact.metadata),
            }
            for fact in facts
        ],
    )
    pairs = list(zip(facts, links, strict=True))
    insert_rows(
        Fact,
        shared={"user_id": user.pk, "recorded_at": now, "app_id": actor.pk},
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


def _append_readings(
    user: MemoryUser,
    facts: Sequence[NewFact],
    checked: Sequence[CheckedReading],
    first: int,
    now: datetime,
) -> list[tuple[Key, Statement]]:
    pairs = [
        (
            item.key,
            Statement(
                seq=user.reading_seq + number,
                fact_seq=first + item.index,
                effective_at=facts[item.index].occurred_at or now,
                op=item.op,
                data=item.data,
            ),
        )
        for number, item in enumerate(checked, start=1)
    ]
    links = extend(user, Stream.READING, [_reading_body(key, said, now) for key, said in pairs])
    linked = list(zip(pairs, links, strict=True))
    insert_rows(
        Reading,
        shared={"user_id": user.pk, "recorded_at": now},
        columns=("seq", "fact_seq", "commitment", "hash"),
        rows=[(link.seq, said.fact_seq, link.commitment, link.hash) for (_, said), link in linked],
    )
    insert_rows(
        ReadingBody,
        shared={"user_id": user.pk},
        columns=("seq", "salt", "canonical", "kind", "record_id"),
        rows=[
            (link.seq, link.salt, link.canonical, kind, record_id)
            for ((kind, record_id), _), link in linked
        ],
    )
    return pairs


def _reading_body(key: Key, said: Statement, now: datetime) -> Canonical:
    return {
        "seq": said.seq,
        "fact_seq": said.fact_seq,
        "kind": key[0],
        "record_id": key[1],
        "op": said.op,
        "data": free_json(said.data),
        "effective_at": moment(said.effective_at),
        "recorded_at": moment(now),
        "origin": "app",
    }


def _by_record(pairs: Iterable[tuple[Key, Statement]]) -> dict[Key, list[Statement]]:
    found: dict[Key, list[Statement]] = defaultdict(list)
    for key, said in pairs:
        found[key].append(said)
    return found


def _repeat(user: MemoryUser, earlier: Submission) -> Appended:
    """What the first of two equal requests appended, worked out again from the log."""
    first, last = earlier.first_seq, earlier.last_seq
    hashes = Fact.objects.filter(user=user, seq__range=(first, last)).order_by("seq")
    own = Reading.objects.filter(user=user, fact_seq__range=(first, last))
    bodies = ReadingBody.objects.filter(user=user, seq__in=own.values("seq")).order_by("seq")
    pairs = [statement_of(text) for text in bodies.values_list("canonical", flat=True)]
    effects = _effects_again(user, pairs)
    return Appended(
        user,
        first,
        last,
        tuple(hashes.values_list("hash", flat=True)),
        tuple(
            AppliedReading(said.fact_seq, said.seq, key[0], said.op, key[1], effects[key])
            for key, said in pairs
        ),
        queued=False,
        repeated=True,
    )


def _effects_again(user: MemoryUser, pairs: Sequence[tuple[Key, Statement]]) -> dict[Key, str]:
    if not pairs:
        return {}
    first, last = pairs[0][1].seq, pairs[-1][1].seq
    about = statements_about(user, {key for key, _ in pairs})
    return {
        key: effect_of(
            fold(said for said in statements if said.seq < first),
            fold(said for said in statements if said.seq <= last),
        )
        for key, statements in about.items()
    }
