"""`verify_log` finds any tampering with what is stored and names the first broken entry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.models import MemoryUser, Stream
from memory.project.chain import commitment, link
from memory.verification import Break, Placements, verify_user
from tests.api_client import Api
from tests.database import triggers_lifted
from tests.facts import allergy, fact, medication, note
from tests.people import new_person

TEXT = ("canonical", "source", "session", "role", "kind", "record_id")
HEX = ("salt", "commitment", "hash")
MOMENTS = ("recorded_at", "occurred_at", "said_at")
COLUMNS = {
    "message": (
        "memory_message",
        ("user_id", "seq", "recorded_at", "commitment", "hash", "said_at"),
    ),
    "messagebody": (
        "memory_messagebody",
        ("user_id", "seq", "salt", "canonical", "session", "role"),
    ),
    "fact": (
        "memory_fact",
        ("user_id", "seq", "recorded_at", "commitment", "hash", "occurred_at", "app_id"),
    ),
    "factbody": ("memory_factbody", ("user_id", "seq", "salt", "canonical", "source", "session")),
    "reading": (
        "memory_reading",
        ("user_id", "seq", "recorded_at", "commitment", "hash", "fact_seq"),
    ),
    "readingbody": (
        "memory_readingbody",
        ("user_id", "seq", "salt", "canonical", "kind", "record_id"),
    ),
}  # fmt: skip
EVERY_COLUMN = [(name, column) for name, (_, columns) in COLUMNS.items() for column in columns]
ENTRIES = 4  # of each stream


@pytest.fixture
def told(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with four messages, four facts and four readings, and triggers lifted."""
    turns = [{"role": "user", "content": f"turn {number}"} for number in range(ENTRIES)]
    path = f"users/{person.pk}/messages"
    assert api.post(path, {"messages": turns, "session": "s"}).status_code == 201
    api.append(
        person,
        {**allergy("latex"), "source": "chat", "session": "s"},
        medication("Amoxicillin"),
        note("tea"),
        allergy("latex", "update", severity="mild"),
    )
    person.refresh_from_db()
    return person


@pytest.fixture
def thief(told: MemoryUser) -> Iterator[MemoryUser]:
    """The person, with nothing in the way of whoever can write to the database."""
    assert verify_user(told.pk) == []
    with triggers_lifted():
        yield told


@pytest.mark.django_db(transaction=True)
def test_every_column_of_every_table_of_the_log_is_tampered_with_below() -> None:
    with connection.cursor() as cursor:
        for table, columns in COLUMNS.values():
            described = connection.introspection.get_table_description(cursor, table)
            assert {column.name for column in described} == set(columns)


def _key(person_id: UUID) -> Any:
    return person_id if connection.vendor == "postgresql" else person_id.hex


def _value(table: str, column: str, person_id: UUID, seq: int) -> Any:
    with connection.cursor() as cursor:
        where = f"SELECT {column} FROM {table} WHERE user_id = %s AND seq = %s"
        cursor.execute(where, [_key(person_id), seq])
        return cursor.fetchone()[0]


@contextmanager
def _tampered(table: str, column: str, person_id: UUID, seq: int, value: Any) -> Iterator[None]:
    """A row in which this column holds another value, for as long as the block lasts."""
    old = _value(table, column, person_id, seq)
    owner, place = _key(person_id), seq
    change = f"UPDATE {table} SET {column} = %s WHERE user_id = %s AND seq = %s"
    with connection.cursor() as cursor:
        cursor.execute(change, [value, owner, place])
        assert cursor.rowcount == 1
        new_owner = value if column == "user_id" else owner
        new_place = value if column == "seq" else place
        try:
            yield
        finally:
            cursor.execute(change, [old, new_owner, new_place])


def _changed(column: str, old: Any, draw: Any, others: dict[str, Any]) -> Any:
    """Some other value that the column could hold."""
    if column in MOMENTS:
        shift = timedelta(microseconds=draw(st.integers(1, 10**15)))
        if isinstance(old, str):  # SQLite keeps moments as text
            return str(datetime.fromisoformat(old) + shift)
        return old + shift
    if column in HEX:
        at = draw(st.integers(0, len(old) - 1))
        digit = draw(st.sampled_from([one for one in "0123456789abcdef" if one != old[at]]))
        return old[:at] + digit + old[at + 1 :]
    if column in TEXT:
        at = draw(st.integers(0, len(old)))
        return old[:at] + draw(st.sampled_from("xé 0{")) + old[at:]
    if column == "seq":
        return draw(st.integers(ENTRIES + 1, 10_000))
    if column == "fact_seq":
        return old + draw(st.integers(1, 1_000))
    return others[column]


@pytest.mark.parametrize(("name", "column"), EVERY_COLUMN)
def test_tampering_with_any_column_is_found_and_its_entry_named(
    thief: MemoryUser, name: str, column: str, two_apps: tuple[Api, Api]
) -> None:
    other = new_person()
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM memory_app WHERE name = 'other'")
        others = {"user_id": _key(other.pk), "app_id": cursor.fetchone()[0]}
    table, _ = COLUMNS[name]

    @settings(max_examples=12, deadline=None)
    @given(data=st.data(), seq=st.integers(1, ENTRIES))
    def tamper(data: st.DataObject, seq: int) -> None:
        value = _changed(column, _value(table, column, thief.pk, seq), data.draw, others)
        with _tampered(table, column, thief.pk, seq, value):
            (broken,) = verify_user(thief.pk)
            assert (broken.stream, broken.seq) == (name.removesuffix("body"), seq)
            assert broken.reason
        assert verify_user(thief.pk) == []

    tamper()


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("seq", range(1, ENTRIES + 1))
def test_a_row_that_is_gone_is_missed(thief: MemoryUser, name: str, seq: int) -> None:
    with connection.cursor() as cursor:
        where = f"DELETE FROM {COLUMNS[name][0]} WHERE user_id = %s AND seq = %s"
        cursor.execute(where, [_key(thief.pk), seq])
    (broken,) = verify_user(thief.pk)
    assert (broken.stream, broken.seq) == (name.removesuffix("body"), seq)


@pytest.mark.parametrize("stream", ["message", "fact", "reading"])
def test_an_end_that_is_cut_off_with_its_bodies_is_missed(thief: MemoryUser, stream: str) -> None:
    with connection.cursor() as cursor:
        for table in (f"memory_{stream}", f"memory_{stream}body"):
            cursor.execute(f"DELETE FROM {table} WHERE user_id = %s AND seq > 2", [_key(thief.pk)])
    (broken,) = verify_user(thief.pk)
    assert (broken.stream, broken.seq) == (stream, 3)


@pytest.mark.parametrize("stream", ["message", "fact", "reading"])
def test_a_head_that_was_moved_is_noticed(thief: MemoryUser, stream: str) -> None:
    MemoryUser.objects.filter(pk=thief.pk).update(**{f"{stream}_head": "f" * 64})
    assert [(one.stream, one.seq) for one in verify_user(thief.pk)] == [(stream, ENTRIES + 1)]
    MemoryUser.objects.filter(pk=thief.pk).update(**{f"{stream}_seq": ENTRIES - 1})
    assert [one.stream for one in verify_user(thief.pk)] == [stream]


def test_two_entries_that_changed_places_are_noticed(thief: MemoryUser) -> None:
    with connection.cursor() as cursor:
        for table in ("memory_fact", "memory_factbody"):
            for old, new in ((2, 90), (3, 2), (90, 3)):
                change = f"UPDATE {table} SET seq = %s WHERE user_id = %s AND seq = %s"
                cursor.execute(change, [new, _key(thief.pk), old])
    assert [(one.stream, one.seq) for one in verify_user(thief.pk)] == [("fact", 2)]


def test_a_text_with_a_commitment_to_match_is_still_found(thief: MemoryUser) -> None:
    body = _value("memory_factbody", "canonical", thief.pk, 2).replace("Amoxicillin", "Ibuprofen")
    salt = _value("memory_factbody", "salt", thief.pk, 2)
    with (
        _tampered("memory_factbody", "canonical", thief.pk, 2, body),
        _tampered("memory_fact", "commitment", thief.pk, 2, commitment(salt, body)),
    ):
        assert [(one.stream, one.seq) for one in verify_user(thief.pk)] == [("fact", 2)]


def test_a_text_rehashed_up_to_its_own_link_breaks_the_next(thief: MemoryUser) -> None:
    body = _value("memory_factbody", "canonical", thief.pk, 2).replace("Amoxicillin", "Ibuprofen")
    committed = commitment(_value("memory_factbody", "salt", thief.pk, 2), body)
    before = _value("memory_fact", "hash", thief.pk, 1)
    forged = link(before, stream="fact", user_id=str(thief.pk), seq=2, committed=committed)
    with (
        _tampered("memory_factbody", "canonical", thief.pk, 2, body),
        _tampered("memory_fact", "commitment", thief.pk, 2, committed),
        _tampered("memory_fact", "hash", thief.pk, 2, forged),
    ):
        assert [(one.stream, one.seq) for one in verify_user(thief.pk)] == [("fact", 3)]


def test_breaks_in_different_streams_are_all_named(thief: MemoryUser) -> None:
    with (
        _tampered("memory_factbody", "salt", thief.pk, 3, "0" * 32),
        _tampered("memory_message", "hash", thief.pk, 2, "0" * 64),
    ):
        found = [(one.stream, one.seq) for one in verify_user(thief.pk)]
    assert found == [("message", 2), ("fact", 3)]


def test_the_first_of_several_broken_entries_is_named(thief: MemoryUser) -> None:
    with (
        _tampered("memory_factbody", "salt", thief.pk, 4, "0" * 32),
        _tampered("memory_factbody", "salt", thief.pk, 2, "0" * 32),
    ):
        assert [one.seq for one in verify_user(thief.pk)] == [2]


def test_no_two_equal_texts_have_one_commitment(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("the same"), fact("the same"))
    commitments = {_value("memory_fact", "commitment", person.pk, seq) for seq in (1, 2)}
    assert len(commitments) == 2


def test_the_command_counts_who_holds(told: MemoryUser) -> None:
    new_person()
    out = StringIO()
    call_command("verify_log", stdout=out)
    assert out.getvalue() == "2 people: every chain holds.\n"


def test_the_command_names_what_is_broken_and_fails(thief: MemoryUser) -> None:
    new_person()
    err = StringIO()
    with _tampered("memory_factbody", "salt", thief.pk, 3, "0" * 32):
        with pytest.raises(CommandError, match="1 chains are broken, of 2 people") as failed:
            call_command("verify_log", stderr=err)
        assert failed.value.returncode == 1
    assert err.getvalue().startswith(f"{thief.pk}: fact 3: ")


def test_the_command_looks_at_one_person_alone_when_told(thief: MemoryUser) -> None:
    other, out = new_person(), StringIO()
    with _tampered("memory_factbody", "salt", thief.pk, 3, "0" * 32):
        call_command("verify_log", "--user", str(other.pk), stdout=out)
        with pytest.raises(CommandError):
            call_command("verify_log", "--user", str(thief.pk), stderr=StringIO())
    assert "1 people" in out.getvalue()


def test_the_command_refuses_a_person_who_is_not_there(told: MemoryUser) -> None:
    with pytest.raises(CommandError, match="There is no person"):
        call_command("verify_log", "--user", str(uuid4()))


def test_a_body_without_an_entry_is_noticed(thief: MemoryUser) -> None:
    with connection.cursor() as cursor:
        columns = "user_id, salt, canonical, source, session"
        cursor.execute(
            f"INSERT INTO memory_factbody ({columns}, seq) "
            f"SELECT {columns}, 9 FROM memory_factbody WHERE user_id = %s AND seq = 1",
            [_key(thief.pk)],
        )
    assert verify_user(thief.pk) == [Break(Stream.FACT, 9, "a body stands without its entry")]


def _reading(seq: int, record: str = "", **more: Any) -> dict[str, Any]:
    return {"seq": seq, "fact_seq": 1, "kind": "a.A", "record_id": record, "op": "assert", **more}


@pytest.mark.parametrize(
    "placement",
    [
        _reading(3, "a", places=2),  # it had a record
        _reading(3, "a", places=7),
        _reading(3, "a", places=1, fact_seq=2),
        _reading(3, "a", places=1, kind="b.B"),
    ],
)
def test_a_placement_of_what_does_not_wait_is_a_fault(placement: dict[str, Any]) -> None:
    placements = Placements()
    assert [placements.fault(one) for one in (_reading(1), _reading(2, "x"))] == [None, None]
    assert f"it places reading {placement['places']}," in str(placements.fault(placement))


def test_a_reading_is_placed_once() -> None:
    placements = Placements()
    steps = [_reading(1), _reading(2, "a", places=1), _reading(3, "a", places=1)]
    assert [placements.fault(one) is None for one in steps] == [True, True, False]
