"""One JSON value is found in whatever a model writes, or it is said what to mend."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from memory.checkpointer.model.answers import NoValue, Shape, one_json
from memory.checkpointer.model.errors import AnswerRefused
from memory.checkpointer.model.manner import is_closed

FOUND = {
    '{"a": 1}': {"a": 1},
    ' \n{"a": 1}\n ': {"a": 1},
    "\ufeff[1, 2]": [1, 2],
    "7": 7,
    "null": None,
    '```json\n{"a": 1}\n```': {"a": 1},
    'Sure!\n```\n{"a": "```"}\n```\nAnything else?': {"a": "```"},
    'The answer is {"a": {"b": [1]}}, I think.': {"a": {"b": [1]}},
    "A set {of words} and then [1].": [1],
    '<think>{"a": 2} or not?</think>{"a": 1}': {"a": 1},
    '{"text": "say \\"no\\" {to} [this]"}': {"text": 'say "no" {to} [this]'},
}
REFUSED = {
    "": "empty",
    "   ": "empty",
    "I do not know.": "no JSON",
    '{"a": 1': "no JSON",
    '{"a": 1} {"a": 2}': "more than one",
    '```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```': "more than one",
    '{"a": 1, "a": 2}': "'a' occurs twice",
    '{"b": {"a": 1, "a": 2}}': "'a' occurs twice",
    '{"a": NaN}': "NaN",
    '{"a": -Infinity}': "-Infinity",
    '{"a": 1e999}': "too large",
    '{"a": ' + "9" * 5_000 + "}": "1,000 digits",
    '{"a": "\\ud800"}': "surrogate",
    "[" * 50_000: "nested too deeply",
    "[" * 50_000 + "]" * 50_000: "nested too deeply",
    'Well, {"a": NaN}.': "NaN",
}


@pytest.mark.parametrize("text", FOUND)
def test_the_value_is_found(text: str) -> None:
    assert json.loads(one_json(text)) == FOUND[text]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_none_or_two_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(NoValue, match="(?i)" + REFUSED[text]):
        one_json(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=9))
def test_any_value_is_found_whole_and_between_words(value: Any) -> None:
    try:
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        return
    assert json.loads(one_json(text)) == value
    if isinstance(value, list):
        assert json.loads(one_json(f"Here: {text} - is that right?")) == value


@given(st.text(alphabet='{}[]",:0aé\\ \n`'))
def test_no_text_breaks_it(text: str) -> None:
    with suppress(NoValue):
        json.loads(one_json(text))


def test_a_megabyte_of_brackets_is_refused_in_time() -> None:
    for text in ("{" * 1_000_000, '{"a":' * 200_000, "[1," * 300_000, '"{' * 500_000):
        with pytest.raises(NoValue):
            one_json(text)


class Dose(BaseModel, extra="forbid"):
    """Something with types that JSON lacks."""

    amount: Decimal
    on: date


def test_types_that_json_lacks_keep_their_digits() -> None:
    shape = Shape(Dose)
    read = shape.read('{"amount": 0.10000000000000000555, "on": "2026-02-28"}')
    assert read.on == date(2026, 2, 28)
    assert math.isclose(read.amount, Decimal("0.1"))
    assert shape.read('{"amount": "0.10", "on": "2026-02-28"}').amount == Decimal("0.10")


def test_problems_have_a_place_and_no_content() -> None:
    with pytest.raises(AnswerRefused) as caught:
        Shape(list[Dose]).read('[{"amount": 1, "on": "2026-02-30"}, {"amount": "secret", "o": 1}]')
    lines = caught.value.problem.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["[0].on", "[1].amount", "[1].on", "[1].o"]
    assert "secret" not in caught.value.problem
    assert "secret" not in str(caught.value)


def test_problems_are_bounded() -> None:
    with pytest.raises(AnswerRefused) as caught:
        Shape(list[Dose]).read(json.dumps([{"x" * 10_000: 1}] * 100))
    assert len(caught.value.problem.splitlines()) == 21
    assert len(caught.value.problem) < 8_000


class Open(BaseModel):
    """With a field that may be left out."""

    name: str
    more: dict[str, int] = {}


@pytest.mark.parametrize(
    ("type_", "closed"),
    [(Dose, True), (list[Dose], True), (int, True), (Open, False), (dict[str, int], False)],
)
def test_only_a_closed_schema_is_strict(type_: Any, closed: bool) -> None:
    assert is_closed(Shape(type_).schema) is closed
