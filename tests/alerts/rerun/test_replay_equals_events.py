"""A replay of approved rules says what the evaluations said when the facts came, one by one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from alerts.models import Alert, AlertEvent
from memory.models import App, MemoryUser
from memory.project.shipped import baseline
from memory.project.tree import Project
from tests.alerts.foresight import replayed
from tests.alerts.standing import evaluated
from tests.memory.library.lives import LIVES, Life, lives_of
from tests.memory.library.rule_cases import tell
from tests.people import new_person
from uac_site.examples.load import load_examples

Changes = tuple[int | None, set[str], set[str]]


def _lives() -> list[ParameterSet]:
    """Lives of several days, each with a fact: what a day alone brings has no fact of its own."""
    return [
        pytest.param(life, id=f"{path.stem}: {life.name}")
        for path in sorted(LIVES.glob("*.toml"))
        for life in lives_of(path)
        if life.steps and all(step.told for step in life.steps)
    ]


def without_rules() -> Project:
    """The baseline as if no rule had ever been written."""
    files = baseline().files.items()
    return Project({path: text for path, text in files if path.startswith("domains/")})


@pytest.mark.parametrize("life", _lives())
def test_a_replay_of_the_baseline_is_what_happened(life: Life, app: App) -> None:
    person = new_person(life.zone)
    days = [(life.now, [*life.given, *life.records])]
    days += [(step.now, step.told) for step in life.steps]
    for now, told in days:
        for one in told:
            tell(person, one, app, now)
            evaluated(person, now)
    *steps, end = replayed(person, without_rules(), baseline(), now=days[-1][0])
    assert [(one["seq"], _keys(one["opened"]), _keys(one["cleared"])) for one in steps] == (
        _happened(person)
    )
    assert end == {"seq": None, "on": end["on"], "opened": [], "cleared": [], "gone": []}


def _happened(person: MemoryUser) -> list[Changes]:
    """What opened and cleared at each fact, by the keys of the alerts."""
    changes: dict[int, Changes] = {}
    for event in AlertEvent.objects.filter(user=person).select_related("alert").order_by("pk"):
        _, opened, cleared = changes.setdefault(event.fact_seq, (event.fact_seq, set(), set()))
        if event.kind in ("opened", "recurred", "cleared"):
            (cleared if event.kind == "cleared" else opened).add(event.alert.dedupe_key)
    return [one for _, one in sorted(changes.items()) if one[1] or one[2]]


def _keys(found: Iterable[dict[str, Any]]) -> set[str]:
    return {one["key"] for one in found}


def test_what_a_replayed_year_leaves_open_is_what_stands(
    transactional_db: None, now: datetime
) -> None:
    person = next(load_examples(now=now)).user
    steps = replayed(person, without_rules(), baseline(), now=now)
    standing: set[str] = set()
    for step in steps:
        standing -= _keys(step["cleared"])
        standing |= _keys(step["opened"])
    active = Alert.objects.active().filter(user=person)
    assert standing == set(active.values_list("dedupe_key", flat=True))
    assert standing
    assert any(step["cleared"] for step in steps)
