"""Write inferred dataclasses as the source of a schema file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memory.project.columns import (
    ITEM,
    MAX_NAMES,
    VALUE,
    NoCommonType,
    column_type,
    last_name,
)
from memory.project.field_types import IMPORTS
from memory.project.naming import field_name, shown
from memory.project.schema import (
    REQUIRED,
    Choice,
    Field,
    Listing,
    Mapping,
    Nested,
    Optional,
    Reference,
    Scalar,
    Type,
)
from memory.project.taken import top_names


@dataclass(frozen=True)
class Definition:
    """A dataclass to append: its source, the JSON names it renames, the names it needs imported."""

    name: str
    source: str
    renames: dict[str, str]
    needs: frozenset[str]


def name_of(json_name: str, *, has_id: bool) -> str:
    """The field for a JSON name of a kind; an `id` that is not the record's is `id_`."""
    return "id_" if json_name == "id" and not has_id else field_name(json_name)


def define(
    class_name: str,
    collection: str,
    key: tuple[str, ...],
    payloads: Sequence[dict[str, Any]],
    *,
    has_id: bool,
    taken: set[str],
) -> tuple[Definition, ...]:
    """A kind and the dataclasses nested in it, in the order in which they must be declared.

    The names of nested ones are added to `taken`. Raises NoCommonType.
    """
    writer = Writer(class_name, taken)
    fields, renames = writer.fields((), payloads, has_id=has_id)
    said = "fact" if len(payloads) == 1 else "facts"
    lines = [
        f"@kind({json.dumps(collection)}, key={_tuple(key)})",
        "@dataclass",
        f"class {class_name}:",
        f'    """Inferred from {len(payloads)} {said}."""',
        "",
        *_id_lines(payloads, has_id),
        *field_lines(fields, renames),
    ]
    needs = imports_of(fields) | {"dataclass", "kind"}
    kind = Definition(class_name, _text(lines), renames, needs)
    return (*writer.nested, kind)


def _id_lines(payloads: Sequence[dict[str, Any]], has_id: bool) -> list[str]:
    number = has_id and any(isinstance(payload["id"], int) for payload in payloads)
    return ["    id: str  # the app's number, as text" if number else "    id: str"]


class Writer:
    """Writes the dataclasses nested in one kind: `nested`, the inner before the outer."""

    def __init__(self, class_name: str, taken: set[str]) -> None:
        self.class_name, self.taken = class_name, taken
        self.nested: list[Definition] = []

    def fields(
        self, path: tuple[str, ...], payloads: Sequence[dict[str, Any]], *, has_id: bool = True
    ) -> tuple[list[Field], dict[str, str]]:
        """The fields in first-seen order, those that may be missing last, and the renames."""
        json_names = list(dict.fromkeys(name for payload in payloads for name in payload))
        if len(json_names) > MAX_NAMES:
            reason = f"has {len(json_names)} names, {MAX_NAMES} are the most; nest what varies"
            raise NoCommonType(path or ("data",), reason)
        owners: dict[str, str] = {}
        fields = []
        for json_name in json_names:
            if not path and json_name == "id" and has_id:
                continue
            name = name_of(json_name, has_id=has_id or bool(path))
            other = owners.setdefault(name, json_name)
            if other != json_name:
                reason = f"would be the same field as {shown(other)}; rename one of them"
                raise NoCommonType((*path, json_name), reason)
            fields.append(self.field((*path, json_name), name, payloads))
        fields.sort(key=lambda field: not field.required)
        return fields, {old: new for new, old in owners.items() if new != old}

    def field(self, path: tuple[str, ...], name: str, payloads: Sequence[dict[str, Any]]) -> Field:
        values = [payload.get(path[-1]) for payload in payloads]
        type_ = column_type(path, values, self.object_type)
        return Field(name, type_, None if isinstance(type_, Optional) else REQUIRED)

    def object_type(self, path: tuple[str, ...], values: Sequence[dict[str, Any]]) -> Type:
        """A new dataclass for the objects at a path, as a type. Raises NoCommonType."""
        name = self.free_name(path)
        fields, renames = self.fields(path, values)
        lines = [
            "@dataclass",
            f"class {name}:",
            f'    """Part of {self.class_name}."""',
            "",
            *field_lines(fields, renames),
        ]
        needs = imports_of(fields) | {"dataclass"}
        self.nested.append(Definition(name, _text(lines), renames, needs))
        return Nested(name, tuple(fields))

    def free_name(self, path: tuple[str, ...]) -> str:
        word = field_name(last_name(path))
        if path[-1] in (ITEM, VALUE) and word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
        parts = [part[0].upper() + part[1:] for part in word.split("_") if part]
        stem = "".join([self.class_name, *parts])
        name, number = stem, 2
        while name in self.taken:
            name, number = f"{stem}{number}", number + 1
        self.taken.add(name)
        return name


def append(before: str, classes: Iterable[Definition]) -> str:
    """A schema's source with the classes after it, and the imports they need before them."""
    classes = tuple(classes)
    missing = frozenset().union(*(one.needs for one in classes)) - top_names(before)
    parts = [before if before.endswith("\n") or not before else f"{before}\n"]
    if missing:
        parts.append(_import_lines(missing))
    return "".join([*parts, *(f"\n\n{one.source}" for one in classes)])


def _import_lines(names: frozenset[str]) -> str:
    text = "\n"
    for module, offered in sorted(IMPORTS.items(), key=lambda item: (item[0] == "uac", item[0])):
        wanted = sorted(names & offered)
        if wanted:
            text += "\n" if module == "uac" and text != "\n" else ""
            text += f"from {module} import {', '.join(wanted)}\n"
    return text


def field_lines(fields: Iterable[Field], renames: dict[str, str]) -> list[str]:
    """The fields as a class holds them; `renames` gives the field of a JSON name."""
    json_names = {new: old for old, new in renames.items()}
    lines = []
    for field in fields:
        default = "" if field.required else f" = {_default(field)}"
        comment = f"  # said as {shown(json_names[field.name])}" if field.name in json_names else ""
        lines.append(f"    {field.name}: {annotation(field.type)}{default}{comment}")
    return lines


def _default(field: Field) -> str:
    return f"field(default_factory={field.factory})" if field.factory else _quoted(field.default)


def _quoted(value: Any) -> str:
    """A constant as source, text in double quotes where nothing in it speaks against them."""
    if not isinstance(value, str) or "'" in value or '"' in value:
        return repr(value)
    return f'"{repr(value)[1:-1]}"'


def annotation(type_: Type) -> str:
    """A type as it is written in a schema."""
    match type_:
        case Scalar(name=name) | Nested(name=name):
            return name
        case Choice(values=values):
            return f"Literal[{', '.join(map(_quoted, values))}]"
        case Optional(item=item):
            return f"{annotation(item)} | None"
        case Listing(item=item):
            return f"list[{annotation(item)}]"
        case Mapping(item=item):
            return f"dict[str, {annotation(item)}]"
        case Reference(kind=kind):
            return f"Ref[{json.dumps(kind)}]"
    raise TypeError(f"no column has the type {type_!r}")


def imports_of(fields: Iterable[Field]) -> frozenset[str]:
    """The names that the annotations use and a schema must import."""
    offered = frozenset().union(*IMPORTS.values())
    return frozenset(name for field in fields for name in _names(field.type)) & offered


def _names(type_: Type) -> set[str]:
    match type_:
        case Scalar(name=name):
            return {name}
        case Choice():
            return {"Literal"}
        case Reference():
            return {"Ref"}
        case Optional(item=item) | Listing(item=item) | Mapping(item=item):
            return _names(item)
    return set()


def _tuple(names: tuple[str, ...]) -> str:
    return f"({', '.join(json.dumps(name) for name in names)}{',' if len(names) == 1 else ''})"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
