"""Which files of a project have been checked with the app, and cannot have changed their meaning.

The shipped project is checked whole before the app is released. What a person's files leave as it
was needs no second look: the same text, over the same schemas, with no name in it that means
something else. In doubt a file counts as changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from memory.checkpointer.trials import rules_of
from memory.project.kinds import Domain
from memory.project.library import Library
from memory.project.tree import Project

WORD = re.compile(r"\w+")


def unchanged_files(project: Project, shipped: Project, library: Library) -> frozenset[str]:
    """The rules and tests whose types are those of the shipped project.

    `library` is that of both. Raises SchemaError.
    """
    names = changed_names(project, shipped)
    if any(module.provides & names for module in library.modules):
        return frozenset()
    rules = {path for path in project.files if path.startswith("rules/")}
    tests = {path for path in project.files if path.startswith("tests/")}
    same = {
        path
        for path in rules | tests
        if project.files[path] == shipped.files.get(path)
        and names.isdisjoint(WORD.findall(project.files[path]))
    }
    return frozenset(
        path for path in same if path in rules or same.issuperset(_imported(project.files[path]))
    )


def changed_names(project: Project, shipped: Project) -> frozenset[str]:
    """The classes and collections of the domains that differ, or that build on such a domain."""
    both = (project.domains, shipped.domains)
    changed = {
        name
        for name in both[0].keys() | both[1].keys()
        if _schema(project, name) != _schema(shipped, name)
    }
    while more := {name for one in both for name in _building_on(changed, one)} - changed:
        changed |= more
    return _names(one[name] for one in both for name in changed if name in one)


def _schema(project: Project, name: str) -> str | None:
    return project.files.get(f"domains/{name}/schema.py")


def _building_on(changed: Iterable[str], domains: Mapping[str, Domain]) -> Iterable[str]:
    """The domains that import from these, or refer to their records."""
    classes = {name for one in changed if one in domains for name in domains[one].classes}
    for name, domain in domains.items():
        taken = {other for _, other, _ in domain.imports} | {
            other for other, _ in domain.references
        }
        if taken & classes:
            yield name


def _names(domains: Iterable[Domain]) -> frozenset[str]:
    names: set[str] = set()
    for domain in domains:
        names |= domain.classes | {kind.collection for kind in domain.kinds}
    return frozenset(names)


def _imported(source: str) -> set[str]:
    return {f"rules/{name}.py" for name in rules_of(source)}
