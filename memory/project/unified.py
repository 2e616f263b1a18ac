"""A unified diff of one file, as `diff -u` and `git apply` have it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from memory.project.lines import split_lines
from memory.project.review.chunks import CONTEXT
from memory.project.review.tree import FileChange

NO_END = "\\ No newline at end of file\n"


def unified_diff(change: FileChange, *, context: int = CONTEXT) -> str:
    """The change of a file with `context` lines around it; `/dev/null` where there was no file."""
    old = "/dev/null" if change.status == "added" else f"a/{change.path}"
    new = "/dev/null" if change.status == "removed" else f"b/{change.path}"
    lines = difflib.unified_diff(
        split_lines(change.old), split_lines(change.new), old, new, n=context
    )
    return "".join(_ended(lines))


def _ended(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if not line.endswith("\n"):
            yield f"\n{NO_END}"
