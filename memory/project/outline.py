"""What a proposal changes, in a few names: domains, kinds and rules. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memory.project.kinds import Kind
from memory.project.review.tree import FileChange, changed_files
from memory.project.schema import SchemaError, parse_domain

READS = re.compile(r"^\s*from domains\.(\w+)\.\w+ import", re.MULTILINE)

Named = list[list[str]]
"""`["added" | "changed" | "removed", name]`, in order of the names."""


def outline(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, list[str] | Named]:
    """`{"domains": [name], "kinds": Named, "rules": Named}` of what differs between two projects.

    `old` and `new` are texts by path; they need not be Python: a schema that cannot be read has no
    kinds. A domain is named where its schema differs, or a rule that reads it does.
    """
    domains: set[str] = set()
    kinds: Named = []
    rules: Named = []
    for change in changed_files(old, new):
        place = PurePosixPath(change.path)
        if place.name == "schema.py" and place.parts[0] == "domains":
            domains.add(place.parts[1])
            kinds += _kinds(place.parts[1], change)
        elif place.parts[0] == "rules":
            rules.append([change.status, place.stem])
            domains.update(READS.findall(change.new or change.old))
    return {"domains": sorted(domains), "kinds": kinds, "rules": rules}


def _kinds(domain: str, change: FileChange) -> Iterator[list[str]]:
    before, after = _declared(domain, change.old), _declared(domain, change.new)
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            yield ["added", name]
        elif name not in after:
            yield ["removed", name]
        elif before[name] != after[name]:
            yield ["changed", name]


def _declared(domain: str, source: str) -> Mapping[str, Kind]:
    try:
        return {kind.full_name: kind for kind in parse_domain(domain, source).kinds}
    except SchemaError:
        return {}
