"""Change the fields of a class in the source of a schema, and leave all else as it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from memory.project.field_types import IMPORTS
from memory.project.inferred import field_lines
from memory.project.kinds import Field
from memory.project.lines import split_lines
from memory.project.parsing import parse_python
from memory.project.taken import top_names


def with_fields(
    source: str,
    class_name: str,
    *,
    before: Sequence[Field],
    after: Sequence[Field],
    renames: Mapping[str, str],
) -> str:
    """The source with the class's fields as they are in `after`, those with a default last.

    A field that is the same before and after keeps its lines, comments included. `renames` gives
    the field of each JSON name that is called otherwise, for the comments of new ones. Raises
    ValueError for a class that is written on one line.
    """
    node = class_of(source, class_name)
    items = [item for item in node.body if isinstance(item, ast.AnnAssign)]
    if not items or items[0].lineno == node.lineno:
        raise ValueError(f"{class_name} has no line for each field")
    lines = split_lines(source)
    start, end = _end_before(node, items[0]), items[-1].end_lineno or items[-1].lineno
    same = {field.name: field for field in before}
    chunks = {_name(item): _chunk(lines, node, item) for item in items}
    blank, chunks[_name(items[0])] = _leading_blank(chunks[_name(items[0])])
    written = [
        chunks[field.name]
        if same.get(field.name) == field
        else _rewritten(field, chunks.get(field.name), items, renames)
        for field in sorted(after, key=lambda field: not field.required)
    ]
    return "".join([*lines[:start], blank, *written, *lines[end:]])


def class_of(source: str, class_name: str) -> ast.ClassDef:
    """The statement that declares a class. Raises ValueError where there is none."""
    for node in parse_python(source).body:
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return node
    raise ValueError(f"there is no class {class_name}")


def _name(item: ast.AnnAssign) -> str:
    return item.target.id if isinstance(item.target, ast.Name) else ""


def _end_before(node: ast.ClassDef, item: ast.stmt) -> int:
    """The number of the last line that belongs to what stands above a statement of the class."""
    place = node.body.index(item)
    above = node.body[place - 1] if place else None
    return (above.end_lineno or above.lineno) if above else node.lineno


def _chunk(lines: Sequence[str], node: ast.ClassDef, item: ast.AnnAssign) -> str:
    """A field's lines with the comments above it."""
    return "".join(lines[_end_before(node, item) : item.end_lineno])


def _leading_blank(chunk: str) -> tuple[str, str]:
    rest = chunk.lstrip("\r\n")
    return chunk[: len(chunk) - len(rest)], rest


def _rewritten(
    field: Field,
    chunk: str | None,
    items: Sequence[ast.AnnAssign],
    renames: Mapping[str, str],
) -> str:
    if chunk is None:
        json_names = {old: new for old, new in renames.items() if new == field.name}
        return f"{field_lines([field], json_names)[0]}\n"
    item = next(item for item in items if _name(item) == field.name)
    lines = split_lines(chunk)
    above = lines[: len(lines) - ((item.end_lineno or item.lineno) - item.lineno + 1)]
    rest = lines[-1].encode()[item.end_col_offset :].decode().rstrip()
    return "".join([*above, field_lines([field], {})[0], rest, "\n"])


def with_classes(source: str, class_name: str, classes: Iterable[str]) -> str:
    """The source with new classes above one that needs them."""
    node = class_of(source, class_name)
    first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
    lines = split_lines(source)
    new = "".join(f"{text}\n\n" for text in classes)
    return "".join([*lines[: first - 1], new, *lines[first - 1 :]])


def with_imports(source: str, names: Iterable[str]) -> str:
    """The source with these names of `IMPORTS` imported above its first class."""
    missing = set(names) - top_names(source)
    for module, offered in sorted(IMPORTS.items()):
        if wanted := missing & offered:
            source = _with_import(source, module, wanted)
    return source


def _with_import(source: str, module: str, wanted: set[str]) -> str:
    lines = split_lines(source)
    place = 0
    for node in parse_python(source).body:
        if isinstance(node, ast.ClassDef):
            break
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.ImportFrom) and node.module == module:
            names = sorted({*wanted, *(alias.name for alias in node.names)})
            line = f"from {module} import {', '.join(names)}\n"
            return "".join([*lines[: node.lineno - 1], line, *lines[last:]])
        if not isinstance(node, ast.ImportFrom) or (node.module or "") < module:
            place = last
    gap = "" if place and lines[place - 1].startswith("from ") else "\n"
    line = f"from {module} import {', '.join(sorted(wanted))}\n"
    return "".join([*lines[:place], gap, line, *lines[place:]])
