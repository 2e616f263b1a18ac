"""The audit is sealed in batches: what was sealed cannot be changed, removed or added unnoticed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, connection, transaction

from memory import audit
from memory.audit_verification import verify_audit
from memory.models import AuditDrop, AuditEvent, AuditSeal
from memory.sealing import GRACE, drop, seal
from tests.database import triggers_lifted

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = 5


def _record(now: datetime, many: int = EVENTS) -> None:
    for number in range(many):
        audit.record("read", actor=None, now=now, person=uuid4(), of="thing", object_id=number)


@pytest.fixture
def sealed(now: datetime) -> None:
    """Two seals with five events each."""
    for _ in range(2):
        _record(now)
        seal(now=now)


@pytest.fixture
def thief(sealed: None) -> Iterator[None]:
    """The same, with nothing in the way of whoever can write to the database."""
    assert verify_audit().faults == ()
    with triggers_lifted():
        yield


def _run(statement: str, *parameters: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        assert cursor.rowcount > 0


def test_what_is_sealed_holds(sealed: None, now: datetime) -> None:
    found = verify_audit()
    assert (found.seals, found.events, found.unsealed, found.faults) == (2, 10, 0, ())
    _record(now, 3)
    assert verify_audit().unsealed == 3


def test_nothing_new_needs_no_seal(sealed: None, now: datetime) -> None:
    assert not seal(now=now)
    assert AuditSeal.objects.count() == 2


@pytest.mark.parametrize(
    "change",
    [
        "actor_id = 'x'",
        "action = 'x'",
        "person_id = NULL",
        "object_id = 'x'",
        "request_id = 'x'",
        "address = 'x'",
        "outcome = 'refused'",
        "digest = 'x'",
    ],
)
def test_a_changed_event_is_named(thief: None, change: str) -> None:
    event = AuditEvent.objects.order_by("pk")[3]
    _run(f"UPDATE memory_auditevent SET {change} WHERE id = %s", event.pk)
    assert verify_audit().faults == (f"event {event.pk} is not as it was written",)


def test_a_change_with_its_digest_made_anew_is_noticed(thief: None) -> None:
    event = AuditEvent.objects.order_by("pk")[3]
    event.action = "other"
    digest = audit.digest_of({name: getattr(event, name) for name in audit.COLUMNS})
    change = "UPDATE memory_auditevent SET action = 'other', digest = %s WHERE id = %s"
    _run(change, digest, event.pk)
    assert verify_audit().faults == ("an event under seal 1 is not the one that was sealed",)


def test_a_removed_event_is_noticed(thief: None) -> None:
    last = AuditEvent.objects.order_by("-pk")[0]
    _run("DELETE FROM memory_auditevent WHERE id = %s", last.pk)
    assert verify_audit().faults == ("seal 2 covers 5 events, 4 are there",)


def test_an_event_put_in_later_is_noticed(now: datetime) -> None:
    _record(now)
    gone = AuditEvent.objects.order_by("pk")[2]
    with triggers_lifted():
        _run("DELETE FROM memory_auditevent WHERE id = %s", gone.pk)
    seal(now=now)
    later = now + 2 * GRACE
    for _ in range(2):  # the gap is open no more
        _record(later)
        seal(now=later)
        later += 2 * GRACE
    assert verify_audit().faults == ()
    gone.save(force_insert=True)
    assert verify_audit().faults == ("1 events stand among the sealed ones that no seal covers",)


def test_an_event_that_was_committed_late_is_sealed_by_the_next(now: datetime) -> None:
    _record(now)
    late = AuditEvent.objects.order_by("pk")[2]
    with triggers_lifted():
        _run("DELETE FROM memory_auditevent WHERE id = %s", late.pk)
    seal(now=now)
    late.save(force_insert=True)
    assert verify_audit().unsealed == 1
    seal(now=now)
    found = verify_audit()
    assert (found.events, found.unsealed, found.faults) == (5, 0, ())
    assert AuditSeal.objects.get(number=2).ranges == [[late.pk, late.pk]]
    gaps = AuditSeal.objects.get(number=2).gaps
    assert not any(first <= late.pk <= last for first, last in gaps)


@pytest.mark.parametrize("column", ["count", "last_event", "root", "prev", "hash"])
def test_a_changed_seal_is_named(thief: None, column: str) -> None:
    value: Any = 4 if column in ("count", "last_event") else "0" * 63 + "1"
    _run(f"UPDATE memory_auditseal SET {column} = %s WHERE number = 1", value)
    assert "seal 1" in verify_audit().faults[0]


def test_a_removed_seal_is_named(thief: None) -> None:
    _run("DELETE FROM memory_auditseal WHERE number = 1")
    assert "seal 1 is missing" in verify_audit().faults


def test_the_database_refuses_to_drop_what_is_kept(sealed: None) -> None:
    for statement in ("DELETE FROM memory_auditevent", "UPDATE memory_auditevent SET action = 'x'"):
        with pytest.raises(Error, match="append-only"), transaction.atomic():
            _run(statement)
    assert AuditEvent.objects.count() == 2 * EVENTS


def test_old_events_go_and_the_chain_still_holds(now: datetime, settings: Any) -> None:
    settings.AUDIT_RETENTION_DAYS = 60
    old = now - timedelta(days=61)
    for when in (old, old, now):
        _record(when)
        seal(now=when)
    assert drop(now=now) == 2 * EVENTS
    assert AuditDrop.objects.get().through_id == 2
    assert drop(now=now) == 0
    seal(now=now)
    found = verify_audit()
    assert (found.seals, found.dropped, found.events, found.faults) == (4, 10, 6, ())
    assert AuditEvent.objects.get(action="audit.drop").object_id == "2"


def test_what_was_dropped_before_its_time_is_noticed(now: datetime, settings: Any) -> None:
    settings.AUDIT_RETENTION_DAYS = 1
    _record(now - timedelta(days=2))
    seal(now=now - timedelta(days=2))
    drop(now=now)
    assert "before their time" in verify_audit().faults[0]


def test_the_command_tells_what_holds_and_where_it_ends(sealed: None) -> None:
    out = StringIO()
    call_command("verify_audit", stdout=out)
    assert "10 events under 2 seals hold" in out.getvalue()
    assert AuditSeal.objects.get(number=2).hash in out.getvalue()


def test_the_command_fails_where_something_does_not_hold(thief: None) -> None:
    _run("DELETE FROM memory_auditseal WHERE number = 1")
    with pytest.raises(CommandError, match="does not hold"):
        call_command("verify_audit", stderr=StringIO())


def test_a_chain_cut_short_does_not_continue_the_head_that_was_kept(thief: None) -> None:
    head = AuditSeal.objects.get(number=2).hash
    call_command("verify_audit", "--continues", head, stdout=StringIO())
    _run("DELETE FROM memory_auditseal WHERE number = 2")
    with pytest.raises(CommandError, match="does not continue"):
        call_command("verify_audit", "--continues", head, stdout=StringIO())
