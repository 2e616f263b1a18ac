"""Look at a query before it runs; nothing of it is executed."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from threading import Lock

from memory.project.kinds import Kind
from memory.project.library import Library
from memory.project.parsing import parse_python
from memory.project.policy import Violation, check_query
from memory.project.tree import Project
from memory.querying.comparisons import never_equal
from memory.querying.names import Reads, known_names, meant, reads_of
from memory.querying.remarks import MOST_REMARKS, QueryFailed, Remark, remark_at
from memory.querying.types_of_query import type_check
from memory.sandbox import Pool

UNKNOWN = " is neither defined nor imported in this file"
NO_VALUE = "the last line is no expression, so there is no value; end with what you want to know"
CHECKED = 128


@dataclass(frozen=True)
class Checked:
    """A query that may run: its text, what it reads, and what its author should know."""

    code: str
    reads: Reads
    warnings: tuple[Remark, ...]


class Checker:
    """Checks queries over one version of a project, and remembers those it has seen lately."""

    def __init__(self, project: Project, library: Library) -> None:
        self.project, self.library = project, library
        self._known: dict[str, Checked | QueryFailed] = {}
        self._lock = Lock()

    def check(self, code: str, workers: Pool | None = None) -> Checked:
        """The query, if it may run. Raises QueryFailed, and SandboxError if no check was made."""
        with self._lock:
            found = self._known.pop(code, None)
        if found is None:
            try:
                found = self._check(code, workers)
            except QueryFailed as failed:
                found = QueryFailed(failed.title, failed.remarks)  # without its traceback
        with self._lock:
            self._known[code] = found  # last in line to be forgotten
            while len(self._known) > CHECKED:
                self._known.pop(next(iter(self._known)))
        if isinstance(found, QueryFailed):
            raise QueryFailed(found.title, found.remarks)
        return found

    def _check(self, code: str, workers: Pool | None) -> Checked:
        violations = check_query(code, self.project, self.library)
        if violations:
            remarks = [self._remark(code, one) for one in violations[:MOST_REMARKS]]
            raise QueryFailed("The query may not run", remarks)
        tree = parse_python(code)
        if not tree.body:
            raise QueryFailed(
                "The query is empty", [Remark(0, 0, "write an expression, such as 1 + 1")]
            )
        if uncalled := _uncalled(code, tree, self.library):
            raise QueryFailed("The query has no value", uncalled)
        reads = reads_of(tree, self.project, self.library)
        typed = type_check(code, tree, reads, self.project, self.library, workers)
        if typed.errors:
            raise QueryFailed("The types do not fit", typed.errors)
        silent = islice(never_equal(code, tree, self._kinds(reads.collections)), MOST_REMARKS)
        return Checked(code, reads, (*_without_value(code, tree), *typed.warnings, *silent))

    def _kinds(self, collections: Iterable[str]) -> list[Kind]:
        return [self.project.collections[name] for name in collections]

    def _remark(self, code: str, violation: Violation) -> Remark:
        reason = violation.reason
        if reason.endswith(UNKNOWN):
            name = reason.removesuffix(UNKNOWN)
            reason = f"there is no {name}{meant(name, known_names(self.project, self.library))}"
            return remark_at(code, violation.line, violation.column, reason, len(name))
        return remark_at(code, violation.line, violation.column, reason)


def _without_value(code: str, tree: ast.Module) -> list[Remark]:
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        return []
    return [remark_at(code, last.lineno, last.col_offset + 1, NO_VALUE)]


def _uncalled(code: str, tree: ast.Module, library: Library) -> list[Remark]:
    """A last line that names a function; the sandbox would answer with a text about it."""
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    match tree.body[-1]:
        case ast.Expr(value=ast.Lambda()):
            detail = "this is a function; call it"
        case ast.Expr(value=ast.Name(id=name)) if name in own | library.exports:
            detail = f"{name} is not called; write {name}(...)"
        case _:
            return []
    last = tree.body[-1]
    return [remark_at(code, last.lineno, last.col_offset + 1, detail)]


@lru_cache(maxsize=16)
def checker_of(project: Project, library: Library) -> Checker:
    """The checker of a project; the same as long as the project is the same object."""
    return Checker(project, library)
