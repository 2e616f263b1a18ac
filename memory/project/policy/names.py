"""Names: each must be defined or imported by the file itself, once, and hide nothing."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator, Mapping

from memory.project.policy.available import BUILTINS, REFUSED_BUILTINS
from memory.project.policy.violation import Violation, at

BUILT_IN = frozenset(dir(builtins))


def check_names(
    path: str,
    tree: ast.Module,
    source: str,
    *,
    given: Iterable[str] = (),
    once: bool = True,
) -> Iterator[Violation]:
    """Names that are unknown, not yet defined or defined twice.

    `given` are names that are there without an import. Without `once` a name may be given another
    value, as in a script that counts in a loop.
    """
    defined = dict(_defined(tree))
    known = {*defined, *given}
    if once:
        yield from _twice(path, tree)
    reported: set[tuple[int, int]] = set()
    for node in _unknown(tree, symtable.symtable(source, path, "exec"), known):
        reported.add((node.lineno, node.col_offset))
        yield at(path, node, _why_unknown(node.id))
    for node in _too_early(tree, given):
        if node.id in known and (node.lineno, node.col_offset) not in reported:
            yield at(path, node, f"{node.id} is used before the line that defines it; move it up")
    yield from _private(path, tree)


def _defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The names that the top level binds, with the statement that does."""
    for node in tree.body:
        for name in _bound_by(node):
            yield name, node


def _bound_by(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for alias in names:
                yield (alias.asname or alias.name).split(".")[0]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case _:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id


def check_taken(path: str, tree: ast.Module, reserved: Mapping[str, str]) -> Iterator[Violation]:
    """Names that mean something already; `reserved` says what."""
    for name, node in _defined(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue  # an import of the thing itself
        if name in BUILT_IN:
            yield at(path, node, f"{name} would hide a name of Python; call it {name}_")
        elif name in reserved:
            yield at(path, node, f"{name} is taken: it is {reserved[name]}; choose another name")


def _twice(path: str, tree: ast.Module) -> Iterator[Violation]:
    seen: dict[str, ast.stmt] = {}
    for name, node in _defined(tree):
        first = seen.setdefault(name, node)
        if first is not node:
            reason = f"{name} is defined on line {first.lineno} already; choose another name"
            yield at(path, node, reason)


def _unknown(tree: ast.Module, table: symtable.SymbolTable, known: set[str]) -> list[ast.Name]:
    """The places where a name is read that nothing binds."""
    loose = {
        symbol.get_name()
        for scope in _scopes(table)
        for symbol in scope.get_symbols()
        if symbol.is_referenced() and (symbol.is_global() or scope.get_type() == "module")
    }
    unknown = {name for name in loose if name not in known and name not in BUILTINS}
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in unknown
    ]


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def _why_unknown(name: str) -> str:
    if name in REFUSED_BUILTINS:
        return f"{name} is not available: {REFUSED_BUILTINS[name]}"
    if name in BUILT_IN:
        return f"{name} is not available; do without it"
    return f"{name} is neither defined nor imported in this file"


def _too_early(tree: ast.Module, given: Iterable[str]) -> Iterator[ast.Name]:
    """The names that CPython looks up while it loads the file, before they are bound.

    The sandbox does not look at annotations, so it would not notice.
    """
    bound = set(given) | BUILT_IN
    for node in tree.body:
        inside = set(_bound_by(node)) if isinstance(node, ast.For) else _named_inside(node)
        for name in _read_at_load(node):
            if name.id not in bound | inside:
                yield name
        bound.update(_bound_by(node))


def _named_inside(node: ast.stmt) -> set[str]:
    return {
        inner.target.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name)
    }


def _read_at_load(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = node.args
        parts: list[ast.AST | None] = [*node.decorator_list, *arguments.defaults, node.returns]
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parts += [*arguments.kw_defaults, *(one.annotation for one in every)]
        for part in parts:
            if part is not None:
                yield from _read_at_load(part)
        return
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return  # its own names are bound inside
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _read_at_load(child)


def _private(path: str, tree: ast.Module) -> Iterator[Violation]:
    for node in ast.walk(tree):
        for name in _spelled(node):
            if name.startswith(("_uac_", "__")):
                yield at(path, node, f"{name} is a private name; choose another")
            elif not name.isascii():
                yield at(path, node, f"{name} holds letters that look like others; use ASCII names")


def _spelled(node: ast.AST) -> Iterator[str]:
    """The names that a node spells, other than attributes that are read."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.ClassDef(name=name):
            yield name
        case ast.FunctionDef(name=name):
            if name not in ("__init__", "__post_init__"):
                yield name
        case ast.Attribute(attr=name) if not name.isascii():
            yield name
        case ast.keyword(arg=str(name)):
            yield name
        case ast.alias(name=name):
            yield from name.split(".")
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
