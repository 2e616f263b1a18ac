"""Post the example people's years through the actions every app uses; twice changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction

from alerts.evaluation.run import evaluate, queue_limits
from alerts.models import Alert
from memory.actions.app_keys import get_or_create_app
from memory.actions.append_facts import append_facts
from memory.actions.append_messages import NewMessage, append_messages
from memory.actions.check_facts import NewFact, NewReading
from memory.actions.submissions import Idempotency
from memory.actions.users import get_or_create_user
from memory.models import App, MemoryUser
from uac_site.examples.people import Person, read_everyday, read_people
from uac_site.examples.teams import place
from uac_site.examples.year import DAYS, Moment, Year, first_day

APP_NAME = "demo"
WEEK = timedelta(days=7)
AFTERWARDS = timedelta(minutes=2)  # a fact is recorded a little after it was told


@dataclass(frozen=True)
class Loaded:
    """A person as the database has them now."""

    user: MemoryUser
    new_facts: int
    open_alerts: int


def load_examples(*, now: datetime) -> Iterator[Loaded]:
    """Load one person after the other; what is there already stays as it is."""
    app = get_or_create_app(name=APP_NAME, now=now)
    everyday = read_everyday()
    for person in read_people():
        user = _user(person, app, now)
        # the year of a person loaded before ends where it ended then
        year = Year(person, everyday, _today(user))
        new = _post(user, app, year.moments(), now)
        evaluate(user_id=user.pk, now=now, limits=queue_limits())
        user.refresh_from_db()
        yield Loaded(user, new, Alert.objects.standing().filter(user=user).count())


def _user(person: Person, app: App, now: datetime) -> MemoryUser:
    started = datetime.combine(first_day(now.date()), time(), tzinfo=UTC)
    user, _ = get_or_create_user(
        external_id=person.external_id,
        display_name=person.name,
        timezone=person.timezone,
        actor=app,
        now=started,
    )
    place(user, person.team, now)
    return user


def _today(user: MemoryUser) -> date:
    return user.created_at.astimezone(UTC).date() + timedelta(days=DAYS)


def _post(user: MemoryUser, app: App, moments: Sequence[Moment], now: datetime) -> int:
    new = 0
    for number, batch in enumerate(batches(moments)):
        at = min(batch[-1].at + AFTERWARDS, now)
        appended = append_batch(user, app, batch, at, number)
        new += appended
        if appended and any(moment.typed for moment in batch):
            evaluate(user_id=user.pk, now=at, limits=queue_limits())
    return new


def batches(moments: Sequence[Moment]) -> Iterator[list[Moment]]:
    """A week at most; whatever a rule may read is posted as soon as it was told."""
    batch: list[Moment] = []
    for moment in moments:
        if batch and (moment.at - batch[0].at > WEEK or moment.typed or batch[-1].typed):
            yield batch
            batch = []
        batch.append(moment)
    if batch:
        yield batch


@transaction.atomic
def append_batch(
    user: MemoryUser, app: App, batch: Sequence[Moment], at: datetime, number: int
) -> int:
    """Append the messages and facts of a batch; returns how many facts were new."""
    key = f"{user.external_id}-{number}"
    seqs = _append_messages(user, app, batch, at, key)
    facts = [
        NewFact(
            text=moment.text,
            occurred_at=min(moment.at, at),
            source=moment.source,
            session=_session(moment) if moment.said else "",
            message_seq=seqs.get(index),
            readings=tuple(
                NewReading(one.kind, one.op, one.id, one.data) for one in moment.readings
            ),
        )
        for index, moment in enumerate(batch)
    ]
    appended = append_facts(
        user_id=user.pk,
        facts=facts,
        actor=app,
        now=at,
        idempotency=_idempotency(f"{key}-facts"),
    )
    return 0 if appended.repeated else len(facts)


def _append_messages(
    user: MemoryUser, app: App, batch: Sequence[Moment], at: datetime, key: str
) -> dict[int, int]:
    """Append what was said, session by session; returns the message of each fact by its index."""
    seqs: dict[int, int] = {}
    for index, moment in enumerate(batch):
        if moment.said:
            appended = append_messages(
                user_id=user.pk,
                messages=[
                    NewMessage("user", moment.said, min(moment.at, at)),
                    NewMessage("assistant", moment.reply, min(moment.at, at)),
                ],
                session=_session(moment),
                actor=app,
                now=at,
                idempotency=_idempotency(f"{key}-{index}"),
            )
            seqs[index] = appended.first_seq
    return seqs


def _session(moment: Moment) -> str:
    return f"{moment.at:%Y-%m-%d}"


def _idempotency(key: str) -> Idempotency:
    return Idempotency(key=key, digest=hashlib.sha256(key.encode()).hexdigest())
