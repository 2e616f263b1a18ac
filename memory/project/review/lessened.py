"""What is promised less: fields that are gone or narrower, tests that are changed or gone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from memory.project.kinds import Domain
from memory.project.narrowing import narrowed
from memory.project.review.doubt import Doubt, parsed
from memory.project.review.touched import tests_of, touched_tests
from memory.project.review.tree import FileChange
from memory.project.schema import SchemaError, parse_domain

EMPTY = '"""Nothing."""\n'


def lessened_schema(change: FileChange) -> Iterator[Doubt]:
    """Kinds and fields of a schema that are gone, or that take less than they did."""
    name = change.path.split("/")[1]
    before, after = _domain(name, change.old or EMPTY), _domain(name, change.new or EMPTY)
    if before is None or after is None:
        return
    for one in narrowed(before, after):
        lost = f": {one.lost}" if one.lost else ""
        words = f"{one.what} {one.fault}{lost}"
        gone = change.status == "removed"
        yield Doubt("field", change.path, one.line or 1, words, gone=gone)


def _domain(name: str, source: str) -> Domain | None:
    try:
        return parse_domain(name, source)
    except SchemaError:
        return None  # such a proposal fails its checks


def lessened_tests(change: FileChange) -> Iterator[Doubt]:
    """Tests that are gone or not what they were; and what they share with one another."""
    before, after = parsed(change.old), parsed(change.new or EMPTY)
    if change.status == "added" or before is None or after is None:
        return
    for one in touched_tests(change):
        if one.status == "removed":
            yield Doubt("test", one.path, one.line, f"the test {one.name} is gone", gone=True)
        elif one.status == "changed":
            yield Doubt("test", one.path, one.line, f"the test {one.name} is changed")
    if change.status == "changed" and _shared(before) != _shared(after):
        yield Doubt("test", change.path, 1, "what its tests stand on is changed")


def _shared(tree: ast.Module) -> frozenset[str]:
    tests = tests_of(tree).values()
    return frozenset(ast.dump(node) for node in tree.body if node not in tests)
