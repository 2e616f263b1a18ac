"""Learn the kinds of a domain from its `schema.py`, by parsing it; it is never executed here."""

from __future__ import annotations

import ast
from functools import lru_cache

from memory.project.field_types import IMPORTS, SHADOWING, FieldReader, Refused
from memory.project.kinds import (
    REQUIRED,
    SCALARS,
    Choice,
    Domain,
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
from memory.project.parsing import parse_python

__all__ = [
    "IMPORTS",
    "REQUIRED",
    "SCALARS",
    "Choice",
    "Domain",
    "Field",
    "Kind",
    "Listing",
    "Mapping",
    "Nested",
    "Optional",
    "Reference",
    "Scalar",
    "SchemaError",
    "Type",
    "parse_domain",
    "parse_schema",
]

MARK = 'expected @kind("collection", key=("field", ...)) or @kind("name", singleton=True)'


class SchemaError(ValueError):
    """A schema that is refused; the message names the line and the remedy."""

    def __init__(self, path: str, line: int | None, column: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}" if line else f"{path}: {reason}")
        self.path, self.line, self.column, self.reason = path, line, column, reason


def parse_schema(domain: str, source: str) -> tuple[Kind, ...]:
    """The kinds a domain's schema declares, in order. Raises SchemaError."""
    return parse_domain(domain, source).kinds


@lru_cache(maxsize=512)
def parse_domain(domain: str, source: str) -> Domain:
    """What a domain's schema declares and relies on. Raises SchemaError."""
    path = f"domains/{domain}/schema.py"
    parser = _Parser(domain)
    try:
        return parser.domain_of(parse_python(source))
    except Refused as refused:
        line = getattr(refused.node, "lineno", None)
        column = getattr(refused.node, "col_offset", 0)
        raise SchemaError(path, line, column, refused.reason) from None
    except SyntaxError as error:
        why = f"not Python 3.11: {error.msg}"
        raise SchemaError(path, error.lineno, (error.offset or 1) - 1, why) from error
    except (ValueError, RecursionError, MemoryError) as error:
        why = f"not Python 3.11: {str(error) or 'nested too deeply'}"
        raise SchemaError(path, None, 0, why) from error


class _Parser:
    def __init__(self, domain: str) -> None:
        self.domain = domain
        self.imported: set[str] = set()
        self.elsewhere: list[tuple[str, str, int]] = []
        self.uses: set[str] = set()
        self.nested: dict[str, Nested] = {}
        self.lines: dict[str, int] = {}
        self.references: list[tuple[str, int]] = []
        self.field_names: set[str] = set()
        self.reader = FieldReader(self.imported, self.lines, self.nested, self.references)

    def domain_of(self, tree: ast.Module) -> Domain:
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
                raise Refused(node, "a schema holds imports and dataclasses only")
        return Domain(
            name=self.domain,
            kinds=tuple(kinds),
            nested=tuple(self.nested),
            references=tuple(self.references),
            imports=tuple(self.elsewhere),
            uses=frozenset(self.uses),
            field_names=frozenset(self.field_names),
            lines=dict(self.lines),
        )

    def check_import(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        parts = module.split(".")
        schema = len(parts) == 3 and parts[0] == "domains" and parts[2] == "schema"
        for alias in node.names:
            name = alias.name
            allowed = parts[1] != self.domain if schema else name in IMPORTS.get(module, ())
            if node.level or name == "*" or not allowed:
                raise Refused(node, f"{name} may not be imported in a schema")
            if alias.asname:
                raise Refused(node, f"{name} may not be renamed; import it as it is")
            self.imported.add(name)
            if schema:
                self.elsewhere.append((parts[1], name, node.lineno))
            elif module == "uac":
                self.uses.add(name)

    def class_(self, node: ast.ClassDef) -> Kind | None:
        if node.name in self.lines or node.name in self.imported:
            raise Refused(
                node, f"{node.name} is declared twice; a class may not be called {node.name}"
            )
        if node.name in SHADOWING:
            raise Refused(node, f"a class may not be called {node.name}; that name has a meaning")
        self.lines[node.name] = node.lineno
        if node.bases or node.keywords:
            raise Refused(node, f"{node.name} inherits; write its fields out instead")
        marks = [mark for mark in node.decorator_list if isinstance(mark, ast.Call)]
        plain = [mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)]
        if plain != ["dataclass"] or len(marks) + 1 != len(node.decorator_list) or len(marks) > 1:
            raise Refused(node, f"decorate {node.name} with @kind(...) over @dataclass")
        self.reader.known(node, "dataclass")
        fields = self.fields(node)
        if not marks:
            self.nested[node.name] = Nested(node.name, fields)
            return None
        return self.kind(node, marks[0], fields)

    def kind(self, node: ast.ClassDef, mark: ast.Call, fields: tuple[Field, ...]) -> Kind:
        collection, key, singleton = self.mark(mark)
        if not fields or fields[0] != Field("id", Scalar("str")):
            raise Refused(node, f"the first field of {node.name} must be `id: str`")
        names = {field.name for field in fields}
        for name in key:
            if name not in names:
                raise Refused(node, f"key field {name} is not a field of {node.name}")
        doc = ast.get_docstring(node) or ""
        return Kind(self.domain, node.name, collection, key, fields, doc, singleton)

    def mark(self, call: ast.Call) -> tuple[str, tuple[str, ...], bool]:
        if not isinstance(call.func, ast.Name) or call.func.id != "kind" or len(call.args) != 1:
            raise Refused(call, MARK)
        self.reader.known(call, "kind")
        try:
            collection = ast.literal_eval(call.args[0])
            options = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        except ValueError:
            raise Refused(call, "@kind takes constants only") from None
        key, singleton = options.pop("key", ()), options.pop("singleton", False)
        if not isinstance(collection, str) or not collection.isidentifier() or options:
            raise Refused(call, MARK)
        if not isinstance(key, tuple) or not all(isinstance(name, str) for name in key):
            raise Refused(call, 'the key is a tuple of field names, such as ("name",)')
        if not isinstance(singleton, bool) or (singleton and key):
            raise Refused(call, "there is one singleton at most, so it has no key: leave key out")
        return collection, key, singleton

    def fields(self, node: ast.ClassDef) -> tuple[Field, ...]:
        fields: list[Field] = []
        for item in node.body:
            if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant):
                continue
            if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
                raise Refused(item, f"{node.name} holds annotated fields only")
            name = item.target.id
            if name in {field.name for field in fields}:
                raise Refused(item, f"field {name} is declared twice")
            field = self.reader.read(item, name)
            if fields and field.required and not fields[-1].required:
                first = next(one.name for one in fields if not one.required)
                raise Refused(item, f"field {name} needs a default, for {first} above it has one")
            fields.append(field)
        self.field_names |= {field.name for field in fields}
        return tuple(fields)
