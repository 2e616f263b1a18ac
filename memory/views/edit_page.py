"""What the page of an edit shows: the files, the one that is open, and what the checks said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.actions.code_edits import project_of_edit, why_stale
from memory.code import load_project
from memory.models import CodeEdit, EditStatus
from memory.project.lines import split_lines
from memory.project.policy.check import PLACES
from memory.project.tree import Project

PLACE = re.compile(r"((?:domains|rules|tests)/[a-z0-9_/]+\.py):([1-9][0-9]{0,5})")
SORTS = (("schema", "Schemas"), ("rule", "Rules"), ("test", "Tests"))
LONGEST_LINE = 300


@dataclass(frozen=True)
class EditedFile:
    """A file in the list: `mark` is `new`, `changed`, `removed` or nothing."""

    path: str
    mark: str
    own: bool


@dataclass(frozen=True)
class FileGroup:
    """The files of one sort: those that are this person's own first, then those that ship."""

    name: str
    own: tuple[EditedFile, ...]
    shipped: tuple[EditedFile, ...]


@dataclass(frozen=True)
class Wrong:
    """A line of what a check said; with the place that it names, and the line that stands there."""

    words: str
    path: str = ""
    line: int = 0
    quote: str = ""


@dataclass(frozen=True)
class FailedCheck:
    """A check that an edit did not pass."""

    name: str
    lines: tuple[Wrong, ...]


@dataclass(frozen=True)
class EditPage:
    """An edit with all that its page shows; `open` is the path of the file in the text area."""

    edit: CodeEdit
    groups: tuple[FileGroup, ...]
    open: str
    text: str
    mark: str
    failed: tuple[FailedCheck, ...]
    passed: tuple[str, ...]
    changed: int
    stale: str

    @property
    def is_checking(self) -> bool:
        """Whether the machine has it."""
        return self.edit.status == EditStatus.CHECKING

    @property
    def rows(self) -> int:
        """How high the text area is."""
        return min(max(self.text.count("\n") + 4, 18), 40)


def edit_page(edit: CodeEdit, wanted: str, typed: str | None = None) -> EditPage:
    """Read an edit's page; `typed` is what was typed in the open file and could not be kept."""
    project, base = project_of_edit(edit), load_project(edit.base)
    shipped, active = load_project(edit.user.baseline or edit.base), load_project(edit.parent)
    files = [_file(path, edit, base, shipped, active) for path in _paths(edit, project)]
    paths = [one.path for one in files]
    opened = wanted if wanted in paths else next(_first(files), "")
    mark = next((one.mark for one in files if one.path == opened), "")
    text = project.files.get(opened, base.files.get(opened, ""))
    return EditPage(
        edit=edit,
        groups=tuple(_groups(files)),
        open=opened,
        text=text if typed is None else typed,
        mark=mark,
        failed=tuple(_failed(edit.checks, project)),
        passed=tuple(one["name"] for one in edit.checks if one["ok"]),
        changed=len(edit.files),
        stale=why_stale(edit) if edit.status == EditStatus.DRAFT else "",
    )


def _paths(edit: CodeEdit, project: Project) -> list[str]:
    return sorted({*project.files, *edit.files})


def _first(files: Sequence[EditedFile]) -> Iterator[str]:
    """What a reader most likely wants to see: what was changed, what is own, rules."""
    yield from (one.path for one in files if one.mark)
    yield from (one.path for one in files if one.own and one.path.startswith("rules/"))
    yield from (one.path for one in files if one.own)
    yield from (one.path for one in files if one.path.startswith("rules/"))


def _file(
    path: str, edit: CodeEdit, base: Project, shipped: Project, active: Project
) -> EditedFile:
    mark = ""
    if path in edit.files:
        gone = edit.files[path] is None
        mark = "removed" if gone else "changed" if path in base.files else "new"
    now = base.files.get(path)
    own = bool(mark) or now != shipped.files.get(path) or now != active.files.get(path)
    return EditedFile(path, mark, own)


def _groups(files: Sequence[EditedFile]) -> Iterator[FileGroup]:
    for sort, name in SORTS:
        found = [one for one in files if PLACES[sort].fullmatch(one.path)]
        yield FileGroup(
            name,
            tuple(one for one in found if one.own),
            tuple(one for one in found if not one.own),
        )


def _failed(checks: Sequence[Mapping[str, Any]], project: Project) -> Iterator[FailedCheck]:
    for check in checks:
        detail = str(check["detail"])
        if not check["ok"] and not detail.startswith("not run: "):
            lines = tuple(_wrong(line, project) for line in detail.splitlines() if line.strip())
            yield FailedCheck(check["name"], lines)


def _wrong(said: str, project: Project) -> Wrong:
    found = PLACE.search(said)
    if found is None or found[1] not in project.files:
        return Wrong(said)
    lines, number = split_lines(project.files[found[1]]), int(found[2])
    quote = lines[number - 1].rstrip("\r\n")[:LONGEST_LINE] if number <= len(lines) else ""
    return Wrong(said, found[1], number, quote)
