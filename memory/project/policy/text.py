"""The text of a file before it is parsed, and its parsing as Python 3.11."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from memory.project.parsing import parse_python
from memory.project.policy.violation import Violation, at

LONGEST = 200_000
DEEPEST = 150
# Characters that hide text, turn it around or end a line for some readers only.
HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)


def too_long(path: str, source: str, limit: int = LONGEST) -> tuple[Violation, ...]:
    """Whether there is more than anybody reviews; nothing else is then looked at."""
    if len(source) <= limit:
        return ()
    return (Violation(path, 1, 1, f"this is longer than {limit:,} characters; split it"),)


def check_text(path: str, source: str) -> Iterator[Violation]:
    """Characters that mislead a reader."""
    for number, line in enumerate(source.split("\n"), start=1):
        found = HIDDEN.search(line)
        if found:
            code = ord(found[0])
            escape = f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
            reason = f"U+{code:04X} cannot be seen; in a text write {escape}, elsewhere remove it"
            yield Violation(path, number, found.start() + 1, reason)


def parse(path: str, source: str) -> ast.Module | Violation:
    """The tree of a file, or why it is not Python 3.11. Nothing is executed."""
    try:
        tree = parse_python(source)
        # The compiler refuses more: a return outside a function, an argument named twice.
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        return Violation(path, line, column, f"not Python 3.11: {error.msg}")
    except (RecursionError, MemoryError):
        return Violation(path, 1, 1, "the code is nested too deeply; use more functions")
    except (ValueError, OverflowError) as error:
        return Violation(path, 1, 1, f"not Python 3.11: {error}")
    if _depth(tree) > DEEPEST:
        return Violation(path, 1, 1, "the code is nested too deeply; use more functions")
    return tree


def _depth(tree: ast.Module) -> int:
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]  # type: ignore[misc]
    return depth


def check_lines(path: str, tree: ast.Module) -> Iterator[Violation]:
    """One statement a line: what is dropped for the sandbox is dropped by lines."""
    for node in ast.walk(tree):
        for part in ("body", "orelse", "finalbody"):
            block = getattr(node, part, None)
            if isinstance(block, list):
                yield from _crowded(path, block)


def _crowded(path: str, block: list[ast.AST]) -> Iterator[Violation]:
    ends = 0
    for node in block:
        if isinstance(node, ast.stmt):
            if node.lineno <= ends:
                yield at(path, node, "write one statement a line, without semicolons")
            ends = node.end_lineno or node.lineno
