"""Kinds as a prompt shows them: fields, choices, and what the schema's comments say. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from memory.checkpointer.reading.relevance import score
from memory.project.kinds import Kind
from memory.project.tree import Project

COMMENT = re.compile(r"  # .*$")
USUAL = ("health", "people", "schedule", "commitments", "finance", "travel", "preferences")
ALWAYS = ("notes.Note", "people.Person")


@lru_cache(maxsize=64)
def kind_texts(project: Project) -> Mapping[str, str]:
    """Each kind as text: its name, key, docstring and fields, from the schema's own lines."""
    texts: dict[str, str] = {}
    for domain in project.domains.values():
        source = project.files[domain.path]
        classes = {
            node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)
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
    """Such as `dose?: str`; what may be left out has a question mark."""
    type_ = re.sub(r" \| None$", "", ast.unparse(node.annotation)).replace("'", '"')
    return f"{ast.unparse(node.target)}{'?' if node.value else ''}: {type_}"


def index(project: Project, counts: Mapping[str, int]) -> list[str]:
    """A line for each kind: name, key, how many records, the first sentence of what it is."""
    return [
        f"{kind.full_name} ({counts.get(kind.full_name, 0)}): {kind.doc.strip().splitlines()[0]}"
        if kind.doc.strip()
        else f"{kind.full_name} ({counts.get(kind.full_name, 0)})"
        for kind in project.kinds.values()
    ]


def ranked(project: Project, sought: Sequence[str], meant: Sequence[str]) -> list[str]:
    """The kinds, those first that matter: always notes and people, then of records that could be
    meant, then by the words of their schema, then the usual domains."""
    texts = kind_texts(project)

    def rank(name: str) -> tuple[bool, int, int]:
        domain = name.partition(".")[0]
        usual = USUAL.index(domain) if domain in USUAL else len(USUAL)
        points = score(sought, texts[name]) + (12 if name in meant else 0)
        return name not in ALWAYS, -points, usual

    return sorted(texts, key=rank)
