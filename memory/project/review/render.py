"""The last stage of a diff: the rows of each file as HTML, in one column or side by side.

Nothing of a file gets out unescaped: the markup comes from `highlight`, the rest is written here.
What was rendered is kept by the digests of both sides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby, zip_longest
from typing import Literal

from memory.project.review.cache import ByteCache
from memory.project.review.highlight import Html
from memory.project.review.rows import FileDiff, Row, RowChunk, diff_file
from memory.project.review.tree import FileChange, Status, changed_files, is_data, key_of

KEPT_BYTES = 32 * 2**20
ROW_BYTES = 64  # of a chunk or file, beside its markup
SIGNS = {
    "equal": "",
    "insert": '<span aria-label="added">+</span>',
    "delete": '<span aria-label="removed">−</span>',
}

View = Literal["unified", "split"]
LinePlace = tuple[Literal["old", "new"], int]
"""A line of the text before or now, counted from 1."""


@dataclass(frozen=True)
class ShownRow:
    """One row of a table's body as markup, and its line before and now."""

    html: str
    old: int | None
    new: int | None


@dataclass(frozen=True)
class ShownChunk:
    """The rows of a table's body; of a folded one all `count` lines are equal.

    A folded one that is `open` has something in it to be seen at once.
    """

    rows: tuple[ShownRow, ...]
    count: int
    folded: bool
    open: bool = False

    @property
    def html(self) -> Html:
        """The rows as markup."""
        return Html("\n".join(row.html for row in self.rows))


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
    def key(self) -> str:
        """The file's name in addresses."""
        return key_of(self.path)

    @property
    def anchor(self) -> str:
        """The id of its place on the page, whatever its path holds."""
        return anchor_of(self.path)


def anchor_of(path: str) -> str:
    """The id of a file's place on a page. That of its line 12 is `<anchor>-n12`, before `-o12`."""
    return f"file-{key_of(path)}"


def show_diff(
    old: Mapping[str, str],
    new: Mapping[str, str],
    view: View = "unified",
    *,
    commented: bool = False,
) -> tuple[ShownFile, ...]:
    """What differs between two trees of files, ready to print: code first, then data.

    Where it may be `commented`, each line's number leads to the place for it, `?at=<id>`.
    """
    return tuple(show_file(change, view, commented=commented) for change in changed_files(old, new))


def show_file(change: FileChange, view: View, *, commented: bool = False) -> ShownFile:
    """One file's diff, ready to print; made once for its path and the digests of both sides."""
    sides = (hashlib.sha256(text.encode()).digest() for text in (change.old, change.new))
    key = (change.path, change.status, view, commented, *sides)
    return CACHE.get(key, lambda: _shown(diff_file(change), view, commented))


def with_notes(file: ShownFile, notes: Mapping[LinePlace, Html], view: View) -> ShownFile:
    """The file with a note below each of these lines; what was folded around one is open."""
    return replace(file, chunks=tuple(_noted(chunk, notes, view) for chunk in file.chunks))


def _noted(chunk: ShownChunk, notes: Mapping[LinePlace, Html], view: View) -> ShownChunk:
    columns = 4 if view == "unified" else 6
    rows: list[ShownRow] = []
    for row in chunk.rows:
        rows.append(row)
        found = [notes[side, line] for side, line in _places(row) if (side, line) in notes]
        rows += [
            ShownRow(f'<tr class="noted"><td colspan="{columns}">{note}</td></tr>', None, None)
            for note in found
        ]
    return replace(chunk, rows=tuple(rows), open=len(rows) > len(chunk.rows))


def _places(row: ShownRow) -> Iterator[LinePlace]:
    if row.old is not None:
        yield "old", row.old
    if row.new is not None:
        yield "new", row.new


def _bytes_of(file: ShownFile) -> int:
    rows = [row for chunk in file.chunks for row in chunk.rows]
    return ROW_BYTES * (1 + len(file.chunks)) + sum(len(row.html.encode()) for row in rows)


CACHE: ByteCache[ShownFile] = ByteCache(KEPT_BYTES, _bytes_of)


def _shown(file: FileDiff, view: View, commented: bool) -> ShownFile:
    rows = [row for chunk in file.chunks for row in chunk.rows]
    numbers = _Numbers(anchor_of(file.path), f"?view={view}&amp;at=" if commented else "")
    return ShownFile(
        path=file.path,
        status=file.status,
        added=sum(row.change == "insert" for row in rows),
        removed=sum(row.change == "delete" for row in rows),
        odd=sum(len(row.suspicions) for row in rows if row.new is not None),
        data=is_data(file.path),
        chunks=tuple(_chunk(chunk, view, numbers) for chunk in file.chunks),
    )


def _chunk(chunk: RowChunk, view: View, numbers: _Numbers) -> ShownChunk:
    rows = _unified if view == "unified" else _split
    return ShownChunk(tuple(rows(chunk.rows, numbers)), len(chunk.rows), chunk.folded)


@dataclass(frozen=True)
class _Numbers:
    """The cells of line numbers: each has an id, and leads to the place for a comment."""

    anchor: str
    link: str

    def cell(self, side: Literal["o", "n"], number: int | None) -> str:
        if not number:
            return '<td class="n"></td>'
        place = f"{self.anchor}-{side}{number}"
        if not self.link:
            return f'<td class="n" id="{place}">{number}</td>'
        return (
            f'<td class="n" id="{place}"><a href="{self.link}{place}#{place}" data-at="{place}"'
            f' title="Comment on this line">{number}</a></td>'
        )


def _unified(rows: Sequence[Row], numbers: _Numbers) -> Iterator[ShownRow]:
    for row in rows:
        html = (
            f'<tr class="{row.change}">{numbers.cell("o", row.old)}{numbers.cell("n", row.new)}'
            f'<td class="sign">{SIGNS[row.change]}</td><td>{line_html(row)}</td></tr>'
        )
        yield ShownRow(html, row.old, row.new)


def _split(rows: Sequence[Row], numbers: _Numbers) -> Iterator[ShownRow]:
    """Equal lines face each other, and so do those removed and those that came for them."""
    for equal, run in groupby(rows, key=lambda row: row.change == "equal"):
        block = list(run)
        before = [row for row in block if row.new is None or equal]
        after = [row for row in block if row.old is None or equal]
        for left, right in zip_longest(before, after):
            old, new = left.old if left else None, right.new if right else None
            html = (
                f"<tr>{_half(left, numbers.cell('o', old))}"
                f"{_half(right, numbers.cell('n', new))}</tr>"
            )
            yield ShownRow(html, old, new)


def _half(row: Row | None, number: str) -> str:
    if row is None:
        return '<td class="n"></td><td class="sign"></td><td class="none"></td>'
    sign = f'<td class="sign">{SIGNS[row.change]}</td>'
    return f'{number}{sign}<td class="{row.change}">{line_html(row)}</td>'


def line_html(row: Row) -> str:
    """A line's markup, with what its text does not show."""
    return f'{row.html}<span class="note">{escape(row.note)}</span>' if row.note else row.html
