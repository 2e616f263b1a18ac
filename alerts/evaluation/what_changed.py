"""What of the evidence changed, field by field, in words; no database here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LONGEST_VALUE = 80
LONGEST = 1_000
Evidence = Sequence[Mapping[str, Any]]


def changed_words(before: Evidence, after: Evidence) -> str:
    """`Allergy penicillin: reaction was hives, now anaphylaxis`; empty where the data is the same.

    A fact that says the same again changes nothing.
    """
    was = {(one["kind"], one["id"]): one["data"] for one in before}
    now = {(one["kind"], one["id"]): one["data"] for one in after}
    lines = []
    for key in sorted(was.keys() | now.keys()):
        words = ", ".join(_fields(was.get(key, {}), now.get(key, {})))
        if words:
            lines.append(f"{key[0].rpartition('.')[2]} {key[1]}: {words}")
    return _cut("; ".join(lines), LONGEST)


def severity_words(before: str, after: str) -> str:
    """`Severity was warning, now critical`; empty where it is the same."""
    return f"Severity was {before}, now {after}" if before != after else ""


def _fields(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(was.keys() | now.keys()):
        old, new = was.get(name), now.get(name)
        if old != new:
            yield f"{name.replace('_', ' ')} was {_value(old)}, now {_value(new)}"


def _value(value: Any) -> str:
    match value:
        case None | "" | [] | {}:
            return "not known"
        case bool():
            return "yes" if value else "no"
        case list():
            return _cut(", ".join(map(_value, value)), LONGEST_VALUE)
        case dict():
            parts = (f"{name} {_value(one)}" for name, one in value.items())
            return _cut(", ".join(parts), LONGEST_VALUE)
    return _cut(str(value), LONGEST_VALUE)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
