"""Kinds as a prompt shows them: fields, choices, and what the schema's comments say. Pure."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from memory.checkpointer.reading.relevance import score
from memory.project.kinds import Kind
from memory.project.parsing import parse_python
from memory.project.tree import Project

COMMENT = re.compile(r"  # .*$")


@lru_cache(maxsize=64)
def kind_texts(project: Project) -> Mapping[str, str]:
    """Each kind as text: its name, key, docstring and fields, from the schema's own lines."""
    texts: dict[str, str] = {}
    for domain in project.domains.values():
        source = project.files[domain.path]
        classes = {
            node.name: node for node in parse_python(source).body if isinstance(node, ast.ClassDef)
        }
        lines = source.splitlines()
        for kind in domain.kinds:
            texts[kind.full_name] = _text(kind, classes, lines)
    return texts


def _text(kind: Kind, classes: Mapping[str, ast.ClassDef], lines: Sequence[str]) -> str:
    body = _fields(classes[kind.name], lines)
    nested = [
        f"where {name} is:\n{_fields(node, lines)}"
        for name, node in classes.items()
        if not any(isinstance(mark, ast.Call) for mark in node.decorator_list)
        and re.search(rf"\b{name}\b", body)
    ]
    key = "singleton" if kind.singleton else f"key {', '.join(kind.key) or 'none'}"
    doc = " ".join(kind.doc.split())
    return "\n".join([f"{kind.full_name} ({key}): {doc}", body, *nested])


def _fields(node: ast.ClassDef, lines: Sequence[str]) -> str:
    """A line for each field of a class, and the comments around them."""
    members = {one.lineno: one for one in node.body if isinstance(one, ast.AnnAssign)}
    ends = {one.end_lineno: one for one in members.values()}
    found = []
    for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        line = lines[number - 1]
        comment = COMMENT.search(line)
        if field := ends.get(number):
            if ast.unparse(field.target) != "id":
                found.append(f"  {_field(field)}{comment[0] if comment else ''}")
        elif line.strip().startswith("#"):
            found.append(f"  {line.strip()}")
    return "\n".join(found)


def _field(node: ast.AnnAssign) -> str:
    """Such as `per?: str = "day"`; what may be left out has a question mark, and its default."""
    type_ = re.sub(r" \| None$", "", ast.unparse(node.annotation)).replace("'", '"')
    given = node.value if isinstance(node.value, ast.Constant) else None
    default = json.dumps(given.value) if given and given.value is not None else ""
    name = f"{ast.unparse(node.target)}{'?' if node.value else ''}: {type_}"
    return f"{name} = {default}" if default else name


def outline(project: Project, counts: Mapping[str, int], name: str) -> str:
    """A kind in a line: name, how many records, the first sentence of what it is."""
    doc = project.kinds[name].doc.strip()
    return f"{name} ({counts.get(name, 0)}){': ' + doc.splitlines()[0] if doc else ''}"


def in_full(project: Project, counts: Mapping[str, int], name: str) -> str:
    """A kind with its fields, after how many records there are."""
    return f"{counts.get(name, 0)} of {kind_texts(project)[name]}"


def watching(project: Project, names: Collection[str], sought: Sequence[str]) -> list[str]:
    """The rules that read records of these kinds, a line each; the likeliest first."""
    collections = frozenset(project.kinds[name].collection for name in names)
    lines = [
        f"{rule.name}: {rule.doc.strip().splitlines()[0] if rule.doc.strip() else '(no words)'}"
        for rule in project.rules.values()
        if rule.touched_by(collections)
    ]
    return sorted(lines, key=lambda line: -score(sought, line))
