"""What the policy says of a place in a file."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Violation:
    """Something that may not stand in a project: where, and one line that says what to do."""

    path: str
    line: int
    column: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.reason}"


def at(path: str, node: ast.AST, reason: str) -> Violation:
    """A violation at a node; columns count from 1, as editors do."""
    return Violation(path, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1, reason)
