"""What an answer may change, found by reading it: nothing of it has been run. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memory.checkpointer.structuring.answer import StructureAnswer
from memory.checkpointer.trials import rules_of
from memory.project.narrowing import narrowed
from memory.project.parsing import parse_python
from memory.project.policy.check import PLACES
from memory.project.schema import SchemaError, parse_domain
from memory.project.tree import Project

FACTS = re.compile(r"^[ \t]*Facts?: ([0-9]+(?:, ?[0-9]+)*)\.?[ \t]*$", re.MULTILINE)
FOREIGN = (
    "a project holds domains/<name>/schema.py, rules/<name>.py and tests/test_<name>.py only;"
    " state.py and manifest.py are written by machine"
)


@dataclass(frozen=True)
class Bounds:
    """What was given: the project to change, what ships, files that may change, facts and needs."""

    base: Project
    shipped: Project
    changeable: frozenset[str]
    facts: frozenset[int]
    needs: frozenset[int]


@dataclass
class Bounded:
    """The project that an answer makes of the base, and what is wrong with it, a line each."""

    project: Project
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def detail(self) -> str:
        """What changes, for the reviewer; tests that are not what they were are named apart."""
        kept = [one for one in (*self.changed, *self.removed) if one.startswith("tests/")]
        parts = (
            ("new", self.new),
            ("changed", self.changed),
            ("removed", self.removed),
            ("tests changed or removed", kept),
        )
        return "\n".join(f"{name}: {', '.join(paths)}" for name, paths in parts if paths)

    @property
    def changes(self) -> bool:
        """Whether anything differs from the base."""
        return bool(self.new or self.changed or self.removed)

    @property
    def written(self) -> list[str]:
        """The paths of new and changed files."""
        return [*self.new, *self.changed]

    @property
    def rules(self) -> list[str]:
        """The names of new and changed rules."""
        places = map(PLACES["rule"].fullmatch, self.written)
        return [found[1] for found in places if found]


def bounded(answer: StructureAnswer, bounds: Bounds) -> Bounded:
    """What an answer would change, and all that is wrong with that."""
    files = dict(bounds.base.files)
    done = Bounded(bounds.base)
    seen: set[str] = set()
    for one in answer.files:
        same = bounds.base.files.get(one.path) == one.source
        problem = "" if same else _place_problem(one.path, bounds)
        problem = problem or ("it occurs twice" if one.path in seen else "")
        seen.add(one.path)
        if problem:
            done.problems.append(f"{one.path}: {problem}")
        elif not same:
            (done.changed if one.path in files else done.new).append(one.path)
            files[one.path] = one.source
    for path in answer.removed:
        problem = _place_problem(path, bounds) or _removal_problem(path, bounds, seen)
        seen.add(path)
        if problem:
            done.problems.append(f"{path}: {problem}")
        else:
            done.removed.append(path)
            del files[path]
    done.project = Project(files)
    done.problems += _problems(done, answer, bounds)
    return done


def _place_problem(path: str, bounds: Bounds) -> str:
    """Why a file may not be given at a path; empty where it may."""
    role = next((name for name, place in PLACES.items() if place.fullmatch(path)), "")
    if not role:
        return FOREIGN
    if path not in bounds.base.files or path in bounds.changeable:
        return ""
    if role == "schema":
        names = sorted(one for one in bounds.changeable if one.startswith("domains/"))
        return f"you may change {', '.join(names) or 'none'}; else write a new domain"
    if path in bounds.shipped.files:
        return f"this {role} ships and stays as it is; write another one beside it"
    return f"this {role} is there and was not given to you to change; take another name"


def _removal_problem(path: str, bounds: Bounds, seen: set[str]) -> str:
    if path not in bounds.base.files:
        return "there is no such file to remove"
    if path in bounds.shipped.files:
        return "it ships and may not be removed"
    return "it is given and removed; do one of them" if path in seen else ""


def _problems(done: Bounded, answer: StructureAnswer, bounds: Bounds) -> Iterator[str]:
    yield from _of_needs(done, answer, bounds)
    for path in done.changed:
        if path in bounds.shipped.files:
            yield from _of_shipped_schema(path, done.project, bounds.base)
        elif path.startswith("tests/"):
            yield from _of_changed_test(path, done.project, bounds.base)
    for path in done.removed:
        if path.startswith("tests/"):
            yield from _of_removed_test(path, done.project, bounds.base)
    for name in done.rules:
        yield from _of_rule(name, done.project, bounds)


def _of_needs(done: Bounded, answer: StructureAnswer, bounds: Bounds) -> Iterator[str]:
    """Every need is met or said not to be, and what is met takes files and a summary."""
    without = {one.need for one in answer.cannot}
    if odd := sorted(without - bounds.needs):
        yield f"cannot: there is no need {odd[0]}"
    if bounds.needs <= without and done.changes:
        yield "cannot: it names every need, and yet there are files; do one of them"
    if not bounds.needs <= without and not done.changes:
        yield "files: nothing changes; write what the needs ask for, or say in cannot why not"
    if done.changes and not answer.summary.strip():
        yield "summary: say in two or three sentences what changes"


def _of_shipped_schema(path: str, project: Project, base: Project) -> Iterator[str]:
    domain = path.split("/")[1]
    try:
        after = parse_domain(domain, project.files[path])
    except SchemaError:
        return  # the policy says so
    for one in narrowed(base.domains[domain], after):
        where = f"{path}:{one.line}" if one.line else path
        yield f"{where}: {one.what} {one.fault}; {one.remedy}"


def _of_changed_test(path: str, project: Project, base: Project) -> Iterator[str]:
    before, after = (_asserts(one.files[path]) for one in (base, project))
    if after < before:
        yield f"{path}: it had {before} asserts and has {after}; keep what it asserted"


def _of_removed_test(path: str, project: Project, base: Project) -> Iterator[str]:
    for name in rules_of(base.files[path]):
        if f"rules/{name}.py" in project.files:
            yield f"{path}: it tests rules/{name}.py, which stays; keep it"


def _of_rule(name: str, project: Project, bounds: Bounds) -> Iterator[str]:
    path = f"rules/{name}.py"
    if not tests_of(name, project):
        yield f"{path}: no test imports from it; write tests/test_{name}.py"
    named = facts_named(project.files[path])
    before = facts_named(bounds.base.files.get(path, ""))
    if not named and bounds.facts:
        yield f"{path}:1: end the docstring with the facts it comes from: Facts: 1, 2."
    elif odd := sorted(named - bounds.facts - before):
        yield f"{path}:1: fact {odd[0]} is none of the facts that were given"


def tests_of(rule: str, project: Project) -> Mapping[str, str]:
    """The test files that import from a rule."""
    return {
        path: text
        for path, text in sorted(project.files.items())
        if path.startswith("tests/") and rule in _rules_in(text)
    }


def _rules_in(source: str) -> list[str]:
    try:
        return rules_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # the policy says so


def facts_named(source: str) -> frozenset[int]:
    """The facts that a rule's docstring names in a line of its own, `Facts: 12, 15.`"""
    tree = _parsed(source)
    doc = ast.get_docstring(tree) if tree else None
    lines = FACTS.findall(doc or "")
    return frozenset(int(one) for line in lines for one in line.split(","))


def _asserts(source: str) -> int:
    tree = _parsed(source)
    return sum(isinstance(node, ast.Assert) for node in ast.walk(tree)) if tree else 0


def _parsed(source: str) -> ast.Module | None:
    try:
        return parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # the policy says so
