"""Render `manifest.py`, the compact index of a user project: same project, same bytes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from datetime import date
from typing import Any

from memory.project.parsing import parse_python
from memory.project.tree import Project

HEADER = '''"""What this project holds. Written from its files and records; not edited by hand."""
'''


def render_manifest(project: Project, counts: Mapping[str, int], *, today: date) -> str:
    """The index as Python: domains, kinds with collection, key and count, and rules.

    `counts` gives the number of records of each kind, `today` the person's local date they are
    from. Every text is a quoted literal, whatever stands in the docstrings.
    """
    domains = {
        domain: _first_line(_module_doc(project.files[f"domains/{domain}/schema.py"]))
        for domain in project.schemas
    }
    kinds = {
        name: {
            "collection": kind.collection,
            "key": kind.key,
            "records": counts.get(name, 0),
            "about": _first_line(kind.doc),
        }
        for name, kind in project.kinds.items()
    }
    rules = {
        name: {
            "reads": None if rule.reads is None else tuple(sorted(rule.reads)),
            "about": _first_line(rule.doc),
        }
        for name, rule in project.rules.items()
    }
    return (
        f"{HEADER}\nTODAY = {today.isoformat()!r}  # the person's local date\n"
        f"VERSION = {project.digest!r}  # of the code\n"
        f"{_mapping('DOMAINS', domains)}{_mapping('KINDS', kinds)}{_mapping('RULES', rules)}"
    )


def _mapping(name: str, entries: Mapping[str, Any]) -> str:
    if not entries:
        return f"\n{name} = {{}}\n"
    lines = "".join(f"    {key!r}: {value!r},\n" for key, value in entries.items())
    return f"\n{name} = {{\n{lines}}}\n"


def _module_doc(source: str) -> str:
    return ast.get_docstring(parse_python(source)) or ""


def _first_line(doc: str) -> str:
    return doc.strip().split("\n", 1)[0].strip()
