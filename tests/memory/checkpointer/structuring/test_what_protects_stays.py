"""What protects the person is not ended beside code, whatever an answer reads into the facts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from pytest_django import Settings

from memory.checkpointer.structuring.readings import FactReading, fit_readings
from memory.code import Code
from memory.log import facts_by_seq
from memory.models import MemoryUser, Need, NeedStatus
from memory.project.shipped import baseline
from tests.api_client import Api
from tests.facts import Json, allergy, fact, medication, reading
from tests.memory.checkpointer.structuring.conftest import told
from tests.memory.checkpointer.structuring.written import PATHS, PLACED, SCHEMA, shipped, written
from tests.model_server import Script, answers
from tests.proposals import current, with_files

Asked = Callable[..., Need]
PETS, ALONE, TESTS = PATHS
NOTHING: Json = dict.fromkeys(PATHS)
HEALTH = "domains/health/schema.py"
LAST = answers("no JSON")
"""A last answer that takes no time."""


@pytest.fixture(autouse=True)
def _two_attempts(settings: Settings) -> None:
    settings.STRUCTURE_ATTEMPTS = 2


REX: Json = PLACED | {"id": "rex"}


@pytest.mark.parametrize(
    ("wrong", "removed"),
    [
        (REX | {"op": "update", "data": {"alone_hours": 24}}, []),
        (REX | {"op": "update", "data": {"alone_hours": 24}}, [ALONE, TESTS]),
        (REX | {"data": {"name": "Rex", "alone_hours": 24}}, [ALONE, TESTS]),
        (REX | {"op": "retract", "data": {}}, [ALONE, TESTS]),
    ],
    ids=["update", "update, rule removed", "assert, rule removed", "retract, rule removed"],
)
def test_what_an_own_rule_watches_is_not_changed_beside_code(
    api: Api,
    person: MemoryUser,
    server: Script,
    own: None,
    asked: Asked,
    wrong: Json,
    removed: list[str],
) -> None:
    """Also not by an answer that takes the rule away together with it."""
    api.append(person, fact("Rex: 4 hours", reading("pets.Pet", name="Rex", alone_hours=4)))
    longer = SCHEMA.replace("# at most", "# at the most")
    files = NOTHING | {PETS: longer}
    need = asked(answers(written(files=files, removed=removed, readings=[wrong])), LAST)
    assert "readings[0]: this would change or end what protects the person" in told(server)
    assert need.status == NeedStatus.FAILED
    assert api.records(person, "pets.Pet") == {"rex": {"name": "Rex", "alone_hours": 4}}


ENDS: list[tuple[str, str, Json]] = [
    ("health.Medication", "amoxicillin", {"status": "stopped"}),
    ("health.Medication", "amoxicillin", {"stopped_on": "2026-01-01"}),
    ("health.Allergy", "penicillin", {"tolerated_since": "2026"}),
    ("health.Allergy", "penicillin", {"category": "environment"}),
    ("finance.SpendingLimit", "hobbies", {"until": "2020-01-01"}),
    ("preferences.Prohibition", "p", {"status": "lifted"}),
]


def test_what_ends_a_protection_without_overwriting_a_word_is_refused_too(
    api: Api, person: MemoryUser, server: Script, asked: Asked
) -> None:
    """Nothing is recorded of these fields; to fill them is to end what the record protects from."""
    api.append(
        person,
        medication("amoxicillin"),
        allergy("penicillin"),
        fact("5 a month", reading("finance.SpendingLimit", what="hobbies", amount="5")),
        fact("No", reading("preferences.Prohibition", "assert", "p", what="a", substance="b")),
    )
    readings = [
        {"fact": 1, "kind": kind, "op": "update", "id": name, "data": data}
        for kind, name, data in ENDS
    ]
    need = asked(answers(written(readings=readings)), LAST)
    refused = re.findall(r"readings\[(\d)\]: this would change or end what protects", told(server))
    assert refused == ["0", "1", "2", "3", "4", "5"]
    assert need.status == NeedStatus.FAILED


def test_a_field_that_is_new_may_be_filled(api: Api, person: MemoryUser) -> None:
    """Of a protected record, where the code that is proposed adds the field to its kind."""
    api.append(person, allergy("penicillin"))
    user = current(person)
    wider = shipped(
        HEALTH, "    tolerated: list", "    told_by: str | None = None\n    tolerated: list"
    )
    fitted = fit_readings(
        user=user,
        code=Code(with_files(person, wider), baseline()),
        facts=facts_by_seq(user, [1]),
        readings=[FactReading("r", 1, "health.Allergy", "update", "penicillin", {"told_by": "Bo"})],
    )
    assert fitted.problems == []
