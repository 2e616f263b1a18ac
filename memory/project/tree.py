"""A user project as data: its files, the kinds it declares, and the rules it holds."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath

from memory.project.consistency import ProjectError, check_names, in_order_of_import
from memory.project.kinds import Domain, Kind
from memory.project.library import defined_names
from memory.project.parsing import parse_python
from memory.project.schema import parse_domain

__all__ = ["Project", "ProjectError", "Rule", "parse_rule", "read_project"]


@dataclass(frozen=True)
class Rule:
    """A file of `rules/`: the collections it reads (None: perhaps all), what it uses of `uac`."""

    name: str
    source: str
    reads: frozenset[str] | None
    uses: frozenset[str]
    defines: frozenset[str]
    calls_check: bool
    doc: str

    def touched_by(self, collections: frozenset[str]) -> bool:
        """Whether a change of these collections may change what the rule says."""
        return self.reads is None or bool(self.reads & collections)


@dataclass(frozen=True, eq=False)
class Project:
    """Immutable files by path (`domains/health/schema.py`), and what they mean."""

    files: Mapping[str, str]

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every path and text, in hex; two projects with one digest are the same."""
        total = hashlib.sha256()
        for path, text in sorted(self.files.items()):
            for part in (path, text):
                raw = part.encode()
                total.update(f"{len(raw)}\n".encode() + raw)
        return total.hexdigest()

    @cached_property
    def domains(self) -> Mapping[str, Domain]:
        """What the schema of each domain declares."""
        paths = {PurePosixPath(path): text for path, text in sorted(self.files.items())}
        return {
            path.parts[1]: parse_domain(path.parts[1], text)
            for path, text in paths.items()
            if len(path.parts) == 3 and path.parts[0] == "domains" and path.name == "schema.py"
        }

    @cached_property
    def schemas(self) -> Mapping[str, tuple[Kind, ...]]:
        """The kinds of each domain."""
        return {name: domain.kinds for name, domain in self.domains.items()}

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind by its full name.

        Raises ProjectError where names are not unique, or a reference or an import leads nowhere.
        """
        check_names(self.domains)
        return {kind.full_name: kind for kinds in self.schemas.values() for kind in kinds}

    @cached_property
    def collections(self) -> Mapping[str, Kind]:
        """The kind kept in each collection."""
        return {kind.collection: kind for kind in self.kinds.values()}

    @cached_property
    def kinds_by_class(self) -> Mapping[str, Kind]:
        """The kind of each class name."""
        return {kind.name: kind for kind in self.kinds.values()}

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """The rules by name, in order of their names."""
        rules = {}
        for path, text in sorted(self.files.items()):
            place = PurePosixPath(path)
            if place.parent == PurePosixPath("rules") and place.stem != "__init__":
                rule = parse_rule(place.stem, text)
                rules[place.stem] = replace(rule, uses=rule.uses | self._uses_of_state(rule))
        return rules

    def _uses_of_state(self, rule: Rule) -> frozenset[str]:
        """What the schemas and the records that a rule's program loads use of `uac`."""
        read = self.collections if rule.reads is None else rule.reads
        read_domains = {self.collections[name].domain for name in read if name in self.collections}
        loaded = in_order_of_import(read_domains, self.domains)
        return frozenset().union(*(self.domains[name].uses for name in loaded))


@lru_cache(maxsize=256)
def may_share(project: Project, alone: frozenset[str]) -> bool:
    """Whether the rules that are not alone can be loaded together without mistaking each other.

    Each must define `check`, and none may call it: it would be another's. No other name may be
    defined twice.
    """
    seen: set[str] = set()
    for rule in project.rules.values():
        if rule.name in alone:
            continue
        names = rule.defines - {"check"}
        if seen & names or rule.calls_check or "check" not in rule.defines:
            return False
        seen |= names
    return True


@lru_cache(maxsize=2_048)
def parse_rule(name: str, source: str) -> Rule:
    """A rule's collections, learned from its imports of `domains.<domain>.state`."""
    tree = parse_python(source)
    nodes = list(ast.walk(tree))
    reads: set[str] = set()
    uses: set[str] = set()
    resolved = True
    for node in nodes:
        if isinstance(node, ast.Import):
            resolved &= not any(alias.name.startswith("domains") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "uac":
            uses |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("domains"):
            parts = (node.module or "").split(".")
            if len(parts) == 3 and parts[2] == "state":
                reads |= {alias.name for alias in node.names}
            elif parts[-1] != "schema":
                resolved = False
    if "*" in reads:
        resolved = False
    doc = ast.get_docstring(tree) or ""
    return Rule(
        name=name,
        source=source,
        reads=frozenset(reads) if resolved else None,
        uses=frozenset(uses),
        defines=defined_names(tree),
        calls_check=any(isinstance(node, ast.Name) and node.id == "check" for node in nodes),
        doc=doc,
    )


def read_project(folder: Path) -> Project:
    """The Python files below a folder, as a project."""
    return Project(
        {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(folder.rglob("*.py"))
            if "__pycache__" not in path.parts
        }
    )
