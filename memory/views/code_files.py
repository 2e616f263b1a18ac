"""The files of a person's code at a version: to read, with who brought each line, to take away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory import access
from memory.code_history import BASELINE, CodeAt, blamed, code_at
from memory.files import files_of
from memory.models import CodeVersion, MemoryUser
from memory.project.export import export_files, zip_bytes
from memory.project.review.blame import Brought, runs
from memory.project.review.highlight import Html
from memory.project.review.source import ShownSource, show_source
from memory.project.review.tree import key_of
from memory.rights import Right
from memory.views.banner import banner_of
from memory.views.pages import staff_page
from memory.views.version_lines import VersionLine, version_lines


@dataclass(frozen=True)
class TreeFile:
    """A file of a version as its tree lists it; `own` where it is not the baseline's."""

    path: str
    key: str
    own: bool

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True)
class Folder:
    """Files of one folder; `open` where one of them is the person's own, or is shown."""

    path: str
    files: tuple[TreeFile, ...]
    own: int
    open: bool


@dataclass(frozen=True)
class BlameRun:
    """Lines next to each other that one version brought, numbered from `first`."""

    brought: Brought
    line: VersionLine | None
    first: int
    lines: tuple[Html, ...]


@require_safe
@staff_page(Right.CODE_READ)
def version(request: HttpRequest, user_id: UUID, number: int) -> HttpResponse:
    """The tree of a version; 0 is the baseline."""
    person, code = _asked(request, user_id, number)
    return render(request, "memory/version.html", _context(person, code))


@require_safe
@staff_page(Right.CODE_READ)
def version_file(request: HttpRequest, user_id: UUID, number: int, key: str) -> HttpResponse:
    """One file of a version, highlighted, each line with an anchor (`#L12`, `#L12-L20`)."""
    person, code = _asked(request, user_id, number)
    path = code.path_of(key)
    context = _context(person, code, path)
    source = show_source(path, code.project.files[path])
    return render(request, "memory/version.html", {**context, "source": source})


@require_safe
@staff_page(Right.CODE_READ)
def version_blame(request: HttpRequest, user_id: UUID, number: int, key: str) -> HttpResponse:
    """One file of a version, and for each line the version that brought it."""
    person, code = _asked(request, user_id, number)
    path = code.path_of(key)
    source = show_source(path, code.project.files[path])
    brought = blamed(person, number, path)
    context = _context(person, code, path)
    found = {"source": source, "blame": _runs(person, brought, source)}
    return render(request, "memory/version.html", {**context, **found})


@require_safe
@staff_page(Right.CODE_READ)
def version_raw(request: HttpRequest, user_id: UUID, number: int, key: str) -> HttpResponse:
    """One file of a version as plain text, byte for byte."""
    _, code = _asked(request, user_id, number)
    text = code.project.files[code.path_of(key)]
    return HttpResponse(text.encode(), content_type="text/plain; charset=utf-8")


@require_safe
@staff_page(Right.CODE_READ)
def version_zip(request: HttpRequest, user_id: UUID, number: int) -> HttpResponse:
    """A version's code as a folder that runs, with the library and without a record."""
    person, code = _asked(request, user_id, number)
    files = export_files(code.project, {}, today=person.local_date(timezone.now()))
    return _zip(files, f"{person.pk}-{f'version-{number}' if number else 'baseline'}.zip")


@require_safe
@staff_page(Right.CODE_READ)
def code_zip(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """The active code with the person's records, as apps get it: for who may see both."""
    access.memory_user(request.user, user_id, Right.CODE_READ)
    person = access.memory_user(request.user, user_id, Right.STATE_READ)
    found = files_of(person.pk, now=timezone.now())
    return _zip(found.exported, f"{person.pk}.zip")


def _asked(request: HttpRequest, user_id: UUID, number: int) -> tuple[MemoryUser, CodeAt]:
    person = access.memory_user(request.user, user_id, Right.CODE_READ)
    return person, code_at(person, number)


def _zip(files: Any, name: str) -> HttpResponse:
    answer = HttpResponse(zip_bytes(files), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _context(person: MemoryUser, code: CodeAt, path: str = "") -> dict[str, Any]:
    lines = version_lines(person, [code.version], "") if code.version else []
    return {
        "person": person,
        "banner": banner_of(person),
        "code": code,
        "line": lines[0] if lines else None,
        "folders": _folders(code, path),
        "file": TreeFile(path, key_of(path), code.is_own(path)) if path else None,
        "now": timezone.now(),
    }


def _folders(code: CodeAt, shown: str) -> list[Folder]:
    files = [TreeFile(path, key_of(path), code.is_own(path)) for path in code.project.files]
    files.sort(key=lambda file: (_folder(file), not file.own, file.path))
    return [_group(folder, list(some), shown) for folder, some in groupby(files, key=_folder)]


def _folder(file: TreeFile) -> str:
    return file.path[: -len(file.name)]


def _group(folder: str, files: Sequence[TreeFile], shown: str) -> Folder:
    own = sum(file.own for file in files)
    return Folder(folder, tuple(files), own, any(file.path == shown for file in files) or own > 0)


def _runs(
    person: MemoryUser, brought: Sequence[Brought], source: ShownSource
) -> tuple[BlameRun, ...]:
    numbers = {one.version for one in brought} - {BASELINE}
    found = CodeVersion.objects.filter(user=person, number__in=numbers)
    rows = list(found.select_related("approved_by"))
    lines = {line.version.number: line for line in version_lines(person, rows, "")}
    return tuple(
        BlameRun(one, lines.get(one.version), start + 1, source.lines[start:end])
        for one, start, end in runs(brought)
    )
