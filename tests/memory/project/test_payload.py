"""What a reading says is checked against its kind, field by field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from memory.project.fold import Op
from memory.project.payload import PayloadError, check_payload, slug
from tests.memory.project.things import THING, THINGS, as_json


def _checked(op: Op = "assert", **data: Any) -> dict[str, Any]:
    return check_payload(THING, op, "x", data, fallback_id="f1").data


@settings(max_examples=80, deadline=None)
@given(thing=THINGS)
def test_what_is_checked_once_is_the_same_when_checked_again(thing: Any) -> None:
    data = {name: value for name, value in as_json(thing).items() if name != "id"}
    once = _checked(**data)
    assert _checked(**once) == once
    assert once.keys() == data.keys()


def test_only_what_was_named_is_kept() -> None:
    assert _checked(text="a") == {"text": "a"}
    assert _checked("update", flag=True) == {"flag": True}
    assert _checked("update") == {}


def test_a_default_that_was_named_is_kept_too() -> None:
    assert _checked(text="a", count=0, day=None) == {"text": "a", "count": 0, "day": None}


WRONG: list[tuple[str, Any]] = [
    ("text", 1),
    ("text", None),
    ("text", ["a"]),
    ("count", "5"),
    ("count", 5.0),
    ("count", True),
    ("flag", 1),
    ("flag", "yes"),
    ("ratio", "0.5"),
    ("ratio", True),
    ("day", 0),
    ("day", "2025-1-1"),
    ("day", "2025-01-01T00:00:00"),
    ("day", "٢٠٢٥-٠١-٠١"),
    ("moment", 1_700_000_000),
    ("moment", "1700000000"),
    ("moment", "2025-01-01"),
    ("clock", 5),
    ("clock", "25:00"),
    ("clock", "12:30:00+02:00"),
    ("price", "cheap"),
    ("price", "NaN"),
    ("price", True),
    ("size", "medium"),
    ("size", None),
    ("rank", 4),
    ("rank", "1"),
    ("tags", "a"),
    ("tags", {"a": 1}),
    ("by_name", [1]),
    ("other", 5),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
@pytest.mark.parametrize("op", ["assert", "update"])
def test_a_value_that_does_not_fit_is_named(op: Op, name: str, value: Any) -> None:
    with pytest.raises(PayloadError) as refused:
        _checked(op, **{"text": "a", name: value})
    assert [problem.path[:2] for problem in refused.value.problems] == [("data", name)]
    assert name in refused.value.problems[0].detail


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"tags": ["a", 5]}, ("data", "tags", 1)),
        ({"by_name": {"a": "b"}}, ("data", "by_name", "a")),
        ({"dose": {"unit": "mg"}}, ("data", "dose", "amount")),
        ({"dose": {"amount": 1.5, "colour": "red"}}, ("data", "dose", "colour")),
        ({"doses": [{"amount": 1}, {"amount": "x"}]}, ("data", "doses", 1, "amount")),
    ],
)
def test_a_value_deep_inside_is_named_by_its_path(data: Any, path: tuple[Any, ...]) -> None:
    with pytest.raises(PayloadError) as refused:
        _checked(text="a", **data)
    assert [problem.path for problem in refused.value.problems] == [path]


def test_an_id_in_the_data_serves_as_the_id() -> None:
    found = check_payload(THING, "assert", None, {"id": "mine", "text": "a"}, fallback_id="f1")
    assert (found.record_id, found.data) == ("mine", {"text": "a"})


def test_a_kind_without_a_key_takes_the_id_of_its_fact() -> None:
    assert check_payload(THING, "assert", None, {"text": "a"}, fallback_id="f1").record_id == "f1"
    for op in ("update", "retract"):
        with pytest.raises(PayloadError, match="give its id"):
            check_payload(THING, op, None, {}, fallback_id="f1")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["Amoxicillin 500 mg"], "amoxicillin-500-mg"),
        (["Rome", "2025-05-01"], "rome-2025-05-01"),
        (["  a  ", "B"], "a-b"),
        (["ﬁsh"], "fish"),
        (["İ"], "i̇".replace("\u0307", "-").strip("-")),
        (["—"], ""),
        (["x" * 300], "x" * 200),
    ],
)
def test_an_id_is_a_slug_of_the_key(parts: list[str], expected: str) -> None:
    assert slug(parts) == expected
