"""Code is stored by its digest, and bytes that do not hash to it are never handed out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from django.db import connection

from memory import code
from memory.actions.baseline import baseline_in_force
from memory.code import (
    CodeTampered,
    adopted_baseline,
    load_project,
    overlay_of,
    project_of,
    store_project,
)
from memory.models import Baseline, Blob, MemoryUser, Tree
from memory.project import shipped
from memory.project.tree import Project
from tests.api_client import Api
from tests.database import triggers_lifted
from tests.facts import note
from tests.people import new_person
from tests.proposals import current
from tests.together import together

OTHER = Project(
    {"rules/a.py": "def check(today):\n    return []\n", "tests/test_ü.py": "'''\u202e"}
)


@pytest.fixture(autouse=True)
def _nothing_remembered(transactional_db: None) -> Iterator[None]:
    """A process that starts."""
    code._stored.cache_clear()
    yield
    code._stored.cache_clear()


def test_a_project_is_read_as_it_was_stored() -> None:
    tree = store_project(OTHER)
    found = load_project(tree.pk)
    assert (dict(found.files), found.digest) == (dict(OTHER.files), tree.pk)
    assert load_project(tree.pk) is found


def test_storing_twice_is_storing_once() -> None:
    assert store_project(OTHER) == store_project(Project(dict(OTHER.files)))
    assert (Tree.objects.count(), Blob.objects.count()) == (1, 2)


def test_files_with_the_same_text_share_it() -> None:
    store_project(Project({"a.py": "1\n", "b.py": "1\n"}))
    store_project(Project({"b.py": "1\n", "c.py": "2\n"}))
    assert Blob.objects.count() == 2


@pytest.mark.parametrize(
    "theft",
    [
        "UPDATE memory_blob SET text = 'def check(today): return [1]'",
        "DELETE FROM memory_blob",
        "DELETE FROM memory_tree",
        "UPDATE memory_tree SET files = '{}'",
    ],
)
def test_bytes_that_are_not_what_the_digest_says_are_refused(theft: str) -> None:
    tree = store_project(OTHER)
    with triggers_lifted(), connection.cursor() as cursor:
        cursor.execute(theft)
    with pytest.raises(CodeTampered):
        load_project(tree.pk)


def test_what_ships_is_never_read_from_the_database(person: MemoryUser, api: Api) -> None:
    api.append(person, note("a"))
    with triggers_lifted(), connection.cursor() as cursor:
        cursor.execute("UPDATE memory_blob SET text = 'x'")
    assert project_of(current(person)) is shipped.baseline()


def test_the_first_fact_settles_a_person_on_the_baseline_in_force(
    api: Api, person: MemoryUser
) -> None:
    assert (person.tree, project_of(person)) == ("", shipped.baseline())
    assert not Baseline.objects.exists()
    api.append(person, note("a"))
    settled = current(person)
    assert settled.tree == settled.baseline == shipped.baseline().digest
    assert [(one.number, one.tree_id) for one in Baseline.objects.all()] == [(1, settled.tree)]
    api.append(new_person(), note("b"))
    assert Baseline.objects.count() == 1


def test_the_baseline_adopted_last_is_in_force(person: MemoryUser, api: Api) -> None:
    api.append(person, note("a"))
    Baseline.objects.create(number=2, tree=store_project(OTHER), adopted_at=person.created_at)
    assert adopted_baseline().digest == OTHER.digest
    assert project_of(new_person()).digest == OTHER.digest
    assert project_of(current(person)) is shipped.baseline()  # until it is brought over


def test_first_facts_at_the_same_time_adopt_one_baseline(api: Api, transactional_db: None) -> None:
    together(*(partial(api.append, new_person(), note("a")) for _ in range(4)))
    assert Baseline.objects.count() == 1
    assert MemoryUser.objects.filter(fact_seq=1, tree=shipped.baseline().digest).count() == 4


def test_an_overlay_is_what_differs() -> None:
    base = Project({"a.py": "1", "b.py": "2", "c.py": "3"})
    assert overlay_of(Project({"a.py": "1", "b.py": "x", "d.py": "4"}), base) == (
        "b.py",
        "c.py",
        "d.py",
    )
    assert overlay_of(base, base) == ()


def test_the_baseline_in_force_is_the_one_that_was_there(person: MemoryUser) -> None:
    first = baseline_in_force(now=person.created_at)
    assert baseline_in_force(now=person.created_at) == first
