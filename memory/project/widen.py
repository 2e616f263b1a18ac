"""Widen a kind that payloads have outgrown, so that all it holds and all they say fits.

A new name becomes a field that may be missing, a field that is missing or null may be so from now
on, and a value of another type widens the field to what old and new values have in common, as
`memory.project.columns` finds it. No field is taken away, and none becomes narrower.
"""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence
from typing import Any

from memory.project.columns import CHOICE, MOST_CHOICES, NoCommonType, column_type
from memory.project.edit_schema import with_classes, with_fields, with_imports
from memory.project.field_types import OURS
from memory.project.infer import InferenceError
from memory.project.inferred import Writer, imports_of, name_of
from memory.project.kinds import (
    REQUIRED,
    Choice,
    Field,
    Kind,
    Listing,
    Mapping,
    Nested,
    Optional,
    Reference,
    Scalar,
    Type,
)
from memory.project.naming import fit, shown
from memory.project.payload import PayloadError, check_payload
from memory.project.taken import taken_names
from memory.project.tree import Project

Payloads = Sequence[dict[str, Any]]
Path = tuple[str, ...]


def widen_kind(
    project: Project, name: str, *, old: Payloads, new: Payloads
) -> tuple[Project, Map[str, Map[str, str]]]:
    """The project with a kind that also takes the `new` payloads, and the JSON names it renames.

    `old` are the payloads its records were read from, as its fields have them. Raises
    InferenceError where the kind cannot be made to take both.
    """
    kind = project.kinds[name]
    fitted = [fit(kind, payload) for payload in new]
    widener = _Widener(kind, taken_names(project))
    try:
        widener.widen(kind.name, (), kind.fields, _without_id(old), _without_id(fitted))
        path = f"domains/{kind.domain}/schema.py"
        source = widener.applied_to(project.files[path])
        wider = Project({**project.files, path: source})
        _check(wider.kinds[name], old, new)
    except (ValueError, KeyError) as error:
        raise InferenceError(name, str(error)) from error
    return wider, {f"{kind.domain}.{one}": names for one, names in widener.renames.items() if names}


def _without_id(payloads: Payloads) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.items() if name != "id"} for one in payloads]


def _check(kind: Kind, old: Payloads, new: Payloads) -> None:
    """What was read must go on being so; an update names some fields only, so no more is asked."""
    try:
        for payload in old:
            check_payload(kind, "update", "x", payload, fallback_id="x")
        for payload in new:
            said = fit(kind, payload)
            check_payload(kind, "assert", None, said, fallback_id="x")
    except PayloadError as error:
        raise ValueError(str(error)) from error


def all_fit(type_: Type, values: Sequence[Any]) -> bool:
    """Whether each value, in its JSON form, is one of the type."""
    fields = (Field("id", Scalar("str")), Field("values", Listing(type_)))
    probe = Kind("probe", "Probe", "probes", (), fields, "")
    try:
        check_payload(probe, "assert", "x", {"values": list(values)}, fallback_id="x")
    except PayloadError:
        return False
    return True


class _Widener:
    def __init__(self, kind: Kind, taken: set[str]) -> None:
        self.kind = kind
        self.writer = Writer(kind.name, taken)
        self.before: dict[str, tuple[Field, ...]] = {}
        self.after: dict[str, tuple[Field, ...]] = {}
        self.renames: dict[str, dict[str, str]] = {}
        self.seen: dict[str, list[dict[str, Any]]] = {}

    def widen(
        self, name: str, path: Path, fields: tuple[Field, ...], old: Payloads, new: Payloads
    ) -> None:
        """Note what the fields of a class become; one class may be met at several places."""
        self.before.setdefault(name, fields)
        known = [*self.seen.get(name, ()), *old]
        self.seen[name] = [*known, *new]
        current = self.after.get(name, fields)
        wider = [self.field(path, one, known, new) for one in current if one.name != "id"]
        ids = [one for one in current if one.name == "id"]
        if path:  # only a kind's own id is the record's
            wider, ids = [self.field(path, one, known, new) for one in current], []
        self.after[name] = (*ids, *wider, *self.new_fields(name, path, current, new))

    def field(self, path: Path, field: Field, old: Payloads, new: Payloads) -> Field:
        """A field that takes the new values, and may be missing if it was."""
        olds = [one[field.name] for one in old if field.name in one]
        news = [one[field.name] for one in new if field.name in one]
        type_ = self.type((*path, field.name), field.type, olds, news)
        if not field.required:
            return Field(field.name, type_, field.default, field.factory)
        if len(news) < len(new) and not isinstance(type_, Optional):
            type_ = Optional(type_)
        if isinstance(type_, Optional) and not isinstance(field.type, Optional):
            return Field(field.name, type_, None)
        return Field(field.name, type_, None if len(news) < len(new) else REQUIRED)

    def type(self, path: Path, type_: Type, old: Sequence[Any], new: Sequence[Any]) -> Type:
        """The type for the new values too. Raises NoCommonType."""
        if all_fit(type_, new):
            return type_
        if None in new:
            rest = [value for value in new if value is not None]
            inner = self.type(path, type_, old, rest) if rest else type_
            return inner if isinstance(inner, Optional) else Optional(inner)
        match type_:
            case Optional(item=item):
                said = [value for value in old if value is not None]
                return Optional(self.type(path, item, said, new))
            case Listing(item=item) if all(isinstance(one, list) for one in new):
                parts = [[part for one in values for part in one] for values in (old, new)]
                return Listing(self.type((*path, "[]"), item, *parts))
            case Mapping(item=item) if all(isinstance(one, dict) for one in new):
                parts = [[part for one in values for part in one.values()] for values in (old, new)]
                return Mapping(self.type((*path, "{}"), item, *parts))
            case Nested(name=name, fields=fields) if all(isinstance(one, dict) for one in new):
                self.widen(name, path, fields, list(old), list(new))
                return type_
            case Choice(values=values) if _may_join(values, new):
                return Choice(tuple(sorted({*values, *new}, key=str)))
            case Reference(kind=kind):
                raise NoCommonType(path, f"is the id of a {kind}; send text")
        return column_type(path, [*old, *new], self.writer.object_type)

    def new_fields(
        self, name: str, path: Path, fields: tuple[Field, ...], new: Payloads
    ) -> list[Field]:
        """A field for each name that the class does not have; who was before it lacks it."""
        names = {field.name: field.name for field in fields}
        renames = self.renames.setdefault(name, {})
        found = []
        for json_name in dict.fromkeys(name for payload in new for name in payload):
            if json_name in names:
                continue
            field = name_of(json_name, has_id=True)
            other = names.setdefault(field, json_name)
            if other != json_name:
                reason = f"would be the same field as {shown(other)}; rename one of them"
                raise NoCommonType((*path, json_name), reason)
            if field != json_name:
                renames[json_name] = field
            values = [payload[json_name] for payload in new if json_name in payload]
            type_ = column_type((*path, json_name), values, self.writer.object_type)
            optional = type_ if isinstance(type_, Optional) else Optional(type_)
            found.append(Field(field, optional, None))
        return found

    def applied_to(self, source: str) -> str:
        """The source of the schema with the wider classes. Raises ValueError."""
        needs: set[str] = set()
        for name, after in self.after.items():
            if after == self.before[name]:
                continue
            names = self.renames.get(name, {})
            source = with_fields(source, name, before=self.before[name], after=after, renames=names)
            needs |= imports_of(after) & OURS
        nested = self.writer.nested
        if nested:
            first = _first_class(source, self.after)
            source = with_classes(source, first, [one.source for one in nested])
            needs |= {name for one in nested for name in one.needs}
            self.renames |= {one.name: one.renames for one in nested}
        return with_imports(source, needs)


def _first_class(source: str, names: Map[str, Any]) -> str:
    """The class of these that stands first: what any of them needs stands above it."""
    return min(names, key=lambda name: source.index(f"class {name}:"))


def _may_join(values: Sequence[str | int], new: Sequence[Any]) -> bool:
    """Whether new choices are plain enough, and few enough, to stand beside the old."""
    plain = all(isinstance(one, str) and CHOICE.fullmatch(one) for one in new)
    return plain and len({*values, *new}) <= MOST_CHOICES and isinstance(values[0], str)
