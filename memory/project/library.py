"""The `uac` package as modules, so that a program gets those it uses and no more.

Parsing the whole package costs the sandbox two milliseconds; most rules need a fifth of it.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from memory.project.parsing import parse_python

ALWAYS = "kind"  # every schema uses it


def defined_names(tree: ast.Module) -> frozenset[str]:
    """The names that a file defines at its top level, imports apart."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {item.id for item in node.targets if isinstance(item, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return frozenset(names)


@dataclass(frozen=True)
class Module:
    """One file: the names it defines, the modules it imports from, and whether it reads tables."""

    name: str
    source: str
    needs: frozenset[str]

    @cached_property
    def provides(self) -> frozenset[str]:
        """The names at its top level."""
        return defined_names(parse_python(self.source))

    @property
    def reads_tables(self) -> bool:
        """Whether it needs the rows of the reference tables as input."""
        return "_tables" in self.needs


@dataclass(frozen=True)
class Library:
    """The modules in the order in which they may be joined, and the names they offer together."""

    modules: tuple[Module, ...]
    exports: frozenset[str] = frozenset()

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the modules' sources, in hex."""
        total = hashlib.sha256()
        for module in self.modules:
            total.update(hashlib.sha256(module.source.encode()).digest())
        return total.hexdigest()

    def that_provide(self, names: Iterable[str]) -> tuple[Module, ...]:
        """The modules that define these names, and those they build on, in order."""
        wanted = set(names) | {ALWAYS}
        found = {module.name for module in self.modules if module.provides & wanted}
        for module in reversed(self.modules):  # a module builds only on those before it
            if module.name in found:
                found |= module.needs
        return tuple(module for module in self.modules if module.name in found)


def read_library(package: Path) -> Library:
    """The package's files, in the order in which its `__init__` imports them.

    Files whose name starts with an underscore are for plain CPython only: the sandbox gets what
    they hold as input.
    """
    front = (package / "__init__.py").read_text(encoding="utf-8")
    order = _relative_imports(front)
    modules = []
    for name in order:
        source = (package / f"{name}.py").read_text(encoding="utf-8")
        modules.append(Module(name, source, frozenset(_relative_imports(source))))
    return Library(tuple(modules), _names_offered(front))


def _names_offered(source: str) -> frozenset[str]:
    nodes = [node for node in parse_python(source).body if isinstance(node, ast.ImportFrom)]
    return frozenset(alias.name for node in nodes if node.level for alias in node.names)


def _relative_imports(source: str) -> list[str]:
    nodes = [node for node in parse_python(source).body if isinstance(node, ast.ImportFrom)]
    return list(dict.fromkeys(node.module for node in nodes if node.level and node.module))
