"""Which fields no rule reads, and which readings state a constraint that nothing watches."""

from __future__ import annotations

from typing import Any

import pytest

from memory.project.shipped import baseline, library
from memory.project.tree import Project
from memory.project.unread import constraints_in, states_limit, unread_fields

SCHEMA = '''"""Boats."""

from dataclasses import dataclass
from typing import Literal

from uac import kind


@kind("boats", key=("name",))
@dataclass
class Boat:
    """A boat."""

    id: str
    name: str
    max_wind: int | None = None
    colour: str | None = None
    launch: Literal["any time", "only at high water"] | None = None


@kind("mooring_rules", key=("harbour",))
@dataclass
class MooringRule:
    """What a harbour wants."""

    id: str
    harbour: str
    words: str = ""
'''
RULE = '''"""Warns of wind."""

from datetime import date

from domains.boats.state import boats
from uac import Alert


def check(today: date) -> list[Alert]:
    """Look at each boat."""
    return [
        Alert(severity="info", summary=boat.name, evidence=[boat])
        for boat in boats
        if boat.max_wind is not None
    ]
'''


def project(**rules: str) -> Project:
    files = {f"rules/{name}.py": text for name, text in rules.items()}
    return Project({"domains/boats/schema.py": SCHEMA, **files})


def constraints(of: Project, kind: str, asked: bool = False, **data: Any) -> list[str]:
    return constraints_in(of, library(), kind, data, asked=asked)


def test_without_a_rule_nothing_is_read() -> None:
    assert unread_fields(project(), library()) == {
        "boats.Boat": {"name", "max_wind", "colour", "launch"},
        "boats.MooringRule": {"harbour", "words"},
    }


def test_a_rule_reads_what_it_names_of_the_collections_that_it_takes_in() -> None:
    unread = unread_fields(project(wind=RULE), library())
    assert unread["boats.Boat"] == {"colour", "launch"}
    assert unread["boats.MooringRule"] == {"harbour", "words"}


def test_what_a_rule_uses_of_the_library_reads_for_it() -> None:
    unread = unread_fields(baseline(), library())
    assert unread["finance.SpendingLimit"] == set()
    assert unread["preferences.Prohibition"] == set()
    assert unread["health.DoseLimit"] == set()


def test_each_limit_of_the_baseline_is_read_by_a_rule() -> None:
    unread = unread_fields(baseline(), library())
    assert [
        f"{kind.full_name}.{field.name}"
        for kind in baseline().kinds.values()
        for field in kind.fields[1:]
        if field.name in unread[kind.full_name] and states_limit(kind, field)
    ] == []


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"max_wind": 5}, id="by the field's name"),
        pytest.param({"launch": "only at high water"}, id="by its choices"),
    ],
)
def test_an_unread_limit_is_a_constraint(data: dict[str, Any]) -> None:
    assert constraints(project(), "boats.Boat", name="Anna", **data) == [
        f"boats.Boat.{next(iter(data))}"
    ]


def test_a_kind_of_rules_states_limits_in_every_field() -> None:
    found = constraints(project(), "boats.MooringRule", harbour="Kiel", words="ask first")
    assert found == ["boats.MooringRule.harbour", "boats.MooringRule.words"]


def test_a_limit_that_a_rule_reads_is_none() -> None:
    assert constraints(project(wind=RULE), "boats.Boat", max_wind=5) == []


def test_what_limits_nothing_is_none_unless_the_reader_says_that_it_takes_a_rule() -> None:
    assert constraints(project(), "boats.Boat", colour="red") == []
    assert constraints(project(), "boats.Boat", asked=True, colour="red") == ["boats.Boat.colour"]


def test_a_limit_that_a_rule_reads_is_one_where_the_reader_says_that_it_takes_a_rule() -> None:
    wind = project(wind=RULE)
    assert constraints(wind, "boats.Boat", asked=True, max_wind=5) == ["boats.Boat.max_wind"]
    assert constraints(wind, "boats.Boat", asked=True, name="Anna") == []


def test_defaults_and_unknown_kinds_state_nothing() -> None:
    assert constraints(project(), "boats.MooringRule", words="") == []
    assert constraints(project(), "cars.Car", max_speed=5) == []
