"""Carry plain values over a border as JSON, bounded in depth, count and text.

Scalars that JSON has stand for themselves; everything else is a list whose first element is a tag.
What arrives was made by a stranger, so `decode` builds nothing but plain data, and neither side
ever asks such a value for its `repr`, its hash (but see `_Encoder.key`) or an attribute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from memory.sandbox.program import Instance, Value

INT_BITS = 4_096
DECIMAL_EXPONENT = 10_000
COLLIDING_KEYS = 1_000

AsInstance = Callable[[object], Instance | None]


class ValueNotPlain(Exception):
    """The value, or a part of it, is not data that may cross; the text says what."""


class ValueTooLarge(Exception):
    """The value is too deep, has too many parts or too much text; the text says which."""


@dataclass
class Budget:
    """What is left of the bounds; one budget can serve several values."""

    depth: int
    items: int
    text: int


def encode(
    value: object,
    budget: Budget,
    *,
    as_instance: AsInstance = lambda _: None,
    clean: bool = False,
) -> Any:
    """The JSON form of a value, taking what it needs from `budget`.

    `as_instance` recognises objects of the sandbox's classes. `clean` replaces what PostgreSQL and
    UTF-8 cannot hold (NUL, lone surrogates) by U+FFFD; without it such text is refused.
    """
    return _Encoder(budget, as_instance, clean).any(value, budget.depth)


class _Encoder:
    def __init__(self, budget: Budget, as_instance: AsInstance, clean: bool) -> None:
        self.budget = budget
        self.as_instance = as_instance
        self.clean = clean

    def any(self, value: object, depth: int) -> Any:
        self.budget.items -= 1
        if self.budget.items < 0:
            raise ValueTooLarge("it has too many parts")
        if depth <= 0:
            raise ValueTooLarge("it is nested too deeply")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int | float | Decimal):
            return self.number(value)
        if isinstance(value, date | time | timedelta):
            return self.moment(value)
        if isinstance(value, bytes):
            return ["bytes", self.text(value.hex())]
        return self.container(value, depth - 1)

    def text(self, value: str) -> str:
        self.budget.text -= len(value)
        if self.budget.text < 0:
            raise ValueTooLarge("it has too much text")
        return clean_text(value) if self.clean else checked_text(value)

    def number(self, value: float | Decimal) -> Any:
        if isinstance(value, int):
            if value.bit_length() > INT_BITS:
                raise ValueTooLarge("it has an integer of too many digits")
            return int(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else ["float", self.text(str(value))]
        if value.is_finite() and abs(value.adjusted()) > DECIMAL_EXPONENT:
            raise ValueTooLarge("it has a Decimal with too large an exponent")
        return ["decimal", self.text(str(value))]

    def moment(self, value: date | time | timedelta) -> Any:
        if isinstance(value, timedelta):
            return ["timedelta", value.days, value.seconds, value.microseconds]
        tag = "time" if isinstance(value, time) else "date"
        return ["datetime" if isinstance(value, datetime) else tag, value.isoformat()]

    def container(self, value: object, depth: int) -> Any:
        if isinstance(value, list):
            return ["list", *(self.any(item, depth) for item in list.__iter__(value))]
        if isinstance(value, tuple):
            return ["tuple", *(self.any(item, depth) for item in tuple.__iter__(value))]
        if isinstance(value, dict):
            self.keys(value)
            return ["dict", *(self.any(part, depth) for pair in value.items() for part in pair)]
        if isinstance(value, set | frozenset):
            self.keys(value)
            tag = "frozenset" if isinstance(value, frozenset) else "set"
            return [tag, *(self.any(item, depth) for item in value)]
        if (instance := self.as_instance(value)) is not None:
            return self.instance(instance, depth)
        raise ValueNotPlain(f"it has a {type(value).__name__[:80]}, which is not plain data")

    def instance(self, value: Instance, depth: int) -> Any:
        parts = (
            [self.text(name), self.any(part, depth)] for name, part in value.attributes.items()
        )
        return ["instance", self.text(value.name), *(part for pair in parts for part in pair)]

    def keys(self, keys: Iterable[object]) -> None:
        """Refuse keys with which the other side would take for ever to build the dict or set.

        Hashes of numbers and tuples are not keyed, so that a stranger can choose them: a dict of
        40,000 multiples of 2**61 - 1 takes CPython nine seconds.
        """
        if sum(not _has_safe_hash(key) for key in keys) > COLLIDING_KEYS:
            raise ValueTooLarge("it has too many keys of large numbers or tuples")


def _has_safe_hash(key: object) -> bool:
    if isinstance(key, int):
        return key.bit_length() <= 60
    return key is None or type(key) in (str, bytes, date)


def checked_text(value: str) -> str:
    """The text itself; `ValueNotPlain` if it has a NUL or a lone surrogate."""
    if clean_text(value) != value:
        raise ValueNotPlain("it has text with a NUL or a lone surrogate")
    return value


def clean_text(value: str) -> str:
    """The text with U+FFFD for each NUL and each lone surrogate."""
    try:
        value.encode()
    except UnicodeEncodeError:
        value = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value)
    return str(value.replace("\0", "\ufffd"))


def decode(data: Any) -> Value:
    """The value that `encode` gave this JSON for."""
    if not isinstance(data, list):
        return data
    tag, *parts = data
    return _DECODERS[tag](parts)


def _all(parts: list[Any]) -> Iterable[Value]:
    return (decode(part) for part in parts)


def _pairs(parts: list[Any]) -> dict[Any, Value]:
    return {decode(parts[i]): decode(parts[i + 1]) for i in range(0, len(parts), 2)}


_DECODERS: dict[str, Callable[[list[Any]], Value]] = {
    "list": lambda parts: list(_all(parts)),
    "tuple": lambda parts: tuple(_all(parts)),
    "dict": _pairs,
    "set": lambda parts: set(_all(parts)),
    "frozenset": lambda parts: frozenset(_all(parts)),
    "instance": lambda parts: Instance(parts[0], _pairs(parts[1:])),
    "bytes": lambda parts: bytes.fromhex(parts[0]),
    "float": lambda parts: float(parts[0]),
    "decimal": lambda parts: Decimal(parts[0]),
    "timedelta": lambda parts: timedelta(*parts),
    "time": lambda parts: time.fromisoformat(parts[0]),
    "date": lambda parts: date.fromisoformat(parts[0]),
    "datetime": lambda parts: datetime.fromisoformat(parts[0]),
}
