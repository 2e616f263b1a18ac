"""What was appended is never changed: the database itself refuses, on either engine."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User as Staff
from django.db import Error, connection, transaction

from memory.models import (
    Approval,
    AuditDrop,
    AuditSeal,
    CodeVersion,
    CommentResolution,
    Erasure,
    LineComment,
    MemoryUser,
    Proposal,
    Tree,
)
from memory.sealing import seal
from tests.api_client import Api
from tests.database import empty_database, triggers_lifted
from tests.facts import allergy, medication

TABLES = {
    "memory_message": "hash",
    "memory_messagebody": "canonical",
    "memory_fact": "hash",
    "memory_factbody": "canonical",
    "memory_reading": "hash",
    "memory_readingbody": "canonical",
    "memory_blob": "text",
    "memory_tree": "digest",
    "memory_baseline": "tree_id",
    "memory_codeversion": "summary",
    "memory_auditevent": "action",
    "memory_auditseal": "root",
    "memory_auditdrop": "last_event",
    "memory_erasure": "reason",
    "memory_approval": "digest",
    "memory_linecomment": "text",
    "memory_commentresolution": "at",
    "alerts_alertevent": "comment",
}
NEW = {  # where the column takes no letter
    "memory_auditdrop": "7",
    "memory_commentresolution": "2027-01-01 00:00:00",
}
KEYS = {
    "memory_blob": "digest",
    "memory_tree": "digest",
    "memory_baseline": "number",
    "memory_codeversion": "user_id, number",
    "memory_auditevent": "id",
    "memory_auditseal": "number",
    "memory_auditdrop": "through_id",
    "memory_erasure": "id",
    "memory_approval": "id",
    "memory_linecomment": "id",
    "memory_commentresolution": "id",
    "alerts_alertevent": "id",
}


@pytest.fixture
def told(api: Api, person: MemoryUser, caregiver: Staff, now: datetime) -> MemoryUser:
    """A person with a row in every table that only grows."""
    turn = {"messages": [{"role": "user", "content": "hello"}]}
    assert api.post(f"users/{person.pk}/messages", turn).status_code == 201
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    tree = Tree.objects.get()
    CodeVersion.objects.create(
        user=person,
        number=1,
        tree=tree,
        baseline=tree,
        parent=tree.pk,
        overlay=[],
        summary="Nothing changes",
        approved_at=now,
        approved_by=caregiver,
    )
    _audited(person, caregiver, now)
    _reviewed(person, caregiver, now)
    return person


def _reviewed(person: MemoryUser, staff: Staff, now: datetime) -> None:
    """A proposal that was approved, with a comment that was settled."""
    tree = Tree.objects.get()
    proposal = Proposal.objects.create(
        user=person, parent=tree.pk, tree=tree, baseline=tree, summary="Nothing", created_at=now
    )
    by = {"user": person, "by": staff, "at": now}
    Approval.objects.create(proposal=proposal, digest=tree.pk, **by)
    comment = LineComment.objects.create(
        proposal=proposal, digest=tree.pk, path="a.py", side="new", line=1, text="hm", **by
    )
    CommentResolution.objects.create(comment=comment, **by)


def _audited(person: MemoryUser, staff: Staff, now: datetime) -> None:
    """Nothing is dropped, since nothing is that old; an erasure was called off."""
    seal(now=now)
    nothing = AuditSeal.objects.create(
        number=0,
        sealed_at=now,
        last_event=0,
        ranges=[],
        gaps=[],
        count=0,
        root="",
        prev="",
        hash="",
    )
    AuditDrop.objects.create(through=nothing, last_event=0, at=now)
    Erasure.objects.create(
        user=person, reason="wish", status="withdrawn", asked_by=staff, asked_at=now
    )


def _rows(table: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
        rows: list[tuple[object, ...]] = cursor.fetchall()
        return rows


def _refused(statement: str, table: str) -> None:
    before = _rows(table)
    assert before
    with (
        pytest.raises(Error, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert _rows(table) == before


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_updated(told: MemoryUser, table: str) -> None:
    _refused(f"UPDATE {table} SET {TABLES[table]} = '{NEW.get(table, 'x')}'", table)


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_even_touched(told: MemoryUser, table: str) -> None:
    _refused(f"UPDATE {table} SET {TABLES[table]} = {TABLES[table]}", table)


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_deleted(told: MemoryUser, table: str) -> None:
    _refused(f"DELETE FROM {table}", table)


@pytest.mark.parametrize("table", TABLES)
def test_no_table_is_emptied_at_once(told: MemoryUser, table: str) -> None:
    if connection.vendor == "postgresql":
        _refused(f"TRUNCATE {table} CASCADE", table)
    else:  # it has no TRUNCATE: a DELETE without WHERE is the way, and triggers do see it
        _refused(f"DELETE FROM {table} WHERE 1", table)


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_replaced_by_another_with_its_key(told: MemoryUser, table: str) -> None:
    if connection.vendor == "postgresql":
        key = KEYS.get(table, "user_id, seq")
        column = TABLES[table]
        _refused(
            f"INSERT INTO {table} SELECT * FROM {table} "
            f"ON CONFLICT ({key}) DO UPDATE SET {column} = '{NEW.get(table, 'x')}'",
            table,
        )
    else:
        _refused(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}", table)
        _refused(f"REPLACE INTO {table} SELECT * FROM {table}", table)


def test_the_triggers_stand_again_after_they_were_lifted(told: MemoryUser) -> None:
    with triggers_lifted(), connection.cursor() as cursor:
        cursor.execute("UPDATE memory_factbody SET source = 'tampered'")
        assert cursor.rowcount == 2
    for table in TABLES:
        _refused(f"DELETE FROM {table}", table)


def test_the_teardown_empties_even_these_tables(told: MemoryUser) -> None:
    empty_database()
    assert [table for table in TABLES if _rows(table)] == []
    assert not MemoryUser.objects.exists()
