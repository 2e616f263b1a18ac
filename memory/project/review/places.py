"""Where code says what it stands on: its kinds, fields and rules, and the facts that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memory.project.lines import split_lines
from memory.project.parsing import parse_python

FACTS = re.compile(r"\b[Ff]acts?:? (\d{1,9}(?:(?:, ?| and |, and )\d{1,9})*)\b")
NUMBER = re.compile(r"\d+")
SCHEMA = re.compile(r"domains/([^/]+)/schema\.py")
RULE = re.compile(r"rules/[^/]+\.py")
LONGEST = 1_000  # characters of a line; nobody names facts beyond


@dataclass(frozen=True)
class Place:
    """A line, counted from 1, and what begins there.

    A kind or field has the kind's full name; a rule, and a line that names facts, has their seq.
    """

    line: int
    what: Literal["kind", "field", "rule", "named"]
    kind: str = ""
    field: str = ""
    facts: tuple[int, ...] = ()


@lru_cache(maxsize=256)
def places(path: str, text: str) -> tuple[Place, ...]:
    """The places of a file in order of its lines; of what is no Python only the facts it names."""
    named = list(_named(text))
    found = [*named, *_declared(path, text, named)]
    return tuple(sorted(found, key=lambda place: place.line))


def _named(text: str) -> Iterator[Place]:
    for number, line in enumerate(split_lines(text), 1):
        groups = FACTS.findall(line[:LONGEST])
        if facts := [int(one) for group in groups for one in NUMBER.findall(group)]:
            yield Place(number, "named", facts=tuple(facts))


def _declared(path: str, text: str, named: list[Place]) -> Iterator[Place]:
    schema = SCHEMA.fullmatch(path)
    if not schema and not RULE.fullmatch(path):
        return
    try:
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # the policy says so
    if schema:
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                yield from _of_class(f"{schema[1]}.{node.name}", node)
    else:
        yield from _of_rule(tree, named)


def _of_class(kind: str, node: ast.ClassDef) -> Iterator[Place]:
    yield Place(node.lineno, "kind", kind)
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            yield Place(item.lineno, "field", kind, item.target.id)


def _of_rule(tree: ast.Module, named: list[Place]) -> Iterator[Place]:
    """The line of `check`, with the facts that the rule's docstring names."""
    first = tree.body[0] if tree.body and ast.get_docstring(tree) is not None else None
    end = (first.end_lineno or 0) if first else 0
    facts = tuple(dict.fromkeys(seq for one in named if one.line <= end for seq in one.facts))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "check":
            yield Place(node.lineno, "rule", facts=facts)
