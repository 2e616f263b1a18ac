"""Imports: which a file may have, and what they bring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from memory.project.policy.available import BUILTINS, MODULES, ONLY_FROM
from memory.project.policy.violation import Violation, at

BESIDE = ("domains", "rules", "tests", "uac")


@dataclass(frozen=True)
class Offered:
    """What a file may import from the project: names by module (`domains.health.state`)."""

    names: dict[str, frozenset[str]]


def check_imports(path: str, tree: ast.Module, offered: Offered) -> Iterator[Violation]:
    """Every import of a file, wherever it stands."""
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if id(node) not in top:
                yield at(path, node, "an import stands at the top of the file")
            found = _of_import(node) if isinstance(node, ast.Import) else _of_from(node, offered)
            for reason in found:
                yield at(path, node, reason)
    yield from _members(path, tree)


def _members(path: str, tree: ast.Module) -> Iterator[Violation]:
    """What is taken from a module by a dot: `math.sqrt`."""
    modules = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in MODULES
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in modules:
                if name not in MODULES[module]:
                    yield at(path, node, _differs(module, name))


def _of_import(node: ast.Import) -> Iterator[str]:
    for alias in node.names:
        name = alias.name
        if name.split(".")[0] in BESIDE:
            yield f"write from {name} import the names you need"
        elif name not in MODULES:
            yield _not_available(name)
        elif name in ONLY_FROM:
            yield f"write from {name} import the names you need; {name} may mean a class too"
        elif alias.asname:
            yield f"{name} may not be renamed; import it as it is"


def _of_from(node: ast.ImportFrom, offered: Offered) -> Iterator[str]:
    module = node.module or ""
    if node.level:
        yield "a relative import has no meaning here; write the whole path"
        return
    if module == "__future__":
        yield "from __future__ is not available; remove it"
        return
    for alias in node.names:
        if alias.name == "*":
            yield f"name what you need of {module} instead of *"
        elif alias.asname:
            yield f"{alias.name} may not be renamed; import it as it is"
        elif module.split(".")[0] in BESIDE:
            yield from _of_project(module, alias.name, offered)
        elif module not in MODULES:
            yield _not_available(module)
        elif alias.name not in MODULES[module]:
            yield _differs(module, alias.name)
        elif alias.name in BUILTINS or alias.name in MODULES.keys() - ONLY_FROM:
            yield f"{alias.name} would hide a name of Python; import {module} instead"


def _modules(offered: Offered) -> str:
    """What may be imported from, in few words: `domains.<health|travel>.schema, uac`."""
    parts = [name.split(".") for name in sorted(offered.names)]
    domains = "|".join(dict.fromkeys(part[1] for part in parts if part[0] == "domains"))
    ends = dict.fromkeys(part[2] for part in parts if part[0] == "domains")
    others = [".".join(part) for part in parts if part[0] != "domains"]
    return ", ".join([*(f"domains.<{domains}>.{end}" for end in ends), *others]) or "nothing"


def _of_project(module: str, name: str, offered: Offered) -> Iterator[str]:
    names = offered.names.get(module)
    if names is None:
        yield f"{module} may not be imported here; a file may import from: {_modules(offered)}"
    elif name not in names:
        yield f"there is no {name} in {module}; it has: {', '.join(sorted(names))[:300]}"


def _differs(module: str, name: str) -> str:
    return f"{module}.{name} is not available, or gives another answer here; do without it"


def _not_available(module: str) -> str:
    hint = {
        "statistics": "; uac has mean, median and stdev",
        "calendar": "; uac has add_months, week_key and month_key",
        "zoneinfo": "; use timezone(timedelta(hours=...))",
        "enum": "; use Literal",
        "collections.abc": "; typing has Iterable, Iterator, Mapping and Sequence",
        "random": "; a rule gives the same answer every time",
        "time": "; use the argument today",
        "pytest": "; a test is a function with asserts",
    }.get(module, "; do without it")
    return f"module {module} is not available{hint}"
