"""Decide of a model's reading that would change a protected record: confirm it, or refuse it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from memory import access, audit
from memory.access import Somebody
from memory.actions.append_readings import NewStatement, append_readings
from memory.actions.check_facts import (
    CheckedReading,
    FactsRefused,
    check_references,
    check_targets,
    targets,
)
from memory.actions.fit_reading import NewReading, fit_reading
from memory.actions.foresight import foresee_anew
from memory.actions.jobs import enqueue
from memory.actions.project_state import project_readings, statements_about
from memory.code import Code, code_of
from memory.models import HeldReading, HeldStatus, MemoryUser, Record
from memory.project.fold import Statement
from memory.project.payload import PayloadError
from memory.rights import Right


class NotHeld(Exception):
    """Somebody has decided it already."""


class RecordMoved(Exception):
    """The record is not what it was when the reading was looked at."""


class FitsNoMore(ValueError):
    """The reading does not fit the person's kinds or records any more; it says why."""


def standing_at(held: HeldReading) -> int:
    """The last reading of the record as it stands, 0 without one: what a decision is bound to."""
    record = Record.objects.filter(
        user=held.user_id, kind=held.kind, record_id=held.record_id
    ).first()
    return 0 if record is None else record.reading_seq


@transaction.atomic
def confirm_held(*, held_id: int, seen: int, actor: Somebody, now: datetime) -> HeldReading:
    """Append the reading; `seen` is what `standing_at` said of the record that was looked at.

    The rules run from the queue. Raises access.NotFound, NotHeld, RecordMoved and FitsNoMore.
    """
    held, user = _locked(held_id, actor)
    if standing_at(held) != seen:
        raise RecordMoved(held_id)
    code = code_of(user)
    checked, before = _checked(held, user, code)
    new = NewStatement(
        key=checked.key,
        fact_seq=held.fact_seq,
        effective_at=held.effective_at,
        op=checked.op,
        data=checked.data,
        origin="confirmed",
    )
    pairs = append_readings(user, [new], now)
    project_readings(
        user=user,
        kinds=code.project.kinds,
        before={checked.key: before},
        new={checked.key: [said for _, said in pairs]},
    )
    user.save(update_fields=["reading_seq", "reading_head"])
    enqueue(name="evaluate", user=user, now=now)
    foresee_anew(user=user, now=now)
    return _decide(held, HeldStatus.CONFIRMED, actor, now)


@transaction.atomic
def refuse_held(*, held_id: int, actor: Somebody, now: datetime) -> HeldReading:
    """Leave the record as it is, for good. Raises access.NotFound and NotHeld."""
    held, _ = _locked(held_id, actor)
    return _decide(held, HeldStatus.REFUSED, actor, now)


def _locked(held_id: int, actor: Somebody) -> tuple[HeldReading, MemoryUser]:
    found = access.held_reading(actor, held_id)
    user = access.memory_user(actor, found.user_id, Right.READINGS_CONFIRM, lock=True)
    held = HeldReading.objects.held().filter(pk=held_id).first()
    if held is None:
        raise NotHeld(held_id)
    return held, user


def _checked(
    held: HeldReading, user: MemoryUser, code: Code
) -> tuple[CheckedReading, list[Statement]]:
    """The reading by the kinds and records of today, and what was said of its record before."""
    op = next(one for one in ("assert", "update", "retract") if one == held.op)
    reading = NewReading(held.kind, op, held.record_id, held.data)
    try:
        payload, waits = fit_reading(reading, code, held.record_id)
        if waits:
            raise FitsNoMore(waits)
        key = (held.kind, payload.record_id)
        checked = CheckedReading(0, 0, key, reading.op, payload.data, payload.refs)
        before = statements_about(user, {key, *targets(checked.refs, code.project)})
        check_targets([checked], before)
        check_references([checked], code, before, lambda _: [])
    except PayloadError as error:
        raise FitsNoMore(str(error)) from error
    except FactsRefused as error:
        raise FitsNoMore("; ".join(one.detail for one in error.problems)) from error
    return checked, before.get(key, [])


def _decide(held: HeldReading, status: HeldStatus, actor: Somebody, now: datetime) -> HeldReading:
    held.status, held.decided_at = status, now
    held.decided_by = access.staff(actor, Right.READINGS_CONFIRM)
    held.save(update_fields=["status", "decided_at", "decided_by"])
    action = "reading.confirm" if status == HeldStatus.CONFIRMED else "reading.refuse"
    audit.record(
        action, actor=actor, now=now, person=held.user_id, of="held reading", object_id=held.pk
    )
    return held
