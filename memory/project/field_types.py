"""Read the annotation and the default of one field of a schema."""

from __future__ import annotations

import ast
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from typing import Any, Literal

from memory.project.kinds import (
    REQUIRED,
    SCALARS,
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

BUILT_IN = {"str", "int", "bool", "float"}
IMPORTS = {
    "dataclasses": {"dataclass", "field"},
    "datetime": {"date", "datetime", "time"},
    "decimal": {"Decimal"},
    "typing": {"Literal"},
    "uac": {"DateSpan", "PartialDate", "Ref", "kind"},
}
OURS = frozenset().union(*IMPORTS.values())
# A field of such a name would change what the annotations after it mean.
SHADOWING = {*SCALARS, "list", "dict", "field", "Literal", "Ref"}
CONSTANTS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "bool": (bool,),
    "float": (float, int),
}


class Refused(ValueError):
    """What a field may not be, and where it says so."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.node, self.reason = node, reason


@dataclass
class FieldReader:
    """Reads fields among the names that a schema has imported and the classes it has declared."""

    imported: set[str]
    declared: AbstractMapping[str, int]
    nested: AbstractMapping[str, Nested]
    references: list[tuple[str, int]]

    def read(self, item: ast.AnnAssign, name: str) -> Field:
        """The field that an annotated assignment declares. Raises Refused."""
        if name in SHADOWING or name in self.declared or name.startswith("_"):
            raise Refused(item, f"a field may not be called {name}; {name}_ would do")
        type_ = self.type(item.annotation)
        if item.value is None:
            return Field(name, type_)
        factory = _factory(item.value)
        if factory:
            self.known(item.value, "field")
            if not isinstance(type_, Listing if factory == "list" else Mapping):
                raise Refused(item.value, f"{name} is no {factory}, so {factory} is no default")
            return Field(name, type_, REQUIRED, factory)
        return Field(name, type_, _default(name, type_, item.value))

    def known(self, node: ast.AST, name: str) -> None:
        """Refuse a name that the file has not imported: under CPython it would not exist."""
        if name not in self.imported and name not in BUILT_IN:
            module = next(place for place, names in IMPORTS.items() if name in names)
            raise Refused(node, f"{name} is not imported: add `from {module} import {name}`")

    def type(self, node: ast.expr) -> Type:
        """The type that an annotation stands for."""
        match node:
            case ast.Name(id=name) if name in SCALARS:
                self.known(node, name)
                return Scalar(name)
            case ast.Name(id=name) if name in self.nested:
                return self.nested[name]
            case ast.Name(id=name) if name in self.declared or name in self.imported - OURS:
                raise Refused(node, f"a record is not held by value; write Ref[{name}]")
            case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
                return Optional(self.type(left))
            case ast.Subscript(value=ast.Name(id="list"), slice=item):
                return Listing(self.type(item))
            case ast.Subscript(
                value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), item])
            ):
                return Mapping(self.type(item))
            case ast.Subscript(value=ast.Name(id="Ref"), slice=target):
                return self.reference(target)
            case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
                self.known(node, "Literal")
                return _choice(values)
        raise Refused(node, f"type {ast.unparse(node)} is not one a field may have")

    def reference(self, node: ast.expr) -> Reference:
        """`Ref[Person]`, or `Ref["Person"]` for a class declared further down or elsewhere."""
        self.known(node, "Ref")
        match node:
            case ast.Name(id=name) | ast.Constant(value=str(name)) if name.isidentifier():
                pass
            case _:
                raise Refused(node, 'Ref takes one class of records, such as Ref["Person"]')
        self.references.append((name, node.lineno))
        return Reference(name)


def _factory(value: ast.expr) -> Literal["", "list", "dict"]:
    match value:
        case ast.Call(
            func=ast.Name(id="field"),
            args=[],
            keywords=[
                ast.keyword(arg="default_factory", value=ast.Name(id="list" | "dict" as name))
            ],
        ):
            return "list" if name == "list" else "dict"
    return ""


def _default(name: str, type_: Type, value: ast.expr) -> Any:
    match value:
        case ast.Constant(value=default):
            pass
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            default = -number
        case _:
            remedy = "a default is a constant, or field(default_factory=list); it is not computed"
            raise Refused(value, remedy)
    if not _fits(type_, default):
        words = "None" if default is None else repr(default)
        raise Refused(value, f"the default of {name} does not fit: {name} cannot be {words}")
    return default


def _fits(type_: Type, default: Any) -> bool:
    match type_:
        case Optional(item=item):
            return default is None or _fits(item, default)
        case Choice(values=values):
            return any(type(default) is type(one) and default == one for one in values)
        case Scalar(name=name):
            return type(default) in CONSTANTS.get(name, ())
    return False


def _choice(node: ast.expr) -> Choice:
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    values = [item.value if isinstance(item, ast.Constant) else None for item in nodes]
    if not values or not all(type(value) in (str, int) for value in values):
        raise Refused(node, "Literal takes strings or integers")
    return Choice(tuple(value for value in values if isinstance(value, str | int)))
