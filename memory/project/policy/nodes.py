"""Syntax and calls that the sandbox refuses, or that mean something else there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from memory.project.policy.available import MISSING_ATTRIBUTES
from memory.project.policy.violation import Violation, at

STATEMENTS: dict[type[ast.AST], str] = {
    ast.Delete: "del is not available; build a new list or dict without the item",
    ast.Yield: "generators are not available; build and return a list",
    ast.YieldFrom: "generators are not available; build and return a list",
    ast.Await: "async code is not available; call the function directly",
    ast.AsyncFunctionDef: "async code is not available; write def",
    ast.AsyncFor: "async code is not available; write for",
    ast.AsyncWith: "async code is not available; write with",
    ast.TryStar: "except* is not available; write except",
    ast.Global: "global is not allowed; pass the value and return the new one",
    ast.With: "with has no use here; call the functions directly",
    ast.MatMult: "@ is not available; write a function",
}
METHODS = {"__init__", "__post_init__"}
DATACLASS_OPTIONS = {"frozen", "eq"}
FIELD_OPTIONS = {"default", "default_factory"}
CLOCK = {"today", "now", "utcnow"}
# Names of methods that are called where they stand; taken as values they do not exist.
BUILT_IN_METHODS = frozenset(
    name for type_ in (str, list, dict, set) for name in dir(type_) if not name.startswith("_")
)
SWALLOWING = {"Exception", "BaseException"}


def check_nodes(path: str, tree: ast.Module) -> Iterator[Violation]:
    """Each node on its own."""
    for node in ast.walk(tree):
        for reason in _reasons(node):
            yield at(path, node, reason)


def check_methods(path: str, tree: ast.Module, fields: frozenset[str]) -> Iterator[Violation]:
    """Methods taken as values; `fields` are the names of the fields that records have."""
    nodes = list(ast.walk(tree))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    methods = BUILT_IN_METHODS - fields - _own_fields(nodes)
    for node in nodes:
        if isinstance(node, ast.Attribute) and id(node) not in called and node.attr in methods:
            yield at(path, node, f"{node.attr} may only be called; as a key write lambda x: ...")


def _own_fields(nodes: Iterable[ast.AST]) -> set[str]:
    """The fields of the classes in the file itself, annotated or set on `self`."""
    names = set()
    for node in nodes:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                names.add(name)
    return names


def _reasons(node: ast.AST) -> Iterator[str]:
    if type(node) in STATEMENTS:
        yield STATEMENTS[type(node)]
    match node:
        case ast.comprehension(is_async=1):
            yield "async code is not available; write a plain comprehension"
        case ast.ClassDef():
            yield from _of_class(node)
        case ast.FunctionDef():
            yield from _of_defaults(node.args)
            if any(isinstance(inner, ast.ClassDef) for inner in ast.walk(node)):
                yield "a class within a function is called otherwise here; move it to the top"
        case ast.Lambda(args=arguments):
            yield from _of_defaults(arguments)
        case ast.Attribute():
            yield from _of_attribute(node.attr)
        case ast.Call():
            yield from _of_call(node)
        case ast.Raise(exc=ast.Call(args=arguments)):
            if len(arguments) > 1 or (arguments and not _may_be_text(arguments[0])):
                yield "an exception takes one text; put all of it into an f-string"
        case ast.ExceptHandler():
            yield from _of_handler(node)
        case ast.BinOp(op=ast.MatMult()):
            yield STATEMENTS[ast.MatMult]
        case ast.Constant(value=complex()):
            yield "complex numbers are not available; use float"
        case ast.Constant(value=value) if value is ...:
            yield "... is not available; write pass, or a docstring"


def _of_class(node: ast.ClassDef) -> Iterator[str]:
    if node.bases or node.keywords:
        yield f"{node.name} inherits, which is not available; use Literal and plain functions"
    for mark in node.decorator_list:
        name = mark.func if isinstance(mark, ast.Call) else mark
        if not isinstance(name, ast.Name) or name.id not in ("dataclass", "kind"):
            yield f"{node.name} may be decorated with @dataclass only"
        elif isinstance(mark, ast.Call) and name.id == "dataclass":
            wrong = [word.arg for word in mark.keywords if word.arg not in DATACLASS_OPTIONS]
            if wrong or mark.args:
                yield f"@dataclass takes frozen only, not {', '.join(map(str, wrong)) or 'this'}"
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            if item.decorator_list:
                yield f"method {item.name} is decorated, which is not available; write a function"
            if item.name.startswith("__") and item.name not in METHODS:
                yield f"method {item.name} is ignored by the sandbox; write a function"


def _of_defaults(arguments: ast.arguments) -> Iterator[str]:
    for default in [*arguments.defaults, *arguments.kw_defaults]:
        if isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call | ast.ListComp):
            yield "a default is computed once and shared; use None and build it in the function"


def _of_attribute(name: str) -> Iterator[str]:
    if name.startswith("__"):
        yield f"attribute {name} is closed; use the value itself"
    elif name.startswith("_uac_"):
        yield f"{name} belongs to uac; use what uac exports"
    elif name in MISSING_ATTRIBUTES:
        yield f"{name} is not available; {MISSING_ATTRIBUTES[name]}"


def _of_call(node: ast.Call) -> Iterator[str]:
    match node.func:
        case ast.Name(id="round") if len(node.args) > 1 or node.keywords:
            yield "round with digits gives other floats here; use rounded(value, 2) from uac"
        case ast.Name(id="getattr" | "hasattr" as name):
            if len(node.args) < 2 or not _is_plain_name(node.args[1]):
                yield f"{name} takes the name of a field as text; write value.field"
        case ast.Name(id="type") if len(node.args) != 1:
            yield "classes are written out; use @dataclass"
        case ast.Name(id="field"):
            wrong = [word.arg for word in node.keywords if word.arg not in FIELD_OPTIONS]
            if wrong:
                yield f"field() takes default_factory only, not {', '.join(map(str, wrong))}"
        case ast.Attribute(attr=method, value=ast.Name(id="date" | "datetime" as name)):
            if method in CLOCK:
                yield f"{name}.{method}() reads a clock; use the argument today"
            elif method == "fromtimestamp":
                yield f"{name}.{method}() depends on the machine's zone; write the date"
        case ast.Attribute(attr="format", value=base):
            if not isinstance(base, ast.Constant) or not _is_plain_template(base.value):
                yield 'format takes plain text without attributes; write an f-string: f"{value}"'
        case ast.Attribute(attr=method, value=ast.Name(id="re")):
            yield from _of_pattern(method, node)


def _is_plain_name(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and not node.value.startswith("_")
    )


def _is_plain_template(text: object) -> bool:
    return isinstance(text, str) and not re.search(r"\{[^{}]*[._]", text.replace("{{", ""))


def _of_pattern(method: str, node: ast.Call) -> Iterator[str]:
    pattern = node.args[0] if node.args else None
    if method in ("escape",):
        return
    if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str):
        yield "a pattern is written out as a constant text where it is used"
        return
    bare = re.sub(r"\\[^Z]|\[\^?\]?[^\]]*\]", "", pattern.value)
    if "$" in bare or "\\Z" in bare:
        yield "$ and \\Z treat a last line break differently here; use re.fullmatch"
    if re.search(r"\(\?[aiLmsux]", bare):
        yield "flags within a pattern are not available; pass flags=re.IGNORECASE"
    if method == "sub" and len(node.args) > 1:
        new = node.args[1]
        if isinstance(new, ast.Lambda):
            yield "re.sub takes text, not a function; use re.finditer and join"
        elif isinstance(new, ast.Constant) and re.search(r"\\(?![0-9g])", str(new.value)):
            yield "in a replacement only \\1 and \\g<name> may follow a backslash"


def _may_be_text(node: ast.expr) -> bool:
    return not isinstance(node, ast.Constant) or isinstance(node.value, str)


def _of_handler(node: ast.ExceptHandler) -> Iterator[str]:
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    for one in caught:
        if one is None or (isinstance(one, ast.Name) and one.id in SWALLOWING):
            yield "this would swallow every error; name the one you expect, such as ValueError"
