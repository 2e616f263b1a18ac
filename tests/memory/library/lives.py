"""Lives: situations in a person's own words, and every alert of every rule that should stand.

A file `lives/*.toml` holds `[[life]]` tables with the fields of a case (see rule_cases.py), and

    words = "what the person said, over all steps"
    [[life.steps]]                      # what was told on later days, in this order
    now = 2026-03-09T09:00:00Z
    told = [{ kind = "health.Allergy", op = "retract", id = "penicillin" }]
    alerts = []

Here `alerts` are those of all rules together; `rule` says which one is meant.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pydantic

from memory.models import App
from tests.alerts.standing import evaluated
from tests.memory.library.rule_cases import Case, Expected, Told, compare, tell
from tests.people import new_person

LIVES = Path(__file__).with_name("lives")


class Step(pydantic.BaseModel):
    """What was told on a later day and what stands then."""

    model_config = pydantic.ConfigDict(extra="forbid")

    now: pydantic.AwareDatetime
    told: list[Told] = []
    alerts: list[Expected]


class Life(Case):
    """One situation and the alerts of all rules in it."""

    words: str
    steps: list[Step] = []


class _Lives(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    life: list[Life]


def lives_of(path: Path) -> list[Life]:
    """A file of lives, checked."""
    return _Lives.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).life


def live(life: Life, told: Sequence[Told], app: App) -> None:
    """Tell a new person the facts one after another, then the steps on their days."""
    person = new_person(life.zone)
    for one in life.given:
        tell(person, one, app, life.now)
    for one in told:
        tell(person, one, app, life.now)
        evaluated(person, life.now)
    compare(person, life.alerts)
    for step in life.steps:
        for one in step.told:
            tell(person, one, app, step.now)
        evaluated(person, step.now)
        compare(person, step.alerts)
