"""What no rule reads: fields of records that can say anything without an alert coming of it. Pure.

Told from the source alone, and in favour of the rules: a field counts as read where its name occurs
in a rule that takes in its collection, or in what that rule uses of `uac`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from memory.project.kinds import Choice, Field, Kind, Listing, Optional, Type
from memory.project.library import Library
from memory.project.parsing import parse_python
from memory.project.tree import Project, Rule

LIMITING_KINDS = re.compile(
    r"(ban|deadline|exception|limit|permission|policy|prohibition|requirement|restriction|rule)"
)
LIMITING = re.compile(
    r"(after|allowed|banned|before|cap|conditions?|deadline|due|except|expires|expiry|forbidden"
    r"|least|limits?|max|maximum|min|minimum|most|must|never|not|notice|only|permitted|prohibited"
    r"|required|requirement|requires|unless|within|without)"
)
"""Words that state a limit wherever they stand. `until` and `by` do not: a job lasted until May."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=64)
def unread_fields(project: Project, library: Library) -> Mapping[str, frozenset[str]]:
    """For each kind by its full name the fields that no rule reads, its id apart."""
    named = {rule: _attributes_of(rule, library) for rule in project.rules.values()}
    unread = {}
    for kind in project.kinds.values():
        touching = [rule for rule in named if rule.touched_by(frozenset({kind.collection}))]
        read = frozenset().union(*(named[rule] for rule in touching))
        unread[kind.full_name] = frozenset(field.name for field in kind.fields[1:]) - read
    return unread


def constraints_in(
    project: Project, library: Library, kind: str, data: Mapping[str, Any], *, asked: bool
) -> list[str]:
    """The fields of a reading's data that state a constraint nothing watches, as `kind.field`.

    Two of three tell so: no rule reads the field, it limits by its nature (`states_limit`), and
    whoever read the fact says that it takes a rule (`asked`). A rule may read a prohibition and
    still not know what "no calls after nine" forbids. A field that has its default states nothing.
    """
    declared = project.kinds.get(kind)
    if declared is None:
        return []
    unread = unread_fields(project, library)[kind]
    return [
        f"{kind}.{field.name}"
        for field in declared.fields[1:]
        if data.get(field.name) not in (None, field.initial)
        and (field.name in unread) + states_limit(declared, field) + asked >= 2
    ]


def states_limit(kind: Kind, field: Field) -> bool:
    """Whether a field limits or forbids, by the words of its kind, its name and its choices."""
    said = [field.name, *_choices(field.type)]
    return any(map(LIMITING_KINDS.fullmatch, _words(kind.name))) or any(
        LIMITING.fullmatch(word) for text in said for word in _words(text)
    )


def _choices(type_: Type) -> Iterator[str]:
    match type_:
        case Optional(item=item) | Listing(item=item):
            yield from _choices(item)
        case Choice(values=values):
            yield from (value for value in values if isinstance(value, str))


def _words(text: str) -> list[str]:
    """`SpendingLimit` and `spending_limit` are two words each."""
    return [word.lower() for word in WORD.findall(text)]


def _attributes_of(rule: Rule, library: Library) -> frozenset[str]:
    sources = [rule.source, *(module.source for module in library.that_provide(rule.uses))]
    return frozenset().union(*map(_attributes, sources))


@lru_cache(maxsize=1_024)
def _attributes(source: str) -> frozenset[str]:
    nodes = ast.walk(parse_python(source))
    return frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute))
