"""From the text of an answer to a checked value. Pure; the text is a stranger's.

One JSON value is looked for: the whole text, else the one fenced block, else the one object or
array between other words. What is ambiguous or would be read differently elsewhere (a key that
occurs twice, NaN, half surrogate pairs) is refused, with words that tell the model what to mend.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Generic, NoReturn, TypeVar

from pydantic import TypeAdapter, ValidationError

from memory.checkpointer.model.errors import AnswerRefused

T = TypeVar("T")
FENCE = re.compile(r"```[ \t]*(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL | re.IGNORECASE)
THOUGHT = "</think>"
OPENING = re.compile(r"[{\[]")
MOST_STARTS, ENOUGH = 50, 2
MOST_PROBLEMS = 20
LONGEST_PROBLEM = 300


class NoValue(ValueError):
    """The text does not hold one JSON value."""


class Shape(Generic[T]):
    """What an answer must be: a pydantic model or any type that pydantic can check."""

    def __init__(self, type_: type[T], *, name: str = "answer") -> None:
        self.name = name
        self.adapter: TypeAdapter[T] = TypeAdapter(type_)
        self.schema: dict[str, Any] = self.adapter.json_schema()

    def read(self, text: str) -> T:
        """The value in an answer's text. Raises AnswerRefused."""
        try:
            return self.adapter.validate_json(one_json(text))
        except NoValue as error:
            raise AnswerRefused(str(error), text) from None
        except ValidationError as error:
            raise AnswerRefused(problem_of(error), text) from None


def problem_of(error: ValidationError) -> str:
    """Where an answer does not fit and why, a line each, without what stands there."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"{_place(one['loc'])}: {one['msg']}"[:LONGEST_PROBLEM] for one in found]
    more = len(lines) - MOST_PROBLEMS
    return "\n".join([*lines[:MOST_PROBLEMS], *([f"and {more} more"] if more > 0 else [])])


def _place(loc: tuple[int | str, ...]) -> str:
    """Such as `readings[2].kind`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return text.removeprefix(".") or "the value"


def one_json(text: str) -> str:
    """The part of a text that is its one JSON value. Raises NoValue."""
    plain = text.strip().removeprefix("\ufeff").strip()
    if plain.startswith("<think>") and THOUGHT in plain:
        plain = plain.partition(THOUGHT)[2].strip()
    if not plain:
        raise NoValue("the answer is empty; answer with one JSON value")
    try:
        end = _decode(plain, 0)
        if not plain[end:].strip():
            return plain
        where = f"more follows at character {end + 1}"
    except json.JSONDecodeError as error:
        where = f"{error.msg} at line {error.lineno}, column {error.colno}"
    if len(blocks := FENCE.findall(plain)) == 1:
        plain = blocks[0]
    found = _embedded(plain)
    if len(found) == 1:
        return found[0]
    if found:
        raise NoValue("the answer has more than one JSON value; answer with one and nothing else")
    raise NoValue(f"the answer is no JSON: {where}; answer with one JSON value")


def _embedded(text: str) -> list[str]:
    """Objects and arrays that stand in a text, the outermost ones; two are enough."""
    found: list[str] = []
    at = starts = 0
    while (begins := OPENING.search(text, at)) and starts < MOST_STARTS and len(found) < ENOUGH:
        starts += 1
        try:
            at = _decode(text, begins.start())
        except json.JSONDecodeError:
            at = begins.end()
        else:
            found.append(text[begins.start() : at])
    return found


def _decode(text: str, at: int) -> int:
    """Where the value that begins at `at` ends.

    Raises JSONDecodeError, and NoValue for what is JSON and yet not to be taken.
    """
    try:
        value, end = DECODER.raw_decode(text, at)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError:
        raise NoValue("the JSON is nested too deeply") from None
    except UnicodeEncodeError:
        raise NoValue("a text has half of a surrogate pair; write the character itself") from None
    except (json.JSONDecodeError, NoValue):
        raise
    except ValueError:
        raise NoValue("a number is too large") from None
    return end


def _once(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NoValue(f"the key {twice[:80]!r} occurs twice in one object")
    return value


def _no_constant(name: str) -> NoReturn:
    raise NoValue(f"{name} is no JSON; use null or a number")


def _whole(digits: str) -> int:
    if len(digits) > 1_000:
        raise NoValue("a number has more than 1,000 digits")
    return int(digits)


DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_whole)
