"""What the value of a query depends on, from its source alone. Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection

from memory.project.parsing import parse_python


def rests_on_any(code: str, sources: Collection[str]) -> bool:
    """Whether the last line uses one of these names, itself or through what else it names.

    A value that uses none was written down, not reckoned. Raises SyntaxError.
    """
    tree = parse_python(code)
    if not tree.body:
        return False
    used: dict[str, set[str]] = {}
    for statement in tree.body[:-1]:
        names = _read(statement)
        for name in _written(statement):
            used.setdefault(name, set()).update(names)
    waiting, seen = _read(tree.body[-1]), set[str]()
    while waiting:
        name = waiting.pop()
        if name in sources:
            return True
        if name not in seen:
            seen.add(name)
            waiting |= used.get(name, set())
    return False


def _read(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and _is_read(one)}


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _written(statement: ast.stmt) -> set[str]:
    """Every name that a statement may give a value, its parts among them."""
    found: set[str] = set()
    for one in ast.walk(statement):
        match one:
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                found.add(name)  # such as found.append(...)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                found.add(name)
    return found
