"""Ask, as the memory does, what rules that nobody has approved would say of a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from memory.code import project_of
from memory.evaluator import Would, evaluator
from memory.models import MemoryUser
from memory.project.fold import Op, Statement
from memory.project.tree import Project
from tests.proposals import current

RULE = "rules/every_note.py"
PLANT = "garden.Plant"
SCHEMA = "domains/garden/schema.py"
Placed = Mapping[tuple[str, str], Sequence[Statement]]
EVERY_NOTE = '''"""Tells of every note."""

from datetime import date

from domains.notes.state import notes
from uac import Alert


def check(today: date) -> list[Alert]:
    return [Alert("info", f"Note: {note.text}", [note]) for note in notes]
'''
GARDEN = '''"""What grows."""

from dataclasses import dataclass
from datetime import date

from uac import kind


@kind("plants", key=("name",))
@dataclass
class Plant:
    """A plant of the person's."""

    id: str
    name: str
    dies_on: date | None = None
'''
DEAD_PLANT = '''"""Tells of plants that are dead."""

from datetime import date

from domains.garden.state import plants
from uac import Alert


def check(today: date) -> list[Alert]:
    dead = [plant for plant in plants if plant.dies_on and plant.dies_on < today]
    return [Alert("warning", f"Dead: {plant.name}", [plant]) for plant in dead]
'''


def own(person: MemoryUser) -> Project:
    """The project that is active for the person."""
    return project_of(current(person))


def would(
    person: MemoryUser,
    project: Project,
    *rules: str,
    placed: Placed | None = None,
    now: datetime | None = None,
) -> Would:
    """What these rules of a project would say."""
    return evaluator().would_find(
        user=current(person),
        project=project,
        rules=rules,
        placed=placed or {},
        now=now or timezone.now(),
    )


def replayed(
    person: MemoryUser,
    before: Project,
    after: Project,
    placed: Placed | None = None,
    now: datetime | None = None,
) -> list[dict[str, Any]]:
    """What the rules that differ would have said, and when."""
    return evaluator().replay(
        user=current(person),
        before=before,
        after=after,
        placed=placed or {},
        now=now or timezone.now(),
    )


def brief(steps: Sequence[Mapping[str, Any]]) -> list[tuple[int | None, list[str], list[str]]]:
    """The fact and the summaries of what opened and of what cleared, of each step."""
    return [
        (
            step["seq"],
            [one["summary"] for one in step["opened"]],
            [one["summary"] for one in step["cleared"]],
        )
        for step in steps
    ]


def said(fact_seq: int, data: dict[str, Any], op: Op = "assert", seq: int = 0) -> Statement:
    """What a waiting reading of a fact would say."""
    return Statement(seq or 1_000 + fact_seq, fact_seq, timezone.now(), op, data)
