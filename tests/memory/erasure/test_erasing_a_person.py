"""Erasing one person: nothing of what was said of them is left, and all chains still hold."""

from __future__ import annotations

from datetime import datetime
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import Error, connection, transaction

from memory import access
from memory.actions.erase import (
    KEPT,
    AlreadyAsked,
    NotAsked,
    SameHand,
    ask_erasure,
    confirm_erasure,
    withdraw_erasure,
)
from memory.audit_verification import verify_audit
from memory.belongings import belongings
from memory.code import project_of
from memory.models import (
    AuditEvent,
    Blob,
    Erasure,
    ErasureReason,
    ErasureStatus,
    FactBody,
    MemoryUser,
    Tree,
)
from memory.rights import Role
from memory.sealing import seal
from memory.verification import verify_user
from tests.api_client import Api
from tests.facts import medication, note
from tests.memory.erasure.planted import (  # fmt: skip
    OTHER,
    WORD,
    found_in_files,
    found_in_tables,
    told_everywhere,
)
from tests.proposals import current
from tests.staff import new_staff


@pytest.fixture
def asking(transactional_db: None) -> Staff:
    """The admin who asks."""
    return new_staff("asking", Role.ADMIN)


@pytest.fixture
def confirming(transactional_db: None) -> Staff:
    """Another admin."""
    return new_staff("confirming", Role.ADMIN)


@pytest.fixture
def told(api: Api, caregiver: Staff) -> MemoryUser:
    """A person with a planted word everywhere."""
    return told_everywhere(api, caregiver)


def _asked(person: MemoryUser, staff: Staff, now: datetime) -> Erasure:
    return ask_erasure(user_id=person.pk, actor=staff, reason=ErasureReason.WISH, now=now)


def _erase(person: MemoryUser, asking: Staff, confirming: Staff, now: datetime) -> Erasure:
    asked = _asked(person, asking, now)
    return confirm_erasure(erasure_id=asked.pk, actor=confirming, now=now)


def test_no_table_and_no_file_holds_a_planted_word(
    told: MemoryUser, api: Api, caregiver: Staff, asking: Staff, confirming: Staff, now: datetime
) -> None:
    other = told_everywhere(api, caregiver, OTHER)
    planted = found_in_tables(WORD)
    assert {
        *("memory_factbody", "memory_messagebody", "memory_readingbody", "memory_record"),
        *("memory_blob", "memory_codeversion", "memory_proposal", "memory_waiting", "memory_job"),
        *(
            "memory_modelcall",
            "memory_heldreading",
            "memory_toread",
            "memory_posting",
            "memory_submission",
            "alerts_alert",
            "alerts_alertevent",
            "memory_memoryuser",
        ),
        "django_admin_log",
    } <= planted.keys()
    before = found_in_tables(OTHER)
    _erase(told, asking, confirming, now)
    assert found_in_tables(WORD) == {}
    assert found_in_files(WORD) == []
    assert found_in_tables(OTHER) == before
    assert project_of(current(other)).digest == other.tree


def test_every_chain_and_the_audit_still_hold(
    told: MemoryUser, asking: Staff, confirming: Staff, now: datetime
) -> None:
    seal(now=now)
    _erase(told, asking, confirming, now)
    seal(now=now)
    assert verify_user(told.pk) == []
    found = verify_audit()
    assert (found.faults, found.unsealed) == ((), 0)
    assert found.events > 10
    out = StringIO()
    call_command("verify_log", stdout=out)
    assert "1 people: every chain holds." in out.getvalue()


def test_to_the_api_the_person_is_unknown(
    told: MemoryUser, api: Api, asking: Staff, confirming: Staff, now: datetime
) -> None:
    _erase(told, asking, confirming, now)
    for path in ("", "/facts", "/messages", "/state", "/alerts", "/code", "/code.zip", "/search"):
        erased, unknown = (api.get(f"users/{one}{path}") for one in (told.pk, uuid4()))
        assert erased.status_code == unknown.status_code == 404
        assert _said(erased) == _said(unknown)
    for path, body in (("facts", note("x")), ("query", {"code": "1"})):
        erased, unknown = (api.post(f"users/{one}/{path}", body) for one in (told.pk, uuid4()))
        assert (erased.status_code, _said(erased)) == (404, _said(unknown))
    assert api.get("users", external_id=f"id-{WORD}").status_code == 404
    again = api.post("users", {"external_id": f"id-{WORD}"})
    assert again.status_code == 201
    assert again.json()["user_id"] != str(told.pk)


def _said(answer: Any) -> dict[str, Any]:
    """A refusal without the id of its request, which is of each its own."""
    return {name: value for name, value in answer.json().items() if name != "request_id"}


def test_the_erasure_is_on_record_without_a_word_of_what_was_erased(
    told: MemoryUser, asking: Staff, confirming: Staff, now: datetime
) -> None:
    erasure = _erase(told, asking, confirming, now)
    erasure.refresh_from_db()
    assert erasure.status == ErasureStatus.DONE
    assert erasure.erased["memory.factbody"] == told.fact_seq
    actions = AuditEvent.objects.filter(person_id=told.pk, object_kind="erasure")
    assert [(one.action, one.actor_id) for one in actions.order_by("pk")] == [
        ("erasure.ask", str(asking.pk)),
        ("erasure.confirm", str(confirming.pk)),
    ]


def test_nobody_confirms_what_they_asked_for(
    told: MemoryUser, asking: Staff, confirming: Staff, now: datetime
) -> None:
    asked = _asked(told, asking, now)
    with pytest.raises(SameHand):
        confirm_erasure(erasure_id=asked.pk, actor=asking, now=now)
    with pytest.raises(Error), transaction.atomic():  # nor does the database take it
        Erasure.objects.filter(pk=asked.pk).update(status="done", decided_by=asking)
    with pytest.raises(AlreadyAsked):
        _asked(told, confirming, now)
    assert FactBody.objects.filter(user=told).exists()


def test_what_is_called_off_is_not_confirmed(
    told: MemoryUser, asking: Staff, confirming: Staff, now: datetime
) -> None:
    asked = _asked(told, asking, now)
    withdraw_erasure(erasure_id=asked.pk, actor=asking, now=now)
    with pytest.raises(NotAsked):
        confirm_erasure(erasure_id=asked.pk, actor=confirming, now=now)
    assert _asked(told, asking, now).pk != asked.pk


def test_only_an_admin_asks_or_confirms(
    told: MemoryUser, caregiver: Staff, asking: Staff, now: datetime
) -> None:
    with pytest.raises(PermissionDenied):
        _asked(told, caregiver, now)
    asked = _asked(told, asking, now)
    with pytest.raises(PermissionDenied):
        confirm_erasure(erasure_id=asked.pk, actor=caregiver, now=now)
    with pytest.raises(access.NotFound):
        ask_erasure(user_id=uuid4(), actor=asking, reason=ErasureReason.WISH, now=now)


@pytest.mark.parametrize(
    "table", ["memory_factbody", "memory_readingbody", "memory_codeversion", "alerts_alertevent"]
)
def test_without_an_erasure_that_is_done_the_database_refuses(
    told: MemoryUser, asking: Staff, now: datetime, table: str
) -> None:
    _asked(told, asking, now)
    with pytest.raises(Error, match="append-only"), transaction.atomic():
        connection.cursor().execute(f"DELETE FROM {table}")


def test_code_of_others_stays_refused_after_an_erasure(
    told: MemoryUser, api: Api, caregiver: Staff, asking: Staff, confirming: Staff, now: datetime
) -> None:
    told_everywhere(api, caregiver, OTHER)
    _erase(told, asking, confirming, now)
    for model in (Tree, Blob):
        for row in model.objects.all():
            with pytest.raises(Error), transaction.atomic():
                model.objects.filter(pk=row.pk)._raw_delete("default")


def test_a_decided_erasure_stays(
    told: MemoryUser, asking: Staff, confirming: Staff, now: datetime
) -> None:
    _erase(told, asking, confirming, now)
    for statement in (
        "DELETE FROM memory_erasure",
        "UPDATE memory_erasure SET status = 'asked'",
    ):
        with pytest.raises(Error, match="append-only"), transaction.atomic():
            connection.cursor().execute(statement)


def test_every_table_about_a_person_is_emptied_or_known_to_stay(
    told: MemoryUser, asking: Staff, confirming: Staff, now: datetime
) -> None:
    _erase(told, asking, confirming, now)
    left = {one.model for one in belongings() if one.rows(told.pk).exists()}
    assert left <= set(KEPT)


def test_a_post_that_waited_for_the_erasure_is_refused(
    told: MemoryUser, api: Api, asking: Staff, confirming: Staff, now: datetime
) -> None:
    _erase(told, asking, confirming, now)
    assert api.post_facts(told, medication("Ibuprofen")).status_code == 404
    assert not FactBody.objects.filter(user_id=told.pk).exists()


def test_bodies_left_of_somebody_erased_are_a_fault(told: MemoryUser, now: datetime) -> None:
    MemoryUser.objects.filter(pk=told.pk).update(erased_at=now)
    assert {one.reason for one in verify_user(told.pk)} == {
        "bodies are left of somebody who was erased"
    }
