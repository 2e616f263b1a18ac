"""What changes between two projects, in words and as a unified diff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any

from memory.project.lines import split_lines
from memory.project.review.tree import changed_files
from memory.project.tree import Project


def changes(old: Project, new: Project) -> Iterator[str]:
    """A line for each file, kind and rule that was added, removed or changed."""
    for change in changed_files(old.files, new.files):
        yield f"file {change.path}: {change.status}"
    yield from _named("kind", old.kinds, new.kinds)
    rules = [{name: rule.source for name, rule in one.rules.items()} for one in (old, new)]
    yield from _named("rule", *rules)


def _named(what: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(old.keys() | new.keys()):
        if name not in old:
            yield f"{what} {name}: added"
        elif name not in new:
            yield f"{what} {name}: removed"
        elif old[name] != new[name]:
            yield f"{what} {name}: changed"


def unified(old: Project, new: Project) -> Iterator[str]:
    """The lines of a unified diff of every file that differs, without their ends."""
    for change in changed_files(old.files, new.files):
        before = "/dev/null" if change.status == "added" else f"a/{change.path}"
        after = "/dev/null" if change.status == "removed" else f"b/{change.path}"
        left, right = _bare_lines(change.old), _bare_lines(change.new)
        yield from unified_diff(left, right, before, after, lineterm="")


def _bare_lines(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in split_lines(text)]
