"""Put a project, a person's records and a date together as a program for the sandbox.

Everything shares one flat namespace, so the imports between the project's files (and of `uac`) are
dropped; a blank line stands in for each, so that line numbers still point into the file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from memory.project.consistency import in_order_of_import
from memory.project.render import render_collection, render_singleton
from memory.project.schema import Kind
from memory.project.tree import Project, Rule
from memory.sandbox import Feed, Program

DROPPED = ("uac", "domains", "rules")
RECORDS_A_FEED = 2_000
LINE_END = re.compile(r"\r\n|\r|\n")
STATE_IMPORTS = (
    "from datetime import date, datetime, time, timedelta, timezone\nfrom decimal import Decimal\n"
)


@dataclass(frozen=True)
class StateSlice:
    """The records a program needs: each collection's rendered records, in order of their ids."""

    collections: Mapping[str, Sequence[str]]

    @property
    def size(self) -> int:
        """How many records there are."""
        return sum(len(sources) for sources in self.collections.values())


@lru_cache(maxsize=1_024)
def without_project_imports(source: str) -> str:
    """The source with each import of a project's file (or of `uac`) turned into blank lines."""
    # As Python counts lines: unlike `splitlines`, not at a form feed or U+2028 within a text.
    lines = LINE_END.split(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and _inner(node):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return "\n".join(lines).removesuffix("\n") + "\n"


def _inner(node: ast.ImportFrom) -> bool:
    return bool(node.level) or (node.module or "").split(".")[0] in DROPPED


def rule_program(
    project: Project,
    library: Sequence[str],
    state: StateSlice,
    rules: Iterable[Rule],
    *,
    today: date,
    now: datetime,
    tables: Mapping[str, Any],
) -> Program:
    """A program that loads `state` and runs each rule in turn; a rule is a feed of its own.

    The last feeds are the rules, in the order given, each with the value `check(today)`.
    """
    kinds = [project.collections[name] for name in state.collections]
    prelude = "".join([*map(without_project_imports, library), *_schemas(project, kinds)])
    feeds = [Feed("schemas", prelude, {"today": today, **tables})]
    feeds += _state_feeds(kinds, state)
    feeds += [
        Feed(f"rules/{rule.name}.py", f"{without_project_imports(rule.source)}\ncheck(today)\n")
        for rule in rules
    ]
    return Program(tuple(feeds), now=now)


def _schemas(project: Project, kinds: Iterable[Kind]) -> list[str]:
    domains = in_order_of_import({kind.domain for kind in kinds}, project.domains)
    return [without_project_imports(project.files[project.domains[name].path]) for name in domains]


def _state_feeds(kinds: Iterable[Kind], state: StateSlice) -> list[Feed]:
    chunks: list[str] = []
    lines: list[str] = []
    count = 0
    for kind in sorted(kinds, key=lambda kind: kind.collection):
        sources = state.collections[kind.collection]
        for text, size in _assignments(kind, sources):
            lines.append(text)
            count += size
            if count >= RECORDS_A_FEED:
                chunks.append("".join(lines))
                lines, count = [], 0
    chunks.append("".join(lines))
    return [Feed("state", STATE_IMPORTS + text) for text in chunks if text]


def _assignments(kind: Kind, sources: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The statements that fill a collection, each with the number of records in it."""
    if kind.singleton:
        yield render_singleton(kind.collection, sources), len(sources)
        return
    for start in range(0, max(len(sources), 1), RECORDS_A_FEED):
        part = sources[start : start + RECORDS_A_FEED]
        text = render_collection(kind.collection, part)
        yield (text.replace(" = [", " += [", 1) if start else text), len(part)
