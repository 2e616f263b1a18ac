"""Bring a reading to its kind, or let it wait where the person's own kinds have no place for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from memory.code import Code
from memory.project.fold import Op
from memory.project.infer import KIND
from memory.project.naming import field_name, fit
from memory.project.payload import ID_LENGTH, FieldProblem, Payload, PayloadError, check_payload
from memory.project.schema import Kind

NOT_KNOWN = "no kind of this name has been approved yet"
LONGEST_REASON = 500
SLIP = 0.85  # how alike two names are of which one is taken for a slip: Alergy, Trips


@dataclass(frozen=True)
class NewReading:
    """A typed interpretation that came with a fact."""

    kind: str
    op: Op
    record_id: str | None
    data: dict[str, Any]


def fit_reading(reading: NewReading, code: Code, fallback_id: str) -> tuple[Payload, str]:
    """What a reading says, and why it has to wait (empty where it fits its kind).

    A kind of the baseline takes what fits it and nothing else. What an app asserts of a kind that
    does not exist, or is the person's own and has no such field or value yet, waits as it was sent,
    with an empty record id. Raises PayloadError for the rest.
    """
    kind = code.project.kinds.get(reading.kind)
    if kind is None:
        _check_name(reading, code)
        return _as_sent(reading), NOT_KNOWN
    if reading.kind not in code.own or reading.op == "withdraw":
        return _checked(kind, reading, reading.data, fallback_id), ""
    try:
        return _checked(kind, reading, fit(kind, reading.data), fallback_id), ""
    except PayloadError as error:
        if reading.op == "assert" and all(one.path[0] == "data" for one in error.problems):
            return _as_sent(reading), str(error)[:LONGEST_REASON]
        raise PayloadError(
            [FieldProblem(_as_named(one.path, reading.data), one.detail) for one in error.problems]
        ) from error


def _checked(kind: Kind, reading: NewReading, data: dict[str, Any], fallback_id: str) -> Payload:
    return check_payload(kind, reading.op, reading.record_id, data, fallback_id=fallback_id)


def _check_name(reading: NewReading, code: Code) -> None:
    """Refuse what no new kind can be called, and what is a slip in writing a kind that ships."""
    there_is_none = f"there is no kind {reading.kind!r}"
    known = f"the kinds are: {', '.join(sorted(code.project.kinds))}"
    domain, _, name = reading.kind.partition(".")
    names = [one.name for one in code.baseline.schemas.get(domain, ())]
    if KIND.fullmatch(reading.kind) is None:
        remedy = "name a new one as domain and class in ASCII, such as purchases.Purchase"
        problem = f"{there_is_none}; {remedy}, or take one that there is; {known}"
    elif meant := get_close_matches(name, names, n=1, cutoff=SLIP):
        problem = f"{there_is_none}; write {domain}.{meant[0]}, or choose a name less like it"
    elif reading.op != "assert":
        problem = f"{there_is_none} to {reading.op} a record of; assert one first; {known}"
    else:
        return
    raise PayloadError([FieldProblem(("kind",), problem)])


def _as_sent(reading: NewReading) -> Payload:
    """The reading word for word, an id that was given apart among its data."""
    given = reading.record_id
    if given is None:
        return Payload("", reading.data)
    if not 0 < len(given) <= ID_LENGTH:
        raise PayloadError([FieldProblem(("id",), "id must be text of 1 to 200 characters")])
    if reading.data.get("id", given) != given:
        detail = "id and data.id are not the same; give one of them"
        raise PayloadError([FieldProblem(("id",), detail)])
    return Payload("", {**reading.data, "id": given})


def _as_named(path: tuple[str | int, ...], data: Mapping[str, Any]) -> tuple[str | int, ...]:
    """The path to a field with the name that the app gave it."""
    if len(path) < 2 or path[1] in data:
        return path
    named = (name for name in data if field_name(name) == path[1])
    return (path[0], next(named, path[1]), *path[2:])
