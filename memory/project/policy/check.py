"""Check the files of a project against the policy."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from memory.project.consistency import problems_between
from memory.project.kinds import Domain
from memory.project.library import Library
from memory.project.policy.available import MODULES
from memory.project.policy.imports import Offered, check_imports
from memory.project.policy.iteration import check_iteration
from memory.project.policy.names import BUILT_IN, check_names
from memory.project.policy.nodes import check_nodes
from memory.project.policy.shapes import check_rule, check_test
from memory.project.policy.text import check_lines, check_text, parse
from memory.project.policy.violation import Violation
from memory.project.schema import SchemaError, parse_domain

PLACES = {
    "schema": re.compile(r"domains/([a-z][a-z0-9_]*)/schema\.py"),
    "rule": re.compile(r"rules/([a-z][a-z0-9_]*)\.py"),
    "test": re.compile(r"tests/(test_[a-z0-9_]+)\.py"),
}
QUERY = "query.py"
# What the program that loads the state has imported (bundle.STATE_IMPORTS), and its inputs.
STATE_NAMES = ("date", "datetime", "time", "timedelta", "timezone", "Decimal", "today")


def check(files: Mapping[str, str], library: Library) -> tuple[Violation, ...]:
    """Everything wrong with a project's files, in order of place; nothing when all is well."""
    return tuple(sorted(set(_Project(files, library).violations())))


def check_query(source: str, files: Mapping[str, str], library: Library) -> tuple[Violation, ...]:
    """What is wrong with a query over a project's state, where everything is there unimported."""
    return tuple(sorted(set(_Project(files, library).of_query(source))))


class _Project:
    def __init__(self, files: Mapping[str, str], library: Library) -> None:
        self.files, self.library = files, library
        self.domains: dict[str, Domain] = {}
        self.broken: list[Violation] = []
        for path, source in sorted(files.items()):
            match = PLACES["schema"].fullmatch(path)
            if match:
                self.read_schema(path, match[1], source)
        self.reserved = self.names_taken()

    def read_schema(self, path: str, domain: str, source: str) -> None:
        try:
            self.domains[domain] = parse_domain(domain, source)
        except SchemaError as error:
            place = (error.line or 1, error.column + 1)
            self.broken.append(Violation(path, *place, error.reason))

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of all fields, nested ones included, as the schemas spell them."""
        names: set[str] = set()
        for domain in self.domains.values():
            for node in ast.walk(ast.parse(self.files[domain.path])):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    names.add(node.target.id)
        return frozenset(names)

    def collections(self, domain: Domain) -> frozenset[str]:
        return frozenset(kind.collection for kind in domain.kinds)

    def names_taken(self) -> dict[str, str]:
        """Names that mean something in the one namespace of a program."""
        taken = {"today": "the argument of check", "drug_rows": "the reference table"}
        for module in self.library.modules:
            taken |= dict.fromkeys(_imported(module.source), "a name that uac imports")
        for name, members in MODULES.items():
            taken[name] = "a module"
            if name in ("datetime", "decimal", "dataclasses", "typing"):
                taken |= dict.fromkeys(members, f"a name of {name}")
        for module in self.library.modules:
            taken |= dict.fromkeys(module.provides, "a name of uac")
        for domain in self.domains.values():
            taken |= dict.fromkeys(domain.classes, f"a class of domains/{domain.name}/schema.py")
            taken |= dict.fromkeys(self.collections(domain), f"a collection of {domain.name}")
        return taken

    def violations(self) -> Iterator[Violation]:
        yield from self.broken
        for path, line, reason in problems_between(self.domains):
            yield Violation(path, line, 1, reason)
        for path, source in self.files.items():
            role = next((role for role, place in PLACES.items() if place.fullmatch(path)), None)
            if role is None:
                places = "domains/<name>/schema.py, rules/<name>.py and tests/test_<name>.py"
                yield Violation(path, 1, 1, f"a project holds {places} only")
            else:
                yield from self.of_file(role, path, source)

    def of_file(self, role: str, path: str, source: str) -> Iterator[Violation]:
        yield from check_text(path, source)
        tree = parse(path, source)
        if isinstance(tree, Violation):
            if not any(one.path == path for one in self.broken):
                yield tree
            return
        yield from check_lines(path, tree)
        yield from check_imports(path, tree, self.offered(role, path))
        yield from check_nodes(path, tree, self.fields)
        if role == "schema":
            yield from self.of_schema(path, tree, source)
            return
        yield from check_iteration(path, tree)
        reserved = self.reserved | self.names_of_rules(tree)
        yield from check_names(path, tree, source, reserved=reserved)
        if role == "rule":
            yield from check_rule(path, tree)
        else:
            yield from check_test(path, tree)

    def of_schema(self, path: str, tree: ast.Module, source: str) -> Iterator[Violation]:
        own = next((one for one in self.domains.values() if one.path == path), None)
        yield from check_names(path, tree, source, reserved=self.taken_outside(own))
        for kind in own.kinds if own else ():
            name = kind.collection
            what = self.taken_outside(own).get(name)
            if what or name in BUILT_IN or keyword.iskeyword(name) or name.startswith("_"):
                reason = f"collection {name} is taken: it is {what or 'a name of Python'}"
                yield Violation(path, own.lines[kind.name] if own else 1, 1, reason)

    def taken_outside(self, own: Domain | None) -> dict[str, str]:
        """The names taken by others than this domain; between domains `problems_between` looks."""
        mine = {name for one in self.domains.values() for name in one.classes}
        mine |= {name for one in self.domains.values() for name in self.collections(one)}
        return {name: what for name, what in self.reserved.items() if name not in mine}

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
            tree = parse(path, source) if match else None
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
        yield from check_nodes(QUERY, tree, self.fields)
        yield from check_iteration(QUERY, tree)
        given = {*self.library.exports, *STATE_NAMES}
        for domain in self.domains.values():
            given |= domain.classes | self.collections(domain)
        yield from check_names(QUERY, tree, source, reserved=self.reserved, given=given)


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
        for node in ast.parse(source).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
