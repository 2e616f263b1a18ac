"""The type check of a query: `ty`, in the sandbox, over the schemas and empty typed collections.

What would surely raise is an error. What may go well is a warning: the checker does not know that
a field which may be None never is in this person's records. Those run, and say so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from memory.project.bundle import STATE_IMPORTS, schema_sources, without_project_imports
from memory.project.library import Library
from memory.project.policy.available import BUILTINS
from memory.project.tree import Project
from memory.querying.names import Reads, known_names, meant
from memory.querying.remarks import MOST_REMARKS, Remark, remark_at
from memory.sandbox import (
    CodeRaised,
    Feed,
    Limits,
    Pool,
    Program,
    SyntaxRefused,
    TypeRefused,
    run,
)

CLOCK = datetime(2026, 1, 1, tzinfo=UTC)
LIMITS = Limits(total_seconds=5.0, feed_seconds=1.0)
DIAGNOSTIC = re.compile(
    r"^query\.py:(\d+):(\d+): (?:error|warning)\[([\w-]+)\] (.*)$", re.MULTILINE
)
NAMED = re.compile(r"`([^`]*)`")
NARROWED = re.compile(r" & ~\w+")  # how the checker notes what an `if` has ruled out
WORD = re.compile(r"\w+")
# A call that raises, of which the type checker does not know it: the query is read and not run.
STOP = "def _uac_stop() -> None:\n    raise AssertionError\n\n\n_uac_stop()\n"
SURE = frozenset(
    {
        "call-non-callable",
        "invalid-syntax",
        "missing-argument",
        "non-subscriptable",
        "not-iterable",
        "not-subscriptable",
        "parameter-already-assigned",
        "too-many-positional-arguments",
        "unknown-argument",
        "unresolved-attribute",
        "unresolved-import",
        "unresolved-reference",
        "unsupported-operator",
    }
)


class Typed(NamedTuple):
    """What the type checker says: what would surely raise, and what may."""

    errors: tuple[Remark, ...]
    warnings: tuple[Remark, ...]


def type_check(
    code: str,
    tree: ast.Module,
    reads: Reads,
    project: Project,
    library: Library,
    workers: Pool | None = None,
) -> Typed:
    """Check a query that the policy lets pass. Raises SandboxError where the checker fails."""
    before = _before(reads, project, library)
    try:
        feed = Feed("query.py", before + without_project_imports(code))
        run(Program((feed,), now=CLOCK), limits=LIMITS, type_check=True, workers=workers)
    except TypeRefused as refused:
        return _sorted(refused.display, before.count("\n"), code, _Known(tree, project, library))
    except (CodeRaised, SyntaxRefused):
        pass  # the stop; or what the sandbox cannot parse, which it will say again when it runs
    return Typed((), ())


def _before(reads: Reads, project: Project, library: Library) -> str:
    """What stands before the query: the library, the schemas, and every collection, empty."""
    uses = reads.uses.union(*(domain.uses for domain in project.domains.values()))
    modules = [without_project_imports(one.source) for one in library.that_provide(uses)]
    kinds = [project.collections[name] for name in reads.collections]
    parts = [
        "from typing import Any\n",
        STATE_IMPORTS,
        "drug_rows: list[Any] = []\ntoday: date = date(2026, 1, 1)\n",
        *modules,
        *schema_sources(project, project.kinds.values()),
    ]
    for kind in kinds:
        if kind.singleton:
            parts.append(f"def _uac_{kind.collection}() -> {kind.name} | None:\n    return None\n")
            parts.append(f"{kind.collection} = _uac_{kind.collection}()\n")
        else:
            parts.append(f"{kind.collection}: list[{kind.name}] = []\n")
    return "".join([*parts, STOP])


class _Known:
    """What a diagnostic is judged by: the query's own functions, and names near to a wrong one."""

    def __init__(self, tree: ast.Module, project: Project, library: Library) -> None:
        self.project, self.library = project, library
        self.own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

    def would_raise(self, rule: str, message: str) -> bool:
        """Whether it raises whatever the records hold. A union may be its better half."""
        found = message.partition("found ")[2] or message
        if "|" in found or "None" in found or "in union" in message:
            return False
        if rule == "invalid-argument-type":
            called = re.match(r"Argument to function `(\w+)`", message)
            return called is not None and called[1] in BUILTINS and called[1] not in self.own
        return rule in SURE

    def sentence(self, rule: str, message: str) -> str:
        """The message with what to do: the fields there are, or that a field may be None."""
        message = NARROWED.sub("", message)
        names = NAMED.findall(message)
        if rule == "unresolved-attribute" and "has no attribute" in message and len(names) == 2:
            kind = self.project.kinds_by_class.get(names[0])
            if kind is not None:
                there = [field.name for field in kind.fields]
                hint = meant(names[1], there) or f"; it has: {', '.join(there)}"
                return f"{kind.name} has no field {names[1]}{hint}"
        if rule == "unresolved-reference" and names:
            return (
                f"there is no {names[0]}{meant(names[0], known_names(self.project, self.library))}"
            )
        text = message.replace("`", "")
        if "None" in message:
            return f"{text}; leave out the records where it is None, if there are any"
        return text


def _sorted(display: str, before: int, code: str, known: _Known) -> Typed:
    errors: list[Remark] = []
    warnings: list[Remark] = []
    for line, column, rule, message in DIAGNOSTIC.findall(display):
        if len(errors) + len(warnings) == MOST_REMARKS:
            break
        if int(line) <= before:
            continue  # the library's own sources; a query can do nothing about them
        place = (int(line) - before, int(column))
        text = known.sentence(rule, message)
        place = _place(code, *place, rule, message)
        remark = remark_at(code, *place, text, _width(code, *place))
        (errors if known.would_raise(rule, message) else warnings).append(remark)
    return Typed(_each_once(errors), _each_once(warnings))


def _place(code: str, line: int, column: int, rule: str, message: str) -> tuple[int, int]:
    """Where the fault is: of an attribute its name, not the beginning of the expression."""
    names = NAMED.findall(message)
    lines = code.split("\n")
    if rule == "unresolved-attribute" and line <= len(lines):
        for name in names:
            if found := re.compile(rf"\.\s*({re.escape(name)})\b").search(
                lines[line - 1], column - 1
            ):
                return line, found.start(1) + 1
    return line, column


def _width(code: str, line: int, column: int) -> int:
    """How long the word is that begins there."""
    lines = code.split("\n")
    found = WORD.match(lines[line - 1], column - 1) if line <= len(lines) else None
    return len(found[0]) if found else 1


def _each_once(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    return tuple(sorted(set(remarks)))
