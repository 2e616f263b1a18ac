"""Which version brought each line of a file: its texts, version after version, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.project.lines import split_lines
from memory.project.review.opcodes import opcodes


@dataclass(frozen=True)
class Stage:
    """A file at one version: its text, and how the baseline under that version has it.

    A file that is not there is an empty text.
    """

    version: int
    text: str
    baseline: str


@dataclass(frozen=True)
class Brought:
    """The version that brought a line, 0 for the baseline before the first.

    `shared` lines are the baseline's own: they came with it, not with what somebody wrote.
    """

    version: int
    shared: bool


def blame(baseline: str, stages: Sequence[Stage]) -> tuple[Brought, ...]:
    """Who brought each line of the last stage, of those that follow one another on a baseline.

    A line is kept where the opcodes from one stage to the next call it equal; what goes and comes
    again is brought by the version with which it came again.
    """
    text, lines = baseline, split_lines(baseline)
    brought = [Brought(0, shared=True)] * len(lines)
    for stage in stages:
        if stage.text == text:
            continue
        new = split_lines(stage.text)
        brought = _next(stage, lines, brought, new)
        text, lines = stage.text, new
    return tuple(brought)


def _next(
    stage: Stage, lines: Sequence[str], brought: Sequence[Brought], new: Sequence[str]
) -> list[Brought]:
    found = [Brought(stage.version, shared=False)] * len(new)
    for code in opcodes(split_lines(stage.baseline), new):
        if code.tag == "equal":
            count = code.new_end - code.new_start
            found[code.new_start : code.new_end] = [Brought(stage.version, shared=True)] * count
    for code in opcodes(lines, new):
        if code.tag == "equal":
            found[code.new_start : code.new_end] = brought[code.old_start : code.old_end]
    return found


def runs(brought: Sequence[Brought]) -> tuple[tuple[Brought, int, int], ...]:
    """Lines next to each other that one version brought: `(who, start, end)`, as slices count."""
    found: list[tuple[Brought, int, int]] = []
    for place, one in enumerate(brought):
        if found and found[-1][0] == one:
            found[-1] = one, found[-1][1], place + 1
        else:
            found.append((one, place, place + 1))
    return tuple(found)
