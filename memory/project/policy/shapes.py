"""What a rule, a test and a schema must look like."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from memory.project.policy.available import words
from memory.project.policy.iteration import own_nodes
from memory.project.policy.violation import Violation, at

CHANGING = words(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem"
    " appendleft popleft"
)
TOP = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
DATE_CODE = re.compile(r"%[-A-Za-z]")


def check_rule(path: str, tree: ast.Module) -> Iterator[Violation]:
    """A rule: a docstring, imports, constants, functions, and `check`."""
    yield from _top_level(path, tree)
    if not ast.get_docstring(tree):
        yield Violation(
            path, 1, 1, "begin with a docstring: one sentence on what the rule warns of"
        )
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    checks = [function for function in functions if function.name == "check"]
    if not checks:
        yield Violation(path, 1, 1, "a rule defines check(today: date) -> list[Alert]")
    for check in checks:
        if ast.unparse(check).partition("\n")[0] != "def check(today: date) -> list[Alert]:":
            yield at(path, check, "write it exactly as def check(today: date) -> list[Alert]:")
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                yield at(path, node, "print has no reader; put it in the alert's detail")
            case ast.Call(func=ast.Attribute(attr="strftime")):
                yield at(path, node, "write dates with long_date, clock or date_words from uac")
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=code)])):
                if DATE_CODE.search(str(code)):
                    yield at(path, node, "write dates with long_date or clock from uac")
    yield from _changes(path, tree)


def _top_level(path: str, tree: ast.Module) -> Iterator[Violation]:
    for node in tree.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, TOP):
            reason = "the top level holds imports, constants, functions and dataclasses only"
            yield at(path, node, reason)


def _changes(path: str, tree: ast.Module) -> Iterator[Violation]:
    """Changes of records, and of the collections by the names they are imported or passed under."""
    imported = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith(".state")
        for alias in node.names
    }
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scope in (tree, *functions):
        nodes = list(own_nodes(scope))
        held = imported | _names_for_parts(nodes, imported)
        for node in nodes:
            if _changes_one_of(node, held):
                yield at(path, node, "the state is not changed; build a new list or object")


def _names_for_parts(nodes: list[ast.AST], imported: set[str]) -> set[str]:
    """The names that a scope gives to a collection or to the records in it."""
    held: set[str] = set()
    for node in nodes:
        match node:
            case (
                ast.For(target=ast.Name(id=name), iter=value)
                | ast.comprehension(target=ast.Name(id=name), iter=value)
                | ast.Assign(targets=[ast.Name(id=name)], value=value)
            ):
                if _root(value) in imported | held:
                    held.add(name)
    return held


def _changes_one_of(node: ast.AST, held: set[str]) -> bool:
    match node:
        case ast.Attribute(ctx=ast.Store(), value=value):
            return not (isinstance(value, ast.Name) and value.id == "self")
        case ast.Subscript(ctx=ast.Store(), value=value):
            return _root(value) in held
        case ast.Call(func=ast.Attribute(attr=method, value=value)):
            return method in CHANGING and _root(value) in held
        case ast.AugAssign(target=ast.Name(id=name)):
            return name in held
    return False


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def check_test(path: str, tree: ast.Module) -> Iterator[Violation]:
    """A test file: functions `test_...` without arguments, each with an assert."""
    yield from _top_level(path, tree)
    tests = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]
    if not tests:
        yield Violation(path, 1, 1, "a test file has at least one function test_...()")
    for node in tests:
        arguments = node.args
        if arguments.args or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
            yield at(path, node, f"{node.name} takes no arguments; build what it needs inside")
        if node.decorator_list:
            yield at(path, node, f"{node.name} is decorated; write it plain")
        if not any(isinstance(inner, ast.Assert) for inner in ast.walk(node)):
            yield at(path, node, f"{node.name} has no assert; say what must hold")
