"""Run the same source under CPython and in the sandbox, and put both answers side by side."""

from __future__ import annotations

import ast
import dataclasses
import math
import textwrap
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from memory.library import reference
from memory.project.bundle import STATE_IMPORTS, without_project_imports
from memory.project.consistency import in_order_of_import
from memory.project.payload import check_payload
from memory.project.render import render_assignment, render_record
from memory.project.schema import Kind
from memory.project.shipped import baseline, library
from memory.project.tree import Project
from memory.sandbox import Feed, Instance, Limits, Program, SandboxError, run

CORPUS = Path(__file__).parent / "corpus"
TODAY = date(2026, 3, 1)
ROWS = reference.load().select(["amoxicillin", "penicillin", "ibuprofen", "NSAIDs"])
MODULES = (
    "import bisect, collections, copy, functools, itertools, json, math, re, unicodedata\n"
    "from dataclasses import dataclass, field\n"
)
SCHEMA = (CORPUS / "shopping_schema.txt").read_text(encoding="utf-8")
STATE: dict[str, list[dict[str, Any]]] = ast.literal_eval(
    (CORPUS / "state_records.txt").read_text(encoding="utf-8")
)


@cache
def project() -> Project:
    """The baseline and a domain with every type of field."""
    return Project({**baseline().files, "domains/shopping/schema.py": SCHEMA})


@cache
def state_source() -> str:
    """The records as source, read and rendered as an append does it."""
    return STATE_IMPORTS + "".join(_rendered(kind) for kind in project().kinds.values())


def _rendered(kind: Kind) -> str:
    records = []
    for number, data in enumerate(STATE.get(kind.full_name, [])):
        payload = check_payload(kind, "assert", None, data, fallback_id=f"f{number}-1")
        records.append((payload.record_id, render_record(kind, payload.record_id, payload.data)))
    return render_assignment(kind, [source for _, source in sorted(records)])


@cache
def prelude() -> str:
    """The library and the schemas in one piece, as the bundler joins them."""
    sources = [module.source for module in library().modules]
    domains = project().domains
    sources += [
        project().files[domains[name].path] for name in in_order_of_import(domains, domains)
    ]
    return "".join(map(without_project_imports, sources)) + MODULES


@cache
def _loaded() -> tuple[CodeType, CodeType]:
    return compiled(prelude()), compiled(state_source())


def compiled(source: str) -> CodeType:
    """The source as CPython alone sees it, without the flags of this file."""
    return compile(source, "case", "exec", dont_inherit=True)


def in_cpython(source: str) -> Any:
    """The value of the name `_outcomes` after the source has run."""
    names: dict[str, Any] = {"__name__": "case", "drug_rows": ROWS, "today": TODAY}
    for part in (*_loaded(), compiled(source)):
        exec(part, names)
    return names["_outcomes"]


def in_sandbox(source: str) -> Any:
    """The same in the sandbox. Raises SandboxError."""
    feeds = (
        Feed("prelude", prelude(), {"drug_rows": ROWS, "today": TODAY}),
        Feed("state", state_source()),
        Feed("cases", f"{source}_outcomes\n"),
    )
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    limits = Limits(
        total_seconds=60.0, feed_seconds=20.0, returned_items=200_000, returned_text=5_000_000
    )
    return run(Program(feeds, now=now), limits=limits).values[-1]


def script(bodies: Sequence[str]) -> str:
    """A script that runs each body as a function, and notes its value or its exception.

    What stands above a line `===` in a body stays outside the function: classes do.
    """
    parts = [body.strip().rpartition("\n===\n") for body in bodies]
    functions = [
        f"{top}\ndef _case_{number}():\n{textwrap.indent(body, '    ')}\n"
        for number, (top, _, body) in enumerate(parts)
    ]
    names = ", ".join(f"_case_{number}" for number in range(len(bodies)))
    return "".join(functions) + (
        f"_outcomes = []\nfor _case in [{names}]:\n"
        "    try:\n        _outcomes.append(('gave', _case()))\n"
        "    except Exception as _error:\n"
        "        _outcomes.append(('raised', type(_error).__name__))\n"
    )


def cpython_outcomes(bodies: Sequence[str]) -> list[Any]:
    """What CPython answers to each body; to one that it refuses, `("refused", ...)`."""
    return _outcomes(bodies, in_cpython, SyntaxError)


def sandbox_outcomes(bodies: Sequence[str]) -> list[Any]:
    """What the sandbox answers to each body."""
    return _outcomes(bodies, in_sandbox, SandboxError)


def _outcomes(
    bodies: Sequence[str], runner: Callable[[str], Any], refusal: type[Exception]
) -> list[Any]:
    """All at once, or in halves where some body ends the whole program."""
    try:
        return [normal(outcome) for outcome in runner(script(bodies))]
    except refusal as error:
        if len(bodies) == 1:
            return [("refused", type(error).__name__, str(error).splitlines()[0][:200])]
    middle = len(bodies) // 2
    first, second = bodies[:middle], bodies[middle:]
    return [*_outcomes(first, runner, refusal), *_outcomes(second, runner, refusal)]


def normal(value: Any) -> Any:
    """A value in a form in which equal means: the same type, sign, digits and order as well."""
    match value:
        case None | bool() | str() | bytes():
            return value
        case float():
            return ("float", "nan" if math.isnan(value) else repr(value))
        case deque():
            return ["list", *map(normal, value)]
        case list() | tuple():
            return [
                type(value).__name__ if type(value) in (list, tuple) else "tuple",
                *map(normal, value),
            ]
        case Counter() | defaultdict() | dict():
            return {"dict": [(normal(name), normal(part)) for name, part in value.items()]}
        case set() | frozenset():
            return {type(value).__name__: sorted(repr(normal(part)) for part in value)}
        case Instance():
            return {value.name: {name: normal(part) for name, part in value.attributes.items()}}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            type(value).__name__: {
                one.name: normal(getattr(value, one.name)) for one in dataclasses.fields(value)
            }
        }
    return (type(value).__name__, repr(value))


def expressions(name: str) -> list[str]:
    """The lines of a corpus file; a line of several values is as many expressions."""
    found: list[str] = []
    for line in (CORPUS / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            found += parts_of(line)
    return found


def parts_of(line: str) -> list[str]:
    """A line `a, b` as its expressions, unless one needs a name that another binds."""
    tree = ast.parse(line, mode="eval").body
    bound = any(isinstance(node, ast.NamedExpr) for node in ast.walk(tree))
    if (
        isinstance(tree, ast.Tuple)
        and len(tree.elts) > 1
        and not line.startswith("(")
        and not bound
    ):
        return [ast.get_source_segment(line, part) or "" for part in tree.elts]
    return [line]


def programs(name: str) -> list[str]:
    """The programs of a corpus file, which a line `---` parts."""
    return [
        part.strip("\n")
        for part in (CORPUS / name).read_text(encoding="utf-8").split("\n---\n")
        if part.strip()
    ]


def returning(sources: Iterable[str]) -> list[str]:
    """Expressions as bodies of functions."""
    return [f"return ({source})" if "\n" not in source else source for source in sources]
