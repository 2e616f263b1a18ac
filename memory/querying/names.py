"""The names in a query: the collections it reads, and what was meant by an unknown one."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable
from typing import NamedTuple

from memory.project.kinds import Field, Kind
from memory.project.library import Library
from memory.project.policy.available import BUILTINS
from memory.project.policy.check import STATE_NAMES
from memory.project.tree import Project

CLOSE = 0.6


class Reads(NamedTuple):
    """What a query reads: collections in order of their names, and names of `uac`."""

    collections: tuple[str, ...]
    uses: frozenset[str]


def reads_of(tree: ast.Module, project: Project, library: Library) -> Reads:
    """The collections and names of `uac` that a query may read; perhaps more, never fewer.

    Without `globals`, `getattr` of a module and such, which the policy refuses, a collection is
    read by its name alone.
    """
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    read = names & project.collections.keys()
    return Reads(tuple(sorted(read)), frozenset(names & library.exports))


def known_names(project: Project, library: Library) -> set[str]:
    """Every name that is there in a query without an import."""
    return {
        *project.collections,
        *project.kinds_by_class,
        *library.exports,
        *STATE_NAMES,
        *BUILTINS,
    }


def meant(name: str, known: Iterable[str]) -> str:
    """`; did you mean trips?`, or nothing where no known name is near."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=CLOSE)
    if not near:  # perhaps in other letters
        by_fold = {one.casefold(): one for one in names}
        found = difflib.get_close_matches(name.casefold(), by_fold, n=1, cutoff=CLOSE)
        near = [by_fold[one] for one in found]
    return f"; did you mean {near[0]}?" if near else ""


def fields_called(name: str, kinds: Iterable[Kind]) -> list[tuple[Kind, Field]]:
    """The fields of that name, each with its kind."""
    return [(kind, field) for kind in kinds if (field := kind.field(name)) is not None]
