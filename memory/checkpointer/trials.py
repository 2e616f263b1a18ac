"""Check the types of a project's files and run its tests, each file in a session of its own."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from pathlib import PurePosixPath
from typing import Any

from memory.project.bundle import STATE_IMPORTS, without_project_imports
from memory.project.consistency import in_order_of_import
from memory.project.kinds import Kind
from memory.project.library import Library, defined_names
from memory.project.parsing import parse_python
from memory.project.tree import Project
from memory.sandbox import CodeRaised, Feed, Limits, Prefix, Program, run

LIMITS = Limits(total_seconds=30.0, feed_seconds=5.0)
# What the type checker cannot see: the inputs of the first feed.
STUBS = (
    "from datetime import date\nfrom typing import Any\n"
    "today: date = date(2026, 1, 1)\ndrug_rows: list[dict[str, Any]] = []\n"
)


class TestFailed(ValueError):
    """A test of the project that did not pass; the message is what the sandbox showed."""

    __test__ = False  # the name is no invitation to pytest


def check_types(
    project: Project,
    library: Library,
    tables: Mapping[str, Any],
    today: date,
    known: Collection[str] = (),
) -> str:
    """Type-check every file over empty typed collections; how many files there were.

    `known` are the paths of rules and tests that need it no more. Raises SandboxError with the
    diagnostics.
    """
    base = _base_feeds(project, library, tables, today)
    units = {path: feeds for path, feeds in _units(project) if path not in known}
    for feeds in _together(units.values()) or [()]:
        run(_program((*base, *feeds), today), limits=LIMITS, type_check=True)
    count = len(project.schemas) + len(units)
    done = f"{count} files, by ty" if count != 1 else "1 file, by ty"
    return f"{done}; {len(known)} as shipped, checked with the app" if known else done


def _together(units: Iterable[tuple[Feed, ...]]) -> list[tuple[Feed, ...]]:
    """The units as few sessions, in none of which a name means two things but for `check`."""
    sessions: list[dict[str, Feed]] = []
    names: list[set[str]] = []
    for unit in units:
        for feeds, taken in zip(sessions, names, strict=True):
            own = {feed.name: feed for feed in unit if feed.name not in feeds}
            defined = _names_of(own.values())
            if not taken & defined:
                feeds |= own
                taken |= defined
                break
        else:
            sessions.append({feed.name: feed for feed in unit})
            names.append(_names_of(unit))
    return [tuple(feeds.values()) for feeds in sessions]


def _names_of(feeds: Iterable[Feed]) -> set[str]:
    """What files define; every rule defines its own `check`, which no other file may use."""
    return {name for feed in feeds for name in defined_names(parse_python(feed.code))} - {"check"}


@dataclass(frozen=True)
class Changed:
    """What runs after a file, by its path, to change what it defined; only these tests are run."""

    after: Mapping[str, str]
    tests: frozenset[str]


def check_tests(
    project: Project,
    library: Library,
    tables: Mapping[str, Any],
    today: date,
    changed: Changed | None = None,
) -> str:
    """Run every test file over no records; how many tests there were.

    Raises TestFailed with the first failure.
    """
    base = _base_feeds(project, library, tables, today)
    # Loaded once for all files: it is most of what a test takes
    said = f"{project.digest} {library.digest} {today} {dict(tables)!r}"
    prefix = Prefix(hashlib.sha256(said.encode()).hexdigest(), lambda: base)
    count = 0
    for path, feeds in _units(project):
        names = tests_in(project.files[path]) if path.startswith("tests/") else ()
        if changed is not None:
            names = names if path in changed.tests else ()
            feeds = tuple(more for one in feeds for more in _with_change(one, changed))
        if names:
            calls = "".join(f"{name}()\n" for name in names)
            feeds = (*feeds, Feed(f"the tests of {path}", calls))
            try:
                run(replace(_program(feeds, today), prefix=prefix), limits=LIMITS)
            except CodeRaised as error:
                raise TestFailed(error.display) from error
        count += len(names)
    return "no test" if not count else "1 test" if count == 1 else f"{count} tests"


def _with_change(feed: Feed, changed: Changed) -> tuple[Feed, ...]:
    code = changed.after.get(feed.name)
    return (feed,) if code is None else (feed, Feed(f"{feed.name} changed", code))


def tests_in(source: str) -> tuple[str, ...]:
    """The names of the test functions of a file, in order."""
    return tuple(
        node.name
        for node in parse_python(source).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def _base_feeds(
    project: Project, library: Library, tables: Mapping[str, Any], today: date
) -> tuple[Feed, ...]:
    uac = "".join(without_project_imports(one.source) for one in library.modules)
    domains = in_order_of_import(project.domains, project.domains)
    schemas = "".join(
        without_project_imports(project.files[project.domains[name].path]) for name in domains
    )
    state = STATE_IMPORTS + "".join(empty_collection(kind) for kind in project.kinds.values())
    return (
        Feed("uac", uac, {"today": today, **tables}),
        Feed("schemas", schemas),
        Feed("state", state),
    )


def empty_collection(kind: Kind) -> str:
    """A kind's collection with its type, and nothing in it."""
    if kind.singleton:
        return f"{kind.collection}: {kind.name} | None = None\n"
    return f"{kind.collection}: list[{kind.name}] = []\n"


def _units(project: Project) -> Iterator[tuple[str, tuple[Feed, ...]]]:
    """Each rule alone, and each test file with the rules that it imports from."""
    for path, source in sorted(project.files.items()):
        if path.startswith("rules/"):
            yield path, (_feed(path, source),)
        elif path.startswith("tests/"):
            rules = [f"rules/{name}.py" for name in rules_of(source)]
            above = [_feed(rule, project.files[rule]) for rule in rules if rule in project.files]
            yield path, (*above, _feed(path, source))


def rules_of(source: str) -> list[str]:
    """The names of the rules that a file imports from, in order."""
    modules = [
        PurePosixPath((node.module or "").replace(".", "/"))
        for node in ast.walk(parse_python(source))
        if isinstance(node, ast.ImportFrom)
    ]
    return list(dict.fromkeys(one.name for one in modules if one.parts[:1] == ("rules",)))


def _feed(path: str, source: str) -> Feed:
    return Feed(path, f"{without_project_imports(source)}\n")


def _program(feeds: tuple[Feed, ...], today: date) -> Program:
    return Program(feeds, now=datetime.combine(today, time.min, tzinfo=UTC), stubs=STUBS)
