"""Validate what a reading says against its kind, with errors that name the field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, Literal

import pydantic
import pydantic_core
from pydantic import BaseModel, ConfigDict, create_model

from memory.project import schema
from memory.project.fold import Op
from memory.project.partial_dates import PartialText, SpanForm
from memory.project.references import Made, references_in
from memory.project.schema import Kind


def iso(example: str, *, rest: str = ".*", shown: str = "") -> pydantic.BeforeValidator:
    """Text shaped like the example; pydantic also reads numbers, as seconds since 1970.

    A refusal shows the example, or `shown`.
    """
    shape = re.compile(re.sub(r"\d", r"[0-9]", example.replace("T", "[Tt ]")) + rest)

    def check(value: Any) -> Any:
        if not isinstance(value, str) or not shape.fullmatch(value):
            raise ValueError(f"write it like {shown or example}")
        return value

    return pydantic.BeforeValidator(check)


MOST_DIGITS = 1_000


def _bounded(value: int | Decimal) -> int | Decimal:
    """A number that the sandbox can hand back; it refuses larger ones."""
    number = Decimal(value)
    if len(number.as_tuple().digits) > MOST_DIGITS or abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError(f"a number may have {MOST_DIGITS:,} digits")
    return value


BOUNDED = pydantic.AfterValidator(_bounded)
ISO_MOMENT = iso("2026-11-21T20:14")
PYTHON_TYPES: dict[str, Any] = {
    "str": pydantic.StrictStr,
    "int": Annotated[pydantic.StrictInt, BOUNDED],
    "bool": pydantic.StrictBool,
    "float": pydantic.StrictFloat,
    "date": Annotated[date, iso("2026-11-21", rest="")],
    "datetime": Annotated[datetime, ISO_MOMENT],
    "time": Annotated[time, iso("20:14", rest=r"(:[0-9]{2}([.][0-9]{1,6})?)?")],
    "Decimal": Annotated[Decimal, BOUNDED],
    "PartialDate": PartialText,
    "DateSpan": SpanForm,
}
CONFIG = ConfigDict(extra="forbid", allow_inf_nan=False, str_max_length=1_000_000)
ID_LENGTH = 200


@dataclass(frozen=True)
class FieldProblem:
    """What is wrong with one field: the path to it, and a sentence with the remedy."""

    path: tuple[str | int, ...]
    detail: str


class PayloadError(ValueError):
    """A reading that does not fit its kind."""

    def __init__(self, problems: list[FieldProblem]) -> None:
        super().__init__("; ".join(problem.detail for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Payload:
    """A checked reading: the record it speaks of, and the JSON form of the fields it names."""

    record_id: str
    data: dict[str, Any]
    refs: tuple[Made, ...] = ()
    """The records it refers to; whether there are such records is for the caller to see."""


def check_payload(
    kind: Kind, op: Op, record_id: str | None, data: dict[str, Any], *, fallback_id: str
) -> Payload:
    """Check data against a kind; raises PayloadError with every problem found.

    The id is the one given, else made from the key fields, else (a kind without a key, asserted)
    `fallback_id`. Of a singleton it is always the name of the collection.
    """
    said = {name: value for name, value in data.items() if name != "id"}
    given = record_id if record_id is not None else data.get("id")
    if given is not None and (not isinstance(given, str) or not 0 < len(given) <= ID_LENGTH):
        raise PayloadError([FieldProblem(("id",), "id must be text of 1 to 200 characters")])
    if kind.singleton:
        given = _singleton_id(kind, given)
    checked = _withdrawal(said) if op == "withdraw" else _validated(kind, op, said)
    refs = references_in(kind.fields, checked) if op in ("assert", "update") else ()
    return Payload(given or _derived_id(kind, op, checked, fallback_id), checked, refs)


def _singleton_id(kind: Kind, given: str | None) -> str:
    if given not in (None, kind.collection):
        problem = f"there is one {kind.full_name}, {kind.collection!r}; leave id out"
        raise PayloadError([FieldProblem(("id",), problem)])
    return kind.collection


def _withdrawal(said: dict[str, Any]) -> dict[str, Any]:
    reading = said.get("reading")
    if said.keys() != {"reading"} or type(reading) is not int or reading < 1:
        remedy = 'say which reading is withdrawn by its seq: {"reading": 7}'
        raise PayloadError([FieldProblem(("data", "reading"), remedy)])
    return said


def _validated(kind: Kind, op: Op, said: dict[str, Any]) -> dict[str, Any]:
    model = _model(kind, partial=op != "assert")
    try:
        checked = model.model_validate_json(pydantic_core.to_json(said))
    except pydantic.ValidationError as error:
        raise PayloadError(
            [
                FieldProblem(("data", *problem["loc"]), _sentence(kind, problem))
                for problem in error.errors()
            ]
        ) from error
    return checked.model_dump(mode="json", exclude_unset=True, by_alias=True)


def _sentence(kind: Kind, problem: Any) -> str:
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        known = ", ".join(field.name for field in kind.fields[1:])
        return f"{kind.full_name} has no field {name}; it has: {known}"
    if problem["type"] == "missing":
        return f"{kind.full_name} needs {name}"
    return f"{name}: {problem['msg'].removeprefix('Value error, ')}"


def _derived_id(kind: Kind, op: Op, data: dict[str, Any], fallback_id: str) -> str:
    missing = [name for name in kind.key if data.get(name) in (None, "")]
    if kind.key and not missing:
        derived = slug([str(data[name]) for name in kind.key])
        if derived:
            return derived
        missing = list(kind.key)
    if not kind.key and op == "assert":
        return fallback_id
    wanted = " and ".join(missing) or "id"
    remedy = f"give id, or {wanted} in data" if missing else "give its id"
    problem = f"cannot tell which {kind.full_name} is meant: {remedy}"
    raise PayloadError([FieldProblem(("id",), problem)])


def slug(parts: list[str]) -> str:
    """Key values as one id: NFKC, case folded, words joined by `-`, at most 200 characters."""
    folded = unicodedata.normalize("NFKC", " ".join(parts)).casefold()
    return re.sub(r"[^\w]+", "-", folded).strip("-")[:ID_LENGTH]


def _one_of(values: tuple[str | int, ...]) -> pydantic.BeforeValidator:
    """Refuses what merely equals a choice: `true` is not 1."""

    def check(value: Any) -> Any:
        if type(value) not in (str, int) or value not in values:
            raise ValueError(f"it is one of {', '.join(map(repr, values))}")
        return value

    return pydantic.BeforeValidator(check)


@lru_cache(maxsize=1_024)
def _model(kind: Kind, *, partial: bool) -> type[BaseModel]:
    return create_model(kind.name, __config__=CONFIG, **_members(kind.fields[1:], partial=partial))


def _members(fields: Iterable[schema.Field], *, partial: bool) -> dict[str, Any]:
    """Fields for pydantic, under names of our own: `model_dump` and its like are taken there."""
    members: dict[str, Any] = {}
    for number, field in enumerate(fields):
        default = None if partial else ... if field.required else field.initial
        members[f"field_{number}"] = (
            _python_type(field.type),
            pydantic.Field(default, alias=field.name),
        )
    return members


def _python_type(type_: schema.Type) -> Any:
    match type_:
        case schema.Scalar(name=name):
            return PYTHON_TYPES[name]
        case schema.Choice(values=values):
            return Annotated[Literal[values], _one_of(values)]
        case schema.Optional(item=item):
            return _python_type(item) | None
        case schema.Listing(item=item):
            return list[_python_type(item)]  # type: ignore[misc]
        case schema.Mapping(item=item):
            return dict[str, _python_type(item)]  # type: ignore[misc]
        case schema.Reference():
            return pydantic.StrictStr
        case schema.Nested(name=name, fields=fields):
            return create_model(name, __config__=CONFIG, **_members(fields, partial=False))
