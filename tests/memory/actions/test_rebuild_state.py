"""Rebuilding all records from the log gives what is stored; what differs is found and mended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.actions.rebuild_state import Difference, rebuild_state
from memory.models import MemoryUser, Record
from tests.api_client import Api, facts_path
from tests.facts import allergy, fact, medication, note, reading
from tests.people import new_person


@pytest.fixture
def told(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with four records, one of them retracted."""
    api.append(
        person,
        allergy("latex"),
        allergy("nuts", severity="mild"),
        medication("Amoxicillin"),
        note("tea"),
        allergy("latex", "retract"),
    )
    return person


def _check(person: MemoryUser) -> list[Difference]:
    return rebuild_state(user_id=person.pk, check_only=True)


def _rows(person: MemoryUser) -> list[Any]:
    return list(Record.objects.filter(user=person).order_by("kind", "record_id").values())


def test_what_the_api_stored_is_what_the_log_amounts_to(told: MemoryUser) -> None:
    assert _check(told) == []
    assert [row["record_id"] for row in _rows(told)] == ["nuts", "amoxicillin", "f4-1"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("data", {"substance": "nuts", "severity": "severe"}),
        ("data", {"substance": "nuts"}),
        ("facts", [1]),
        ("facts", []),
        ("reading_seq", 1),
        ("source", "Allergy(id='nuts')"),
    ],
)
def test_a_record_that_was_changed_is_found_and_mended(
    told: MemoryUser, column: str, value: Any
) -> None:
    before = _rows(told)
    Record.objects.filter(user=told, record_id="nuts").update(**{column: value})
    assert _check(told) == [Difference("health.Allergy", "nuts", "different")]
    assert _rows(told) != before  # a check mends nothing
    rebuild_state(user_id=told.pk, check_only=False)
    assert _rows(told) == before
    assert _check(told) == []


def test_a_record_that_is_gone_is_found_and_mended(told: MemoryUser) -> None:
    before = _rows(told)
    Record.objects.filter(user=told, record_id="nuts").delete()
    assert _check(told) == [Difference("health.Allergy", "nuts", "missing")]
    rebuild_state(user_id=told.pk, check_only=False)
    assert _rows(told) == before


def test_a_record_that_nobody_told_of_is_found_and_removed(told: MemoryUser) -> None:
    before = _rows(told)
    row = Record.objects.get(user=told, record_id="nuts")
    Record.objects.create(
        user=told,
        kind=row.kind,
        record_id="dust",
        data=row.data,
        facts=[1],
        reading_seq=1,
        source=row.source,
    )
    assert _check(told) == [Difference("health.Allergy", "dust", "superfluous")]
    rebuild_state(user_id=told.pk, check_only=False)
    assert _rows(told) == before


def test_the_command_names_differences_and_fails_when_it_only_checks(told: MemoryUser) -> None:
    other, out = new_person(), StringIO()
    Record.objects.filter(user=told, record_id="nuts").delete()
    with pytest.raises(CommandError, match="1 records are not") as failed:
        call_command("rebuild_state", "--check", stdout=out)
    assert failed.value.returncode == 1
    assert out.getvalue() == f"{told.pk}: health.Allergy nuts: missing\n"
    call_command("rebuild_state", "--check", "--user", str(other.pk), stdout=StringIO())


def test_the_command_mends(told: MemoryUser) -> None:
    before = _rows(told)
    Record.objects.filter(user=told).delete()
    call_command("rebuild_state", stdout=StringIO())
    assert _rows(told) == before
    call_command("rebuild_state", "--check", stdout=StringIO())


def test_the_command_leaves_others_alone_when_told(told: MemoryUser) -> None:
    other = new_person()
    Record.objects.filter(user=told).delete()
    call_command("rebuild_state", "--user", str(other.pk), stdout=StringIO())
    assert _rows(told) == []


START = datetime(2025, 1, 1, tzinfo=UTC)
SUBSTANCES = st.sampled_from(["latex", "Nuts", "penicillin"])
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "severity": st.sampled_from(["mild", "severe", None]),
        "reaction": st.sampled_from(["hives", "“x”\n", None]),
        "noted_on": st.sampled_from(["2020-02-29", None]),
    },
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["assert", "update", "retract"]),
        SUBSTANCES,
        VALUES,
        st.integers(0, 5),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_after_any_legal_readings_the_stored_is_the_rebuilt(api: Api, steps: list[Any]) -> None:
    person = new_person()
    batch: list[Any] = []
    for op, substance, values, day, send in steps:
        known = {one["readings"][0]["data"]["substance"] for one in batch} | _told(api, person)
        legal = op if substance in known else "assert"
        said = reading("health.Allergy", legal, substance=substance, **values)
        moment = (START + timedelta(days=day)).isoformat()
        batch.append(fact("x", said, occurred_at=moment))
        if send:
            api.append(person, *batch)
            batch = []
            assert _check(person) == []
    if batch:
        api.append(person, *batch)
    assert _check(person) == []


def _told(api: Api, person: MemoryUser) -> set[str]:
    stored = api.all(facts_path(person.pk))
    return {one["readings"][0]["data"]["substance"] for one in stored}
