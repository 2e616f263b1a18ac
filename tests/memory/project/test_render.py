"""Records rendered as Python are the values they came from, in CPython and in the sandbox."""

from __future__ import annotations

import dataclasses
import math
from datetime import date, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.bundle import Situation, StateSlice, rule_program
from memory.project.payload import check_payload
from memory.project.render import render_collection, render_record
from memory.project.shipped import library
from memory.project.tree import Project
from memory.sandbox import Instance, Limits, run
from tests.memory.project.things import HOSTILE, NAMES, SOURCE, THING, THINGS, as_json

RULE = "from datetime import date\n\nfrom domains.things.state import things\n\n\ndef check(today):\n    return things\n"  # noqa: E501
PROJECT = Project({"domains/things/schema.py": SOURCE, "rules/all.py": RULE})
IMPORTS = "from datetime import *\nfrom decimal import Decimal\n"


def _rendered(thing: Any) -> str:
    """A value sent as JSON, checked, and rendered, as an append does it."""
    data = {name: value for name, value in as_json(thing).items() if name != "id"}
    payload = check_payload(THING, "assert", thing.id, data, fallback_id="f1")
    return render_record(THING, payload.record_id, payload.data)


def _in_cpython(sources: list[str]) -> list[Any]:
    names = dict(NAMES)
    exec(IMPORTS + render_collection("things", sources), names)
    things: list[Any] = names["things"]
    return things


def _in_sandbox(sources: list[str]) -> list[Any]:
    program = rule_program(
        PROJECT,
        library(),
        PROJECT.rules["all"],
        Situation(StateSlice({"things": sources}), date(2025, 1, 1), {}),
    )
    values: list[Any] = run(program, limits=Limits(total_seconds=20.0)).values[-1]
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, Instance):
        named = {one.name: _plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
        return Instance(type(value).__name__, named)
    return value


def _same(first: Any, second: Any) -> bool:
    """Equal, and of one type, sign and offset as well."""
    if isinstance(first, Instance) and isinstance(second, Instance):
        return first.name == second.name and _same(first.attributes, second.attributes)
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(
            _same(value, second[name]) for name, value in first.items()
        )
    if isinstance(first, list):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, float):
        return first == second and math.copysign(1, first) == math.copysign(1, second)
    if isinstance(first, datetime):
        return bool(first == second) and first.utcoffset() == second.utcoffset()
    return bool(first == second)


@settings(max_examples=150, deadline=None)
@given(thing=THINGS)
def test_rendered_source_is_the_value_in_cpython(thing: Any) -> None:
    (back,) = _in_cpython([_rendered(thing)])
    assert _same(_plain(back), _plain(thing))


@settings(max_examples=25, deadline=None)
@given(things=st.lists(THINGS, min_size=1, max_size=10))
def test_rendered_source_is_the_value_in_the_sandbox(things: list[Any]) -> None:
    back = _in_sandbox([_rendered(thing) for thing in things])
    assert _same(back, _plain(things))


def test_hostile_text_is_only_text() -> None:
    thing = NAMES["Thing"]
    things = [thing(id=f"x{text}", text=text, tags=[text], by_name={text: 1}) for text in HOSTILE]
    sources = [_rendered(one) for one in things]
    assert all(source.isprintable() for source in sources)
    assert _in_cpython(sources) == things
    assert _same(_in_sandbox(sources), _plain(things))


@given(thing=THINGS)
@settings(max_examples=30, deadline=None)
def test_the_same_record_gives_the_same_bytes(thing: Any) -> None:
    again = dataclasses.replace(thing, by_name=dict(reversed(thing.by_name.items())))
    assert _rendered(thing) == _rendered(again)


def test_fields_at_their_default_are_left_out() -> None:
    assert _rendered(NAMES["Thing"](id="a", text="b")) == "Thing(id='a', text='b')"


def test_fields_come_in_the_order_of_the_schema() -> None:
    data = {"size": "large", "count": 3, "text": "b"}
    assert render_record(THING, "a", data) == "Thing(id='a', text='b', count=3, size='large')"


def test_an_empty_collection_is_an_empty_list() -> None:
    assert render_collection("things", []) == "things = []\n"
    assert _in_sandbox([]) == []


def test_a_collection_longer_than_a_feed_arrives_whole_and_in_order() -> None:
    sources = [f"Thing(id='{number}', text='x')" for number in range(4_321)]
    back = _in_sandbox_ids(sources)
    assert back == [str(number) for number in range(4_321)]


def _in_sandbox_ids(sources: list[str]) -> list[str]:
    rule = RULE.replace("return things", "return [thing.id for thing in things]")
    project = Project({"domains/things/schema.py": SOURCE, "rules/all.py": rule})
    program = rule_program(
        project,
        library(),
        project.rules["all"],
        Situation(StateSlice({"things": sources}), date(2025, 1, 1), {}),
    )
    ids: list[str] = run(program, limits=Limits(total_seconds=20.0)).values[-1]
    return ids
