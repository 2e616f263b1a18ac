"""The type of a column: what all values that payloads hold at one place have in common.

In doubt a column is `str`, because what was said must be kept as it was said and what comes later
must find room:

- text is a date, a datetime with offset, a time or a decimal only if all of it is;
- text is a `Literal` only if the field's name promises a closed list (`status`), few values come
  again and again, and the second half of the payloads brought no new one. A `Literal` lets a query
  be checked for misspelt values, but a value it does not name is refused until a person approves
  a wider one; so fields whose lists grow, such as `category`, stay `str`;
- a JSON number with a point is a float; money sent as text ("12.50") is a Decimal.

Values that have no type in common are refused: nothing is turned into something else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from typing import Any

from memory.project.naming import shown
from memory.project.schema import Choice, Listing, Mapping, Optional, Scalar, Type

DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?", re.ASCII)
DATETIME = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)", re.ASCII
)
DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
TWO_PLACES = re.compile(r"-?(0|[1-9]\d*)\.\d\d", re.ASCII)
NAME = re.compile(r"[^\W\d][\w -]*")
CHOICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _/+-]{0,39}", re.ASCII)
MONEY = {"amount", "price", "cost", "total", "balance", "fee", "salary", "tax", "rent", "budget"}
CLOSED = {"status", "severity", "priority", "quality", "level", "direction", "intensity", "weekday"}
NOT_DECIMAL = {"version", "section", "chapter"}
ITEM, VALUE = "[]", "{}"  # stand in a path for a part of a list or of a dict
MOST_CHOICES, FEWEST_VALUES, FEWEST_REPEATS = 8, 10, 3
EXACT_IN_FLOAT = 2**53
MAX_DEPTH = 10
MAX_NAMES = 200

# Names the dataclass for objects at a path, and gives it as a type.
Objects = Callable[[tuple[str, ...], Sequence[dict[str, Any]]], Type]


class NoCommonType(ValueError):
    """Values at one place that no field type holds; `path` leads there."""

    def __init__(self, path: tuple[str, ...], reason: str) -> None:
        super().__init__(f"{'.'.join(map(shown, path))} {reason}")
        self.path = path


def last_name(path: tuple[str, ...]) -> str:
    """The JSON name nearest to the end of a path."""
    return next((name for name in reversed(path) if name not in (ITEM, VALUE)), "part")


def column_type(path: tuple[str, ...], values: Sequence[Any], objects: Objects) -> Type:
    """The type of all the values; `X | None` where some are null. Raises NoCommonType."""
    said = [value for value in values if value is not None]
    type_ = _type(path, said, objects) if said else Scalar("str")
    return type_ if len(said) == len(values) else Optional(type_)


def _type(path: tuple[str, ...], values: Sequence[Any], objects: Objects) -> Type:
    if len(path) > MAX_DEPTH:
        raise NoCommonType(path, f"nested more than {MAX_DEPTH} deep; send it flatter")
    match sorted({_json_type(value) for value in values}):
        case ["boolean"]:
            return Scalar("bool")
        case ["integer"]:
            return Scalar("int")
        case ["number"] | ["integer", "number"]:
            return _float(path, values)
        case ["text"]:
            return _text_type(last_name(path), values)
        case ["list"]:
            parts = [part for value in values for part in value]
            return Listing(column_type((*path, ITEM), parts, objects))
        case ["object"]:
            return _object_type(path, values, objects)
        case found:
            kinds = " and ".join(found)
            raise NoCommonType(path, f"holds {kinds}; send one type of value")


def _json_type(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "text"
        case list():
            return "list"
        case _:
            return "object"


def _float(path: tuple[str, ...], values: Sequence[Any]) -> Type:
    if any(isinstance(value, int) and abs(value) > EXACT_IN_FLOAT for value in values):
        reason = "holds numbers with a point and integers too large for one; send the large as text"
        raise NoCommonType(path, reason)
    return Scalar("float")


def _object_type(path: tuple[str, ...], values: Sequence[dict[str, Any]], objects: Objects) -> Type:
    """A dataclass where the names are much the same, else `dict[str, X]` where one X fits."""
    if _names_are_fields(values):
        return objects(path, values)
    parts = [part for value in values for part in value.values()]
    try:
        column_type((*path, VALUE), parts, _any_object)
    except NoCommonType:
        return objects(path, values)
    return Mapping(column_type((*path, VALUE), parts, objects))


def _any_object(path: tuple[str, ...], values: Sequence[dict[str, Any]]) -> Type:
    return Mapping(Scalar("str"))


def _names_are_fields(values: Sequence[dict[str, Any]]) -> bool:
    """Names that begin with a letter, on average at least half of them in each object."""
    names = {name for value in values for name in value}
    if not 0 < len(names) <= MAX_NAMES or not all(map(NAME.fullmatch, names)):
        return False
    filled = [value for value in values if value]
    return 2 * sum(map(len, filled)) >= len(names) * len(filled)


def _text_type(name: str, texts: Sequence[str]) -> Type:
    if _all(texts, DATE, date.fromisoformat):
        return Scalar("date")
    if _all(texts, DATETIME, datetime.fromisoformat):
        return Scalar("datetime")
    if _all(texts, TIME, time.fromisoformat):
        return Scalar("time")
    if _is_money(name, texts):
        return Scalar("Decimal")
    choices = _choices(name, texts)
    return Choice(choices) if choices else Scalar("str")


def _all(texts: Sequence[str], pattern: re.Pattern[str], parse: Callable[[str], Any]) -> bool:
    try:
        return all(pattern.fullmatch(text) and parse(text) for text in texts)
    except ValueError:
        return False


def _words(name: str) -> set[str]:
    return set(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_"))


def _is_money(name: str, texts: Sequence[str]) -> bool:
    """Plain decimals under a name such as `price`, or always two places under any other."""
    words = _words(name)
    if words & MONEY:
        return all(DECIMAL.fullmatch(text) for text in texts)
    enough = len(texts) >= FEWEST_REPEATS and not words & NOT_DECIMAL
    return enough and all(TWO_PLACES.fullmatch(text) for text in texts)


def _choices(name: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The values of a list that is clearly closed, sorted, or nothing."""
    counts = Counter(texts)
    if not _words(name) & CLOSED or len(texts) < FEWEST_VALUES or len(counts) > MOST_CHOICES:
        return ()
    often = len(texts) >= FEWEST_REPEATS * len(counts)
    settled = set(texts[: len(texts) // 2]) == set(counts)
    plain = all(CHOICE.fullmatch(text) for text in counts)
    return tuple(sorted(counts)) if often and settled and plain else ()
