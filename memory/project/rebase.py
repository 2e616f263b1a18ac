"""Carry a person's overlay over to another baseline, file by file and line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.project.lines import split_lines
from memory.project.review.opcodes import opcodes
from memory.project.tree import Project


@dataclass(frozen=True)
class Rebased:
    """The project on the new baseline.

    `merged` are the files that both sides had changed, put together line by line; in those of
    `kept` both had changed the same lines, and the overlay's stand.
    """

    project: Project
    merged: tuple[str, ...]
    kept: tuple[str, ...]

    @property
    def touched_twice(self) -> bool:
        """Whether somebody has to look at what came out."""
        return bool(self.merged or self.kept)


def rebase(project: Project, old: Project, new: Project) -> Rebased:
    """The project, built on the baseline `old`, with what changed from there to `new`."""
    files: dict[str, str] = {}
    merged: list[str] = []
    kept: list[str] = []
    for path in sorted(project.files.keys() | old.files.keys() | new.files.keys()):
        base, mine, theirs = (one.files.get(path) for one in (old, project, new))
        text = mine
        if mine == base:
            text = theirs
        elif theirs not in (base, mine):
            text = mine
            clean = False
            if base is not None and mine is not None and theirs is not None:
                text, clean = merge(base, mine, theirs)
            (merged if clean else kept).append(path)
        if text is not None:
            files[path] = text
    return Rebased(Project(files), tuple(merged), tuple(kept))


def merge(base: str, mine: str, theirs: str) -> tuple[str, bool]:
    """Both changes of a text, and whether they were apart from one another.

    Lines that both inserted at one place stand one after the other, theirs first: that is how two
    schemas each get a class more. Where both changed the same lines, mine stand.
    """
    clean = True
    text: list[str] = []
    for old, left, right in _regions(split_lines(base), split_lines(mine), split_lines(theirs)):
        if left == old:
            text += right
        elif right in (old, left):
            text += left
        elif not old:
            text += [*right, *left]
        else:
            clean = False
            text += left
    return "".join(text), clean


Lines = Sequence[str]


def _regions(base: Lines, mine: Lines, theirs: Lines) -> Iterator[tuple[Lines, Lines, Lines]]:
    """The three texts cut into parts that belong together, at the lines that all three share."""
    left, right = _same(base, mine), _same(base, theirs)
    shared = [place for place in range(len(base)) if place in left and place in right]
    at, at_left, at_right = 0, 0, 0
    for place in shared:
        yield base[at:place], mine[at_left : left[place]], theirs[at_right : right[place]]
        line = base[place : place + 1]
        yield line, line, line
        at, at_left, at_right = place + 1, left[place] + 1, right[place] + 1
    yield base[at:], mine[at_left:], theirs[at_right:]


def _same(old: Lines, new: Lines) -> Mapping[int, int]:
    """Where each line that stayed has gone."""
    return {
        code.old_start + step: code.new_start + step
        for code in opcodes(old, new)
        if code.tag == "equal"
        for step in range(code.old_end - code.old_start)
    }
