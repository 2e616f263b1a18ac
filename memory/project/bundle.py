"""Put a project, a person's records and a date together as a program for the sandbox.

Everything shares one flat namespace, so the imports between the project's files (and of `uac`) are
dropped; a blank line stands in for each, so that line numbers still point into the file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Any

from memory.project.consistency import in_order_of_import
from memory.project.library import Library
from memory.project.parsing import parse_python
from memory.project.render import render_collection, render_singleton
from memory.project.schema import Kind
from memory.project.tree import Project, Rule
from memory.sandbox import Feed, Prefix, Program

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
    for node in ast.walk(parse_python(source)):
        if isinstance(node, ast.ImportFrom) and _inner(node):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return "\n".join(lines).removesuffix("\n") + "\n"


def _inner(node: ast.ImportFrom) -> bool:
    return bool(node.level) or (node.module or "").split(".")[0] in DROPPED


@dataclass(frozen=True)
class Situation:
    """What a run of rules depends on besides the code: the records, the date, the table rows."""

    state: StateSlice
    today: date
    tables: Mapping[str, Any]

    @property
    def inputs(self) -> dict[str, Any]:
        """The globals that the state is loaded with."""
        return {"today": self.today, **self.tables}

    @property
    def clock(self) -> datetime:
        """When the sandbox's clock stands still: at the start of the person's date.

        Without a time of day, what runs on one date says the same all day long.
        """
        return datetime.combine(self.today, time.min, tzinfo=UTC)


def shared_program(
    project: Project,
    library: Library,
    rules: Sequence[Rule],
    given: Situation,
    *,
    one_by_one: bool = False,
) -> Program:
    """A program in which rules share a session; only for rules that are the app's own code.

    Their code comes first and is the same for everybody, so that a worker has it ready. The value
    of the last feed is the list of what each rule's `check(today)` returned. With `one_by_one` each
    rule is a feed of its own at the end, with that value: slower, but a failure has a name.
    """
    kinds = [project.collections[name] for name in given.state.collections]
    state = _state_feeds(kinds, given.state, imports="")
    state[0] = replace(state[0], inputs=given.inputs)
    calls = [Feed(f"check {rule.name}", f"{_checks(rule)}(today)\n") for rule in rules]
    if not one_by_one:
        every = ", ".join(f"{_checks(rule)}(today)" for rule in rules)
        state[-1] = replace(state[-1], code=f"{state[-1].code}[{every}]\n")
        calls = []
    key = f"{project.digest} {library.digest} {' '.join(rule.name for rule in rules)}"
    prefix = Prefix(key, lambda: _code_feeds(project, library, rules, kinds), personal=False)
    return Program((*state, *calls), now=given.clock, prefix=prefix)


def _code_feeds(
    project: Project, library: Library, rules: Iterable[Rule], kinds: Iterable[Kind]
) -> tuple[Feed, ...]:
    modules = library.that_provide(frozenset().union(*(rule.uses for rule in rules)))
    return (
        Feed("imports", STATE_IMPORTS),
        Feed("uac", "".join(without_project_imports(one.source) for one in modules)),
        Feed("schemas", "".join(schema_sources(project, kinds))),
        *(
            Feed(
                f"rules/{rule.name}.py",
                f"{without_project_imports(rule.source)}\n{_checks(rule)} = check\n",
            )
            for rule in rules
        ),
    )


def _checks(rule: Rule) -> str:
    return f"_uac_check_{rule.name}"


def rule_program(project: Project, library: Library, rule: Rule, given: Situation) -> Program:
    """A program in which one rule is alone with the modules and records that it reads.

    The last feed is the rule, with the value `check(today)`.
    """
    kinds = [project.collections[name] for name in given.state.collections]
    modules = [module.source for module in library.that_provide(rule.uses)]
    prelude = "".join([*map(without_project_imports, modules), *schema_sources(project, kinds)])
    feeds = [
        Feed("schemas", prelude, given.inputs),
        *_state_feeds(kinds, given.state),
        Feed(f"rules/{rule.name}.py", f"{without_project_imports(rule.source)}\ncheck(today)\n"),
    ]
    return Program(tuple(feeds), now=given.clock)


def schema_sources(project: Project, kinds: Iterable[Kind]) -> list[str]:
    """The schemas that declare these kinds, as a program has them, each after what it imports."""
    domains = in_order_of_import({kind.domain for kind in kinds}, project.domains)
    return [without_project_imports(project.files[project.domains[name].path]) for name in domains]


def query_feeds(project: Project, library: Library, given: Situation) -> tuple[Feed, ...]:
    """What stands before a query: all of `uac`, every schema, and the records that are given."""
    kinds = [project.collections[name] for name in given.state.collections]
    state = _state_feeds(kinds, given.state)
    state[0] = replace(state[0], inputs=given.inputs)
    return (
        Feed("uac", "".join(without_project_imports(one.source) for one in library.modules)),
        Feed("schemas", "".join(schema_sources(project, project.collections.values()))),
        *state,
    )


def _state_feeds(
    kinds: Iterable[Kind], state: StateSlice, imports: str = STATE_IMPORTS
) -> list[Feed]:
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
    # At least one feed, for the inputs, even where no collection is read.
    return [Feed("state", imports + text) for text in chunks if text or len(chunks) == 1]


def _assignments(kind: Kind, sources: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The statements that fill a collection, each with the number of records in it."""
    if kind.singleton:
        yield render_singleton(kind.collection, sources), len(sources)
        return
    for start in range(0, max(len(sources), 1), RECORDS_A_FEED):
        part = sources[start : start + RECORDS_A_FEED]
        text = render_collection(kind.collection, part)
        yield (text.replace(" = [", " += [", 1) if start else text), len(part)
