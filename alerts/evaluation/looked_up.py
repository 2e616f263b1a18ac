"""The rows of the reference tables that rules may look up in a person's records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from alerts.evaluation.queries import RecordRow
from memory.library.reference import load
from memory.looked_up import named_in_source, rows_about
from memory.project.library import Library
from memory.project.tree import Project, Rule
from memory.sandbox import Encoded, encoded

NOTHING = encoded([])


def table_rows(
    project: Project, rules: Iterable[Rule], records: Iterable[RecordRow], library: Library
) -> Encoded:
    """The rows named in the records that rules with a use for tables read, or in such a rule."""
    looking = [rule for rule in rules if _looks_up(library, rule.uses)]
    if not looking:
        return NOTHING
    kinds = {kind for rule in looking for kind in _kinds(project, rule)}
    named = {named_in_source(rule.source) for rule in looking}
    named |= {_named_in_record(data) for kind, _, _, data, _ in records if kind in kinds}
    return rows_about(frozenset().union(*named))


def _kinds(project: Project, rule: Rule) -> Iterator[str]:
    reads = project.collections if rule.reads is None else rule.reads
    return (project.collections[name].full_name for name in reads)


@lru_cache(maxsize=256)
def _looks_up(library: Library, uses: frozenset[str]) -> bool:
    return any(module.reads_tables for module in library.that_provide(uses))


# A person's records are mostly the same from one evaluation to the next
@lru_cache(maxsize=16_384)
def _named_in_record(data: str) -> frozenset[str]:
    return load().named_in("\n".join(_texts(json.loads(data))))


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
