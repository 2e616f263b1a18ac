"""The last stage of a diff: the rows of each file as HTML, in one column or side by side.

Nothing of a file gets out unescaped: the markup comes from `highlight`, the rest is written here.
What was rendered is kept by the digests of both sides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, zip_longest
from typing import Literal

from memory.project.review.cache import ByteCache
from memory.project.review.highlight import Html
from memory.project.review.rows import FileDiff, Row, RowChunk, diff_file
from memory.project.review.tree import FileChange, Status, changed_files, is_data

KEPT_BYTES = 32 * 2**20
ROW_BYTES = 64  # of a chunk or file, beside its markup
SIGNS = {
    "equal": "",
    "insert": '<span aria-label="added">+</span>',
    "delete": '<span aria-label="removed">−</span>',
}

View = Literal["unified", "split"]


@dataclass(frozen=True)
class ShownChunk:
    """The rows of a table's body as markup; of a folded one all `count` lines are equal."""

    html: Html
    count: int
    folded: bool


@dataclass(frozen=True)
class ShownFile:
    """One file of a diff, ready to print; `odd` characters of what is shown hide or deceive.

    `data` is rendered from records, so it is not what is decided on.
    """

    path: str
    status: Status
    added: int
    removed: int
    odd: int
    data: bool
    chunks: tuple[ShownChunk, ...]

    @property
    def folder(self) -> str:
        """Where the file lies, such as `domains/travel/`; empty at the top."""
        return self.path[: -len(self.name)]

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.rpartition("/")[2]

    @property
    def anchor(self) -> str:
        """The id of its place on the page, whatever its path holds."""
        return f"file-{hashlib.sha256(self.path.encode()).hexdigest()[:12]}"


def show_diff(
    old: Mapping[str, str], new: Mapping[str, str], view: View = "unified"
) -> tuple[ShownFile, ...]:
    """What differs between two trees of files, ready to print: code first, then data."""
    return tuple(show_file(change, view) for change in changed_files(old, new))


def show_file(change: FileChange, view: View) -> ShownFile:
    """One file's diff, ready to print; made once for its path and the digests of both sides."""
    sides = (hashlib.sha256(text.encode()).digest() for text in (change.old, change.new))
    key = (change.path, change.status, view, *sides)
    return CACHE.get(key, lambda: _shown(diff_file(change), view))


def _bytes_of(file: ShownFile) -> int:
    return ROW_BYTES + sum(ROW_BYTES + len(chunk.html.encode()) for chunk in file.chunks)


CACHE: ByteCache[ShownFile] = ByteCache(KEPT_BYTES, _bytes_of)


def _shown(file: FileDiff, view: View) -> ShownFile:
    rows = [row for chunk in file.chunks for row in chunk.rows]
    return ShownFile(
        path=file.path,
        status=file.status,
        added=sum(row.change == "insert" for row in rows),
        removed=sum(row.change == "delete" for row in rows),
        odd=sum(len(row.suspicions) for row in rows if row.new is not None),
        data=is_data(file.path),
        chunks=tuple(_chunk(chunk, view) for chunk in file.chunks),
    )


def _chunk(chunk: RowChunk, view: View) -> ShownChunk:
    lines = map(_unified, chunk.rows) if view == "unified" else _split(chunk.rows)
    return ShownChunk(Html("\n".join(lines)), len(chunk.rows), chunk.folded)


def _unified(row: Row) -> str:
    return (
        f'<tr class="{row.change}"><td class="n">{row.old or ""}</td>'
        f'<td class="n">{row.new or ""}</td><td class="sign">{SIGNS[row.change]}</td>'
        f"<td>{_text(row)}</td></tr>"
    )


def _split(rows: Sequence[Row]) -> Iterator[str]:
    """Equal lines face each other, and so do those removed and those that came for them."""
    for equal, run in groupby(rows, key=lambda row: row.change == "equal"):
        block = list(run)
        before = [row for row in block if row.new is None or equal]
        after = [row for row in block if row.old is None or equal]
        for left, right in zip_longest(before, after):
            old = _half(left, left.old if left else None)
            yield f"<tr>{old}{_half(right, right.new if right else None)}</tr>"


def _half(row: Row | None, number: int | None) -> str:
    if row is None:
        return '<td class="n"></td><td class="sign"></td><td class="none"></td>'
    return (
        f'<td class="n">{number or ""}</td><td class="sign">{SIGNS[row.change]}</td>'
        f'<td class="{row.change}">{_text(row)}</td>'
    )


def _text(row: Row) -> str:
    return f'{row.html}<span class="note">{escape(row.note)}</span>' if row.note else row.html
