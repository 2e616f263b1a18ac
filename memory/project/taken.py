"""The names a project's program uses already; all of it shares one flat namespace."""

from __future__ import annotations

import ast
import builtins
import keyword
from functools import cache, lru_cache

from memory.project import schema, shipped
from memory.project.field_types import IMPORTS
from memory.project.parsing import parse_python
from memory.project.tree import Project

# What the bundler hands in, and what every rule defines.
GIVEN = frozenset({"today", "drug_rows", "check", "timedelta", "timezone", "TYPE_CHECKING"})


@lru_cache(maxsize=512)
def top_names(source: str) -> frozenset[str]:
    """The names that a file defines or imports at its top."""
    names: set[str] = set()
    for node in parse_python(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {item.id for item in targets if isinstance(item, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name.split(".")[0] for alias in aliases}
    return frozenset(names)


@cache
def names_of_python() -> frozenset[str]:
    """Keywords, builtins, what schemas import, and what `uac` defines."""
    imported = frozenset().union(*IMPORTS.values())
    provided = frozenset().union(*(module.provides for module in shipped.library().modules))
    words = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *schema.SCALARS}
    return imported | provided | GIVEN | words


def taken_names(project: Project) -> set[str]:
    """Every name that a new class or collection may not have."""
    taken = set(names_of_python()) | set(project.collections)
    for path, source in project.files.items():
        if path.startswith(("domains/", "rules/")):
            taken |= top_names(source)
    return taken


def kind_name(name: str, project: Project) -> str:
    """The name under which a project has, or would have, the kind that an app calls `name`.

    That name itself, but where another file uses the class name: then `shop.Order` is
    `shop.ShopOrder`, so that an app need not know what there is beside its own kinds.
    """
    domain, _, class_name = name.partition(".")
    named = class_name[:1].isupper()
    if name in project.kinds or not named or class_name not in taken_names(project):
        return name
    return f"{domain}.{domain.title().replace('_', '')}{class_name}"
