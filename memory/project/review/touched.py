"""The tests that a change brings, changes or takes away."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from memory.project.review.doubt import parsed
from memory.project.review.tree import FileChange, Status


@dataclass(frozen=True)
class TouchedTest:
    """A test function and what becomes of it; `line` is that before where it is removed."""

    name: str
    path: str
    line: int
    status: Status


def touched_tests(change: FileChange) -> Iterator[TouchedTest]:
    """The tests of a file that differ: those it still has in their order, then those removed.

    None where a side cannot be parsed; such a proposal fails its checks.
    """
    old, new = parsed(change.old), parsed(change.new)
    if old is None or new is None:
        return
    before, after = tests_of(old), tests_of(new)
    for name, node in after.items():
        if name not in before:
            yield TouchedTest(name, change.path, node.lineno, "added")
        elif _differ(before[name], node):
            yield TouchedTest(name, change.path, node.lineno, "changed")
    for name, node in before.items():
        if name not in after:
            yield TouchedTest(name, change.path, node.lineno, "removed")


def _differ(old: ast.AST, new: ast.AST) -> bool:
    """Whether they say something else to Python; what is nested too deeply to tell counts as so."""
    try:
        return ast.dump(old) != ast.dump(new)
    except RecursionError:
        return True


def tests_of(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The test functions of a file by their names."""
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    }
