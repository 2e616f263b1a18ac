"""People's lives through the log and all rules: who is warned of what, and who is left in peace."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from memory.models import App
from tests.memory.library.lives import LIVES, Life, Step, live, lives_of
from tests.memory.library.rule_cases import orders

FEWEST = 50


def _all() -> list[ParameterSet]:
    return [
        pytest.param(life, id=f"{path.stem}: {life.name}")
        for path in sorted(LIVES.glob("*.toml"))
        for life in lives_of(path)
    ]


@pytest.mark.parametrize("life", _all())
def test_the_alerts_of_all_rules_are_those_of_the_life(
    life: Life, app: App, most_orders: int
) -> None:
    for told in orders(life.records, most_orders):
        live(life, told, app)


def test_the_lives_are_silent_as_often_as_they_warn() -> None:
    every = [life for path in LIVES.glob("*.toml") for life in lives_of(path)]
    moments: list[Life | Step] = [*every, *[step for life in every for step in life.steps]]
    silent = [one for one in moments if not one.alerts]
    assert len(every) >= FEWEST
    assert len(silent) * 2 >= len(moments)
