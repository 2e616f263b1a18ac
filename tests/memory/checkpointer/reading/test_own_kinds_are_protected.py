"""What a rule of the person's own watches, a model may not change by itself either."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff

from memory.checkpointer.reading.protected import PROTECTED, protected_in
from memory.code import code_of
from memory.models import HeldReading, MemoryUser
from memory.project.shipped import baseline
from memory.project.tree import Project
from tests.api_client import Api
from tests.facts import fact, reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Script, answers
from tests.proposals import approved, current, proposed, with_files
from tests.queue import deliver_all

SCHEMA = '''"""Pets and plants."""

from dataclasses import dataclass

from uac import kind


@kind("pets", key=("name",))
@dataclass
class Pet:
    """An animal of the person."""

    id: str
    name: str
    food: str | None = None


@kind("plants", key=("name",))
@dataclass
class Plant:
    """A plant of the person."""

    id: str
    name: str
'''
RULE = '''"""Mentions a pet without food."""

from datetime import date

from domains.pets.state import pets
from uac import Alert


def check(today: date) -> list[Alert]:
    """One for each."""
    return [Alert("info", f"{pet.name} has no food", [pet]) for pet in pets if not pet.food]
'''
FILES = {"domains/pets/schema.py": SCHEMA, "rules/pet_food.py": RULE}
OWN = frozenset({"pets.Pet", "pets.Plant"})


@pytest.mark.parametrize(
    ("rule", "more"),
    [
        (RULE, {"pets.Pet"}),
        (RULE.replace("import pets", "import *"), {"pets.Pet", "pets.Plant"}),
        (RULE.replace("from domains.pets.state import pets", "pets = []"), set()),
    ],
)
def test_kinds_that_an_own_rule_reads_are_protected(rule: str, more: set[str]) -> None:
    project = Project({**baseline().files, **FILES, "rules/pet_food.py": rule})
    assert protected_in(project, kinds=OWN, rules=["pet_food"]) == PROTECTED | more
    assert protected_in(project, kinds=OWN, rules=[]) == PROTECTED


def test_a_change_of_what_an_own_rule_watches_is_held(
    api: Api, person: MemoryUser, caregiver: Staff, server: Script, says: Post
) -> None:
    approved(proposed(person, with_files(person, FILES)), caregiver)
    assert code_of(current(person)).own == OWN
    api.append(
        person,
        fact("a", reading("pets.Pet", name="Rex"), occurred_at="2026-03-01T09:00:00Z"),
        fact("b", reading("pets.Plant", name="Fern"), occurred_at="2026-03-01T09:00:00Z"),
    )
    gone = [reading("pets.Pet", "retract", "rex"), reading("pets.Plant", "retract", "fern")]
    new = reading("pets.Pet", name="Tom")
    server.plays(answers(answer(entry(1, found("Rex and the fern are gone", *gone, new)))))
    says("Rex and the fern are gone")
    deliver_all()
    assert api.records(person, "pets.Pet").keys() == {"rex", "tom"}
    assert api.records(person, "pets.Plant") == {}
    assert HeldReading.objects.get().record_id == "rex"
