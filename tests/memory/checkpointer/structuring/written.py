"""Code as a model might write it: how long a dog may be alone, and a rule that watches it."""

from __future__ import annotations

from typing import Any

from memory.project.shipped import baseline

Json = dict[str, Any]

SAID = "Rex must never be left alone for more than 4 hours"
SCHEMA = '''"""Animals the person cares for."""

from dataclasses import dataclass

from uac import kind


@kind("pets", key=("name",))
@dataclass
class Pet:
    """An animal, and how long it may be alone."""

    id: str
    name: str
    alone_hours: int | None = None  # at most
'''
RULE = '''"""Warns of an engagement that leaves an animal alone for longer than was said.

Without a time at both ends, or after the day, it is silent.

Facts: 1.
"""

from datetime import date

from domains.pets.schema import Pet
from domains.pets.state import pets
from domains.schedule.schema import Engagement
from domains.schedule.state import engagements
from uac import Alert, clock, long_date, sentence


def hours_out(one: Engagement) -> float:
    """How long it takes on its day; 0 where nobody said."""
    if one.starts_at is None or one.ends_at is None:
        return 0.0
    start = one.starts_at.hour + one.starts_at.minute / 60
    return one.ends_at.hour + one.ends_at.minute / 60 - start


def pet_alert(pet: Pet, one: Engagement, day: date) -> Alert:
    """The alert for one animal and one engagement."""

    def words(title: str, name: str) -> str:
        return f"{title} on {long_date(day)} leaves {name} alone over {pet.alone_hours} hours"

    return Alert(
        severity="warning",
        summary=sentence(words, one.title, pet.name),
        evidence=[pet, one],
        action="Arrange for somebody to look after it.",
    )


def pets_alone(pets: list[Pet], engagements: list[Engagement], today: date) -> list[Alert]:
    """The alerts for all animals and engagements."""
    found = []
    for pet in sorted(pets, key=lambda one: one.id):
        for one in sorted(engagements, key=lambda each: each.id):
            if pet.alone_hours is None or one.on is None or one.on < today:
                continue
            if one.status != "cancelled" and hours_out(one) > pet.alone_hours:
                found.append(pet_alert(pet, one, one.on))
    return found


def check(today: date) -> list[Alert]:
    """The alerts for the recorded animals."""
    return pets_alone(pets, engagements, today)
'''
TEST = """from datetime import date, time

from domains.pets.schema import Pet
from domains.schedule.schema import Engagement
from rules.pet_alone import pets_alone

PET_TODAY = date(2026, 3, 2)


def alone(until, day=9):
    on = date(2026, 3, day)
    one = Engagement(id="e", title="Visit", on=on, starts_at=time(9), ends_at=until)
    return pets_alone([Pet(id="cat", name="Tom", alone_hours=2)], [one], PET_TODAY)


def test_longer_than_said_warns():
    (alert,) = alone(time(12))
    assert alert.summary == "Visit on Monday, March 9, 2026 leaves Tom alone over 2 hours"
    assert [one.id for one in alert.evidence] == ["cat", "e"]


def test_as_long_as_said_and_over_is_silent():
    assert alone(time(11)) == []
    assert alone(None) == []
    assert alone(time(12), 1) == []
"""
PATHS = ("domains/pets/schema.py", "rules/pet_alone.py", "tests/test_pet_alone.py")
PLACED = {
    "fact": 1,
    "kind": "pets.Pet",
    "op": "assert",
    "id": None,
    "data": {"name": "Rex", "alone_hours": 4},
}


def written(**more: Any) -> Json:
    """A good answer; `files` are put over it by path (None: left out), the rest in its place."""
    changed = more.pop("files", {})
    files = dict(zip(PATHS, (SCHEMA, RULE, TEST), strict=True)) | changed
    return {
        "files": [
            {"path": path, "source": text} for path, text in files.items() if text is not None
        ],
        "removed": [],
        "readings": [PLACED],
        "summary": "Animals get a kind, and a rule that warns when they are alone for too long.",
        "cannot": [],
        **more,
    }


def shipped(path: str, old: str, new: str) -> Json:
    """A shipped file with something else in it."""
    text = baseline().files[path]
    assert old in text
    return {path: text.replace(old, new, 1)}
