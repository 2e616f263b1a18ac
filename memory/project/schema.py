"""Learn the kinds of a domain from its `schema.py`, by parsing it; it is never executed here."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Literal

SCALARS = ("str", "int", "bool", "float", "date", "datetime", "time", "Decimal")
IMPORTS = {
    "dataclasses": {"dataclass", "field"},
    "datetime": {"date", "datetime", "time"},
    "decimal": {"Decimal"},
    "typing": {"Literal"},
    "uac": {"kind", "Ref"},
}


class SchemaError(ValueError):
    """A schema that is refused; the message names the line and the remedy."""

    def __init__(self, path: str, node: ast.AST | None, message: str) -> None:
        line = f":{node.lineno}" if isinstance(node, ast.stmt | ast.expr) else ""
        super().__init__(f"{path}{line}: {message}")


@dataclass(frozen=True)
class Scalar:
    """One of `SCALARS`."""

    name: str


@dataclass(frozen=True)
class Choice:
    """`Literal[...]` of strings or integers."""

    values: tuple[str | int, ...]


@dataclass(frozen=True)
class Optional:
    """`X | None`."""

    item: Type


@dataclass(frozen=True)
class Listing:
    """`list[X]`."""

    item: Type


@dataclass(frozen=True)
class Mapping:
    """`dict[str, X]`."""

    item: Type


@dataclass(frozen=True)
class Reference:
    """`Ref[Kind]`: the id of another record."""

    kind: str


@dataclass(frozen=True)
class Nested:
    """Another dataclass of the same file, held by value."""

    name: str
    fields: tuple[Field, ...]


Type = Scalar | Choice | Optional | Listing | Mapping | Reference | Nested
REQUIRED: Any = object()


@dataclass(frozen=True)
class Field:
    """A field of a dataclass; `default` is `REQUIRED` where it has none, or the name of a factory."""

    name: str
    type: Type
    default: Any = REQUIRED
    factory: Literal["", "list", "dict"] = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED and not self.factory

    @property
    def initial(self) -> Any:
        """The value a record has that does not name the field."""
        return {"list": [], "dict": {}}.get(self.factory, self.default)


@dataclass(frozen=True)
class Kind:
    """A record type: `health.Allergy`, kept in the collection `allergies`."""

    domain: str
    name: str
    collection: str
    key: tuple[str, ...]
    fields: tuple[Field, ...]
    doc: str

    @property
    def full_name(self) -> str:
        return f"{self.domain}.{self.name}"

    def field(self, name: str) -> Field | None:
        """The field of that name, if there is one."""
        return next((field for field in self.fields if field.name == name), None)


def parse_schema(domain: str, source: str) -> tuple[Kind, ...]:
    """The kinds a domain's schema declares, in order. Raises SchemaError."""
    return _Parser(f"domains/{domain}/schema.py", domain).kinds(source)


class _Parser:
    def __init__(self, path: str, domain: str) -> None:
        self.path, self.domain = path, domain
        self.nested: dict[str, Nested] = {}
        self.seen: set[str] = set()

    def refuse(self, node: ast.AST | None, message: str) -> SchemaError:
        return SchemaError(self.path, node, message)

    def kinds(self, source: str) -> tuple[Kind, ...]:
        try:
            tree = ast.parse(source, feature_version=(3, 11))
        except SyntaxError as error:
            raise SchemaError(
                f"{self.path}:{error.lineno}", None, f"not Python 3.11: {error.msg}"
            ) from error
        kinds = []
        for node in tree.body:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            if isinstance(node, ast.ImportFrom):
                self.check_import(node)
            elif isinstance(node, ast.ClassDef):
                kind = self.class_(node)
                if kind is not None:
                    kinds.append(kind)
            else:
                raise self.refuse(node, "a schema holds imports and dataclasses only")
        return tuple(kinds)

    def check_import(self, node: ast.ImportFrom) -> None:
        allowed = IMPORTS.get(node.module or "", set())
        for alias in node.names:
            if node.level or alias.name not in allowed:
                raise self.refuse(node, f"{alias.name} may not be imported in a schema")
            if alias.asname:
                raise self.refuse(node, f"{alias.name} may not be renamed; import it as it is")

    def class_(self, node: ast.ClassDef) -> Kind | None:
        if node.name in self.seen:
            raise self.refuse(node, f"{node.name} is declared twice")
        self.seen.add(node.name)
        if node.bases or node.keywords:
            raise self.refuse(node, f"{node.name} inherits; write its fields out instead")
        marks = [mark for mark in node.decorator_list if isinstance(mark, ast.Call)]
        plain = [mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)]
        if plain != ["dataclass"] or len(marks) + 1 != len(node.decorator_list) or len(marks) > 1:
            raise self.refuse(node, f"decorate {node.name} with @kind(...) over @dataclass")
        fields = self.fields(node)
        if not marks:
            self.nested[node.name] = Nested(node.name, fields)
            return None
        collection, key = self.mark(marks[0])
        if not fields or fields[0] != Field("id", Scalar("str")):
            raise self.refuse(node, f"the first field of {node.name} must be `id: str`")
        names = {field.name for field in fields}
        for name in key:
            if name not in names:
                raise self.refuse(node, f"key field {name} is not a field of {node.name}")
        doc = ast.get_docstring(node) or ""
        return Kind(self.domain, node.name, collection, key, fields, doc)

    def mark(self, call: ast.Call) -> tuple[str, tuple[str, ...]]:
        if not isinstance(call.func, ast.Name) or call.func.id != "kind" or len(call.args) != 1:
            raise self.refuse(call, 'expected @kind("collection", key=("field", ...))')
        try:
            collection = ast.literal_eval(call.args[0])
            options = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        except ValueError as error:
            raise self.refuse(call, "@kind takes constants only") from error
        key = options.pop("key", ())
        if not isinstance(collection, str) or not collection.isidentifier() or options:
            raise self.refuse(call, 'expected @kind("collection", key=("field", ...))')
        if not isinstance(key, tuple) or not all(isinstance(name, str) for name in key):
            raise self.refuse(call, 'the key is a tuple of field names, such as ("name",)')
        return collection, key

    def fields(self, node: ast.ClassDef) -> tuple[Field, ...]:
        fields: list[Field] = []
        for item in node.body:
            if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant):
                continue
            if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
                raise self.refuse(item, f"{node.name} holds annotated fields only")
            name = item.target.id
            if name in {field.name for field in fields}:
                raise self.refuse(item, f"field {name} is declared twice")
            if name in SCALARS or name in self.seen or name.startswith("_"):
                raise self.refuse(item, f"a field may not be called {name}")
            type_ = self.type(item.annotation)
            factory = self.factory(item.value)
            default = REQUIRED if item.value is None or factory else self.constant(item.value)
            fields.append(Field(name, type_, default, factory))
        return tuple(fields)

    def factory(self, value: ast.expr | None) -> Literal["", "list", "dict"]:
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

    def constant(self, value: ast.expr) -> Any:
        if isinstance(value, ast.Constant):
            return value.value
        remedy = "a default is a constant, or field(default_factory=list); it is not computed"
        raise self.refuse(value, remedy)

    def type(self, node: ast.expr) -> Type:
        match node:
            case ast.Name(id=name) if name in SCALARS:
                return Scalar(name)
            case ast.Name(id=name) if name in self.nested:
                return self.nested[name]
            case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
                return Optional(self.type(left))
            case ast.Subscript(value=ast.Name(id="list"), slice=item):
                return Listing(self.type(item))
            case ast.Subscript(
                value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), item])
            ):
                return Mapping(self.type(item))
            case ast.Subscript(value=ast.Name(id="Ref"), slice=ast.Name(id=name)):
                return Reference(name)
            case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
                return self.choice(values)
        raise self.refuse(node, f"type {ast.unparse(node)} is not one a field may have")

    def choice(self, node: ast.expr) -> Choice:
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        values = [item.value if isinstance(item, ast.Constant) else None for item in nodes]
        if not all(isinstance(value, str | int) for value in values):
            raise self.refuse(node, "Literal takes strings or integers")
        return Choice(tuple(value for value in values if isinstance(value, str | int)))
