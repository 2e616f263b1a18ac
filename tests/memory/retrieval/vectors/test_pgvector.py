"""What PostgreSQL with pgvector keeps and answers is what the matrices do."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.actions.embed_entries import Unembedded, store_vectors
from memory.models import BLOCK, EmbeddedBlock, MemoryUser, Stream
from memory.retrieval.vectors import kept, matrix, pgvector
from tests.people import new_person

MODEL = "small"
HEADS = {Stream.FACT: BLOCK + 3, Stream.MESSAGE: 2}
numbers = st.floats(-100_000, 100_000, width=32)
one_vector = st.lists(numbers, min_size=3, max_size=3)
vectors = st.lists(one_vector, min_size=1, max_size=8)


@pytest.fixture(autouse=True)
def with_pgvector(db: None) -> Iterator[None]:
    """A database that has it."""
    if not pgvector.there():
        pytest.skip("this database has no pgvector")
    yield
    pgvector.there.cache_clear()  # what a test took away is there again


@pytest.fixture
def person(db: None) -> MemoryUser:
    """Somebody of whom, and of whose database, nothing stays."""
    return new_person()


def _keep(person: MemoryUser, stream: Stream, block: int, rows: Sequence[Sequence[float]]) -> None:
    of = Unembedded(person.pk, stream, block, 0, [""] * len(rows))
    store_vectors(of=of, model=MODEL, vectors=rows)


@given(
    facts=vectors, later=vectors, messages=vectors, query=st.lists(numbers, min_size=3, max_size=3)
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_ways_agree(
    person: MemoryUser,
    facts: list[list[float]],
    later: list[list[float]],
    messages: list[list[float]],
    query: list[float],
) -> None:
    EmbeddedBlock.objects.all()._raw_delete(using="default")
    for stream, number, rows in (
        (Stream.FACT, 0, facts),
        (Stream.FACT, 1, later),
        (Stream.MESSAGE, 0, messages),
    ):
        _keep(person, stream, number, rows)
        block = EmbeddedBlock(user_id=person.pk, stream=stream, block=number)
        matrix.append(block, 0, rows)
    matrix._rows.cache_clear()
    here = matrix.similarities(person, MODEL, query, HEADS)
    there = pgvector.similarities(person, MODEL, query, HEADS)
    assert here.keys() == there.keys()
    assert len(there) == len(facts) + min(len(later), 3) + min(len(messages), 2)
    assert there == pytest.approx(here, abs=0.002)


def test_vectors_of_another_length_or_model_are_left_out(person: MemoryUser) -> None:
    _keep(person, Stream.FACT, 0, [[1.0, 0.0, 0.0]])
    assert pgvector.similarities(person, MODEL, [1.0, 0.0], HEADS) == {}
    assert pgvector.similarities(person, "other", [1.0, 0.0, 0.0], HEADS) == {}


def test_those_that_follow_are_added(person: MemoryUser) -> None:
    _keep(person, Stream.FACT, 0, [[1.0, 0.0], [0.0, 1.0]])
    of = Unembedded(person.pk, Stream.FACT, 0, 2, [""])
    store_vectors(of=of, model=MODEL, vectors=[[-3.0, 0.0]])
    found = pgvector.similarities(person, MODEL, [2.0, 0.0], HEADS)
    assert found == {(Stream.FACT, 1): 1, (Stream.FACT, 2): 0, (Stream.FACT, 3): -1}


def _without(more: str = "") -> None:
    """Take pgvector from the database, until the test's transaction is rolled back."""
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION vector CASCADE" + more)
    pgvector.there.cache_clear()


def test_where_it_comes_later_the_matrices_are_taken_over(person: MemoryUser) -> None:
    _without()
    assert kept.keeper() is matrix
    _keep(person, Stream.FACT, 0, [[1.0, 2.0], [3.0, -4.0]])
    before = kept.keeper().similarities(person, MODEL, [1.0, 1.0], HEADS)
    connection.check_constraints()  # PostgreSQL changes no table that waits for them
    pgvector.prepare()
    assert kept.keeper() is pgvector
    assert not EmbeddedBlock.objects.exclude(matrix=b"").exists()
    after = kept.keeper().similarities(person, MODEL, [1.0, 1.0], HEADS)
    assert len(after) == 2
    assert after == pytest.approx(before, abs=0.001)


def test_a_role_that_may_not_add_it_is_told_and_goes_on_without(
    person: MemoryUser, caplog: pytest.LogCaptureFixture
) -> None:
    _without("; CREATE ROLE uac_no_owner; SET LOCAL ROLE uac_no_owner")
    with caplog.at_level(logging.WARNING):
        pgvector.prepare()
    assert "run CREATE EXTENSION vector as a role that may" in caplog.text
    assert kept.keeper() is matrix
