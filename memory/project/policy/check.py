"""Check the files of a project against the policy."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from memory.project.consistency import problems_between
from memory.project.kinds import Domain
from memory.project.library import Library
from memory.project.parsing import parse_python
from memory.project.policy.available import MODULES
from memory.project.policy.imports import Offered, check_imports
from memory.project.policy.iteration import check_iteration
from memory.project.policy.names import BUILT_IN, check_names, check_taken
from memory.project.policy.nodes import check_methods, check_nodes
from memory.project.policy.shapes import check_rule, check_test
from memory.project.policy.text import check_lines, check_text, parse, too_long
from memory.project.policy.violation import Violation
from memory.project.schema import SchemaError, parse_domain
from memory.project.tree import Project

PLACES = {
    "schema": re.compile(r"domains/([a-z][a-z0-9_]*)/schema\.py"),
    "rule": re.compile(r"rules/([a-z][a-z0-9_]*)\.py"),
    "test": re.compile(r"tests/(test_[a-z0-9_]+)\.py"),
}
QUERY = "query.py"
LONGEST_QUERY = 20_000
# What the program that loads the state has imported (bundle.STATE_IMPORTS), and its inputs.
STATE_NAMES = ("date", "datetime", "time", "timedelta", "timezone", "Decimal", "today")


def check(files: Mapping[str, str], library: Library) -> tuple[Violation, ...]:
    """Everything wrong with a project's files, in order of place; nothing when all is well."""
    if long := tuple(one for path, text in sorted(files.items()) for one in too_long(path, text)):
        return long
    domains: dict[str, Domain] = {}
    broken: list[Violation] = []
    for path, source in sorted(files.items()):
        match = PLACES["schema"].fullmatch(path)
        try:
            if match:
                domains[match[1]] = parse_domain(match[1], source)
        except SchemaError as error:
            broken.append(Violation(path, error.line or 1, error.column + 1, error.reason))
    found = [*broken, *_Checker(files, domains, library).of_files({one.path for one in broken})]
    return tuple(sorted(set(found)))


def check_query(source: str, project: Project, library: Library) -> tuple[Violation, ...]:
    """What is wrong with a query over a project's state, where everything is there unimported."""
    if long := too_long(QUERY, source, LONGEST_QUERY):
        return long
    checker = _Checker(project.files, project.domains, library)
    return tuple(sorted(set(checker.of_query(source))))


class _Checker:
    def __init__(
        self, files: Mapping[str, str], domains: Mapping[str, Domain], library: Library
    ) -> None:
        self.files, self.domains, self.library = files, domains, library
        self.reserved = self.names_taken()
        self.fields = frozenset().union(*(domain.field_names for domain in domains.values()))

    def collections(self, domain: Domain) -> frozenset[str]:
        return frozenset(kind.collection for kind in domain.kinds)

    def names_taken(self) -> dict[str, str]:
        """Names that mean something in the one namespace of a program."""
        taken = dict(_names_of(self.library))
        for domain in self.domains.values():
            taken |= dict.fromkeys(domain.classes, f"a class of domains/{domain.name}/schema.py")
            taken |= dict.fromkeys(self.collections(domain), f"a collection of {domain.name}")
        return taken

    def of_files(self, broken: set[str]) -> Iterator[Violation]:
        for path, line, reason in problems_between(self.domains):
            yield Violation(path, line, 1, reason)
        for path, source in self.files.items():
            role = next((role for role, place in PLACES.items() if place.fullmatch(path)), None)
            if role is None:
                places = "domains/<name>/schema.py, rules/<name>.py and tests/test_<name>.py"
                yield Violation(path, 1, 1, f"a project holds {places} only")
                continue
            yield from check_text(path, source)
            tree = _parsed(path, source)
            if isinstance(tree, ast.Module):
                yield from _by_itself(role, path, source)
                yield from self.among_others(role, path, tree)
            elif path not in broken:
                yield tree

    def among_others(self, role: str, path: str, tree: ast.Module) -> Iterator[Violation]:
        """What is wrong with a file in this project and might be right in another."""
        yield from check_imports(path, tree, self.offered(role, path))
        yield from check_methods(path, tree, self.fields)
        if role == "schema":
            yield from self.of_schema(path, tree)
        else:
            yield from check_taken(path, tree, self.reserved | self.names_of_rules(tree))

    def of_schema(self, path: str, tree: ast.Module) -> Iterator[Violation]:
        # Between domains `problems_between` looks.
        taken = _names_of(self.library)
        yield from check_taken(path, tree, taken)
        for domain in self.domains.values():
            for kind in domain.kinds if domain.path == path else ():
                name = kind.collection
                if name in taken or name in BUILT_IN or keyword.iskeyword(name) or name[0] == "_":
                    what = taken.get(name, "a name of Python")
                    reason = f"collection {name} is taken: it is {what}; choose another name"
                    yield Violation(path, domain.lines[kind.name], 1, reason)

    def offered(self, role: str, path: str) -> Offered:
        names = {"uac": self.library.exports}
        for domain in self.domains.values():
            if role != "schema" or domain.path != path:
                names[f"domains.{domain.name}.schema"] = domain.classes
            if role != "schema":
                names[f"domains.{domain.name}.state"] = self.collections(domain)
        if role == "test":
            names |= {f"rules.{name}": frozenset(bound) for name, bound in self.rule_names.items()}
        return Offered(names)

    @cached_property
    def rule_names(self) -> dict[str, set[str]]:
        """What each rule defines."""
        found = {}
        for path, source in self.files.items():
            match = PLACES["rule"].fullmatch(path)
            tree = _parsed(path, source) if match else None
            if match and isinstance(tree, ast.Module):
                found[match[1]] = _bound(tree)
        return found

    def names_of_rules(self, tree: ast.Module) -> dict[str, str]:
        """A test stands in one namespace with the rules it imports from."""
        rules = self.rule_names
        imported = {
            (node.module or "").removeprefix("rules.")
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rules.")
        }
        return {
            name: f"defined by rules/{rule}.py"
            for rule in sorted(imported & rules.keys())
            for name in rules[rule]
        }

    def of_query(self, source: str) -> Iterator[Violation]:
        yield from check_text(QUERY, source)
        tree = parse(QUERY, source)
        if isinstance(tree, Violation):
            yield tree
            return
        yield from check_imports(QUERY, tree, self.offered("query", QUERY))
        yield from check_nodes(QUERY, tree)
        yield from check_methods(QUERY, tree, self.fields)
        yield from check_iteration(QUERY, tree)
        given = {*self.library.exports, *STATE_NAMES}
        for domain in self.domains.values():
            given |= domain.classes | self.collections(domain)
        yield from check_taken(QUERY, tree, self.reserved)
        yield from check_names(QUERY, tree, source, given=given, once=False)


@lru_cache(maxsize=256)
def _parsed(path: str, source: str) -> ast.Module | Violation:
    return parse(path, source)


# Most files of a project are the same from one version to the next
@lru_cache(maxsize=256)
def _by_itself(role: str, path: str, source: str) -> tuple[Violation, ...]:
    """What is wrong with a file whatever stands beside it."""
    tree = _parsed(path, source)
    assert isinstance(tree, ast.Module)
    found = [*check_lines(path, tree), *check_nodes(path, tree), *check_names(path, tree, source)]
    if role != "schema":
        found += check_iteration(path, tree)
        found += check_rule(path, tree) if role == "rule" else check_test(path, tree)
    return tuple(found)


@lru_cache(maxsize=4)
def _names_of(library: Library) -> Mapping[str, str]:
    taken = {"today": "the argument of check", "drug_rows": "the reference table"}
    for module in library.modules:
        taken |= dict.fromkeys(_imported(module.source), "a name that uac imports")
    for name, members in MODULES.items():
        taken[name] = "a module"
        if name in ("datetime", "decimal", "dataclasses", "typing"):
            taken |= dict.fromkeys(members, f"a name of {name}")
    for module in library.modules:
        taken |= dict.fromkeys(module.provides, "a name of uac")
    return taken


def _bound(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {one.id for one in targets if isinstance(one, ast.Name)}
    return names


def _imported(source: str) -> set[str]:
    return {
        (alias.asname or alias.name).split(".")[0]
        for node in parse_python(source).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
