"""Singletons, kinds without a key, partial dates, spans, and references to other records."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from memory.project.bundle import Situation, StateSlice, rule_program
from memory.project.payload import PayloadError, check_payload
from memory.project.schema import Kind, SchemaError, parse_schema
from memory.project.shipped import library
from memory.project.tree import Project, ProjectError
from memory.sandbox import Limits, run
from tests.memory.project import differential as both

KINDS = both.project().kinds
PURCHASE, CHORE, PROFILE = (KINDS[f"shopping.{name}"] for name in ("Purchase", "Chore", "Profile"))
HEAD = "from dataclasses import dataclass\nfrom uac import DateSpan, PartialDate, Ref, kind\n"


def checked(kind: Kind, record_id: str | None = None, **data: Any) -> Any:
    return check_payload(kind, "assert", record_id, data, fallback_id="f7-1")


def problem(kind: Kind, **data: Any) -> tuple[tuple[str | int, ...], str]:
    with pytest.raises(PayloadError) as refused:
        check_payload(kind, "update", "x", data, fallback_id="f7-1")
    (found,) = refused.value.problems
    return found.path, found.detail


def test_a_singleton_needs_no_id() -> None:
    assert PROFILE.singleton
    assert PROFILE.key == ()
    assert checked(PROFILE, name="Ada").record_id == "profile"
    assert checked(PROFILE, "profile", name="Ada").record_id == "profile"
    retracted = check_payload(PROFILE, "retract", None, {}, fallback_id="f7-1")
    assert retracted.record_id == "profile"


def test_a_singleton_takes_no_other_id() -> None:
    with pytest.raises(PayloadError, match=r"there is one shopping\.Profile, 'profile'"):
        checked(PROFILE, "me", name="Ada")


def test_a_singleton_has_no_key() -> None:
    source = f'{HEAD}@kind("a", key=("x",), singleton=True)\n@dataclass\nclass A:\n    id: str\n'
    with pytest.raises(SchemaError, match="leave key out"):
        parse_schema("a", source)


def test_what_is_only_added_is_known_by_its_fact() -> None:
    data = {"item": "tea", "amount": "2.50", "on": "2026-01-01"}
    assert checked(PURCHASE, **data).record_id == "f7-1"
    assert checked(PURCHASE, "mine", **data).record_id == "mine"


@pytest.mark.parametrize("text", ["0001", "2026", "2026-03", "2024-02-29", "9999-12-31"])
def test_a_partial_date_is_kept_as_it_was_said(text: str) -> None:
    assert checked(CHORE, name="run", when=text).data["when"] == text


@pytest.mark.parametrize(
    "value",
    ["0000", "202", "2026-3", "2026-13", "2026-02-30", "2026-03-", "٢٠٢٦", "2026-03-01T00:00", "",
     "March 2026", 2026, 2026.0, True, ["2026"], {"year": 2026}],
)  # fmt: skip
def test_no_partial_date(value: Any) -> None:
    path, detail = problem(CHORE, when=value)
    assert path == ("data", "when")
    assert detail.startswith("when: ")
    assert "2026-03" in detail or "no such date" in detail


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"start": "2026"}, {"start": "2026", "end": None, "approximate": False}),
        ({"end": "2026-03"}, {"start": None, "end": "2026-03", "approximate": False}),
        ({}, {"start": None, "end": None, "approximate": False}),
        (
            {"approximate": True, "start": "2026-03", "end": "2026"},
            {"start": "2026-03", "end": "2026", "approximate": True},
        ),
    ],
)
def test_a_span_is_kept_whole(said: Any, kept: Any) -> None:
    assert checked(CHORE, name="run", length=said).data["length"] == kept


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ({"start": "2026-03", "end": "2026-02"}, ("data", "length")),
        ({"start": "2027", "end": "2026-12-31"}, ("data", "length")),
        ({"start": "soon"}, ("data", "length", "start")),
        ({"approximate": "yes"}, ("data", "length", "approximate")),
        ({"begin": "2026"}, ("data", "length", "begin")),
        ("2026", ("data", "length")),
    ],
)
def test_no_span(said: Any, path: tuple[str, ...]) -> None:
    assert problem(CHORE, length=said)[0] == path


def test_references_are_listed_with_their_paths() -> None:
    source = HEAD + (
        "from dataclasses import field\n"
        "@dataclass\nclass Seat:\n    who: Ref[Person]\n"
        '@kind("people", key=("name",))\n@dataclass\nclass Person:\n    id: str\n    name: str\n'
        '@kind("meals")\n@dataclass\nclass Meal:\n    id: str\n'
        "    host: Ref[Person] | None = None\n"
        "    guests: list[Ref[Person]] = field(default_factory=list)\n"
        "    seats: dict[str, Seat] = field(default_factory=dict)\n"
    )
    meal = parse_schema("home", source)[1]
    data = {"seats": {"left": {"who": "c"}}, "guests": ["a", "b"], "host": "a"}
    made = (
        ("Person", "a", ("data", "host")),
        ("Person", "a", ("data", "guests", 0)),
        ("Person", "b", ("data", "guests", 1)),
        ("Person", "c", ("data", "seats", "left", "who")),
    )
    for op in ("assert", "update"):
        assert check_payload(meal, op, "m", data, fallback_id="f1").refs == made
    assert check_payload(meal, "retract", "m", data, fallback_id="f1").refs == ()
    assert checked(meal, host=None).refs == ()


def test_a_reference_leads_to_a_kind() -> None:
    source = f'{HEAD}@kind("a")\n@dataclass\nclass A:\n    id: str\n    b: Ref["B"] | None = None\n'
    with pytest.raises(ProjectError, match=r"^domains/a/schema.py:7: Ref\[B\] names no kind"):
        _ = Project({"domains/a/schema.py": source}).kinds
    other = f'{HEAD}@kind("bs")\n@dataclass\nclass B:\n    id: str\n'
    assert Project({"domains/a/schema.py": source, "domains/b/schema.py": other}).kinds


def test_schemas_that_import_one_another_are_refused() -> None:
    def source(own: str, other: str) -> str:
        return (
            f"{HEAD}from domains.{other.lower()}.schema import {other}\n"
            f'@kind("{own.lower()}s")\n@dataclass\nclass {own}:\n    id: str\n'
            f"    other: Ref[{other}] | None = None\n"
        )

    files = {"domains/a/schema.py": source("A", "B"), "domains/b/schema.py": source("B", "A")}
    with pytest.raises(ProjectError, match=r"a/schema.py:3: .* write Ref\[\"B\"\]"):
        _ = Project(files).kinds


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x: list[Thing] = None", "a record is not held by value"),
        ("x: Ref[1]", "Ref takes one class"),
        ("x: PartialDate = 2026", "the default of x"),
        ("x: Literal['a']", "Literal is not imported"),
        ("x: Ref", "type Ref is not one"),
    ],
)
def test_a_field_is_refused(line: str, reason: str) -> None:
    source = f'{HEAD}@kind("things")\n@dataclass\nclass Thing:\n    id: str\n'
    second = f'@kind("others")\n@dataclass\nclass Other:\n    id: str\n    {line}\n'
    with pytest.raises(SchemaError, match=reason):
        parse_schema("a", source + second)


@pytest.mark.parametrize("value", [10**1000, -(10**1000)])
def test_a_number_that_could_not_leave_the_sandbox_is_refused(value: int) -> None:
    assert problem(CHORE, minutes=value)[0] == ("data", "minutes")
    assert problem(PURCHASE, amount=f"1e{len(str(value))}")[0] == ("data", "amount")


@pytest.mark.parametrize("sources", [[], ["Profile(id='profile', name='Ada')"]])
def test_a_rule_sees_a_singleton_or_none(sources: list[str]) -> None:
    rule = (
        "from domains.shopping.state import profile, chores\n\n\n"
        "def check(today):\n    return [profile and profile.name, len(chores)]\n"
    )
    project = Project({**both.project().files, "rules/greeting.py": rule})
    used = project.rules["greeting"].uses
    assert {"PartialDate", "DateSpan", "kind", "Ref"} <= used
    chores = ["Chore(id='a', name='a', when=PartialDate(2026))"]
    state = StateSlice({"profile": sources, "chores": chores})
    given = Situation(state, today=date(2026, 3, 1), tables={})
    program = rule_program(project, library(), project.rules["greeting"], given)
    values = run(program, limits=Limits(total_seconds=20.0)).values
    assert values[-1] == ["Ada" if sources else None, 1]
