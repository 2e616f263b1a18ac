"""The diff of two trees as rows for a template: numbers, kind, markup, and what is suspicious."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.project.characters import Suspicion, suspicions_in_line
from memory.project.lines import split_lines
from memory.project.review.chunks import CONTEXT, Change, Chunk, DiffLine, chunks
from memory.project.review.highlight import Html, Piece, end_note, lex, mark_up
from memory.project.review.opcodes import opcodes
from memory.project.review.tree import FileChange, Status, changed_files


@dataclass(frozen=True)
class Row:
    """A line of a diff. `note` says what the text does not show: an unusual end of the line."""

    change: Change
    old: int | None
    new: int | None
    html: Html
    note: str = ""
    suspicions: tuple[Suspicion, ...] = ()


@dataclass(frozen=True)
class RowChunk:
    """Rows shown together, or an equal run to fold away under its count."""

    rows: tuple[Row, ...]
    folded: bool = False


@dataclass(frozen=True)
class FileDiff:
    """One file's diff. `suspicions` are those of the new text, whether its line changed or not."""

    path: str
    status: Status
    added: int
    removed: int
    chunks: tuple[RowChunk, ...]
    suspicions: tuple[Suspicion, ...]


@dataclass(frozen=True)
class _Side:
    lines: list[str]
    pieces: list[list[Piece]]


def diff_trees(
    old: Mapping[str, str], new: Mapping[str, str], *, context: int = CONTEXT
) -> tuple[FileDiff, ...]:
    """What differs between two trees of files, ready to print, in order of the paths."""
    return tuple(diff_file(change, context=context) for change in changed_files(old, new))


def diff_file(change: FileChange, *, context: int = CONTEXT) -> FileDiff:
    """One file's diff, highlighted."""
    old, new = _side(change.path, change.old), _side(change.path, change.new)
    cut = chunks(opcodes(old.lines, new.lines), old.lines, new.lines, context=context)
    rows = [_chunk(chunk, old, new) for chunk in cut]
    flat = [row for chunk in rows for row in chunk.rows]
    return FileDiff(
        path=change.path,
        status=change.status,
        added=sum(row.change == "insert" for row in flat),
        removed=sum(row.change == "delete" for row in flat),
        chunks=tuple(rows),
        suspicions=tuple(one for row in flat if row.new is not None for one in row.suspicions),
    )


def _side(path: str, text: str) -> _Side:
    lines = split_lines(text)
    return _Side(lines, lex(path, lines))


def _chunk(chunk: Chunk, old: _Side, new: _Side) -> RowChunk:
    return RowChunk(tuple(_row(line, old, new) for line in chunk.lines), chunk.folded)


def _row(line: DiffLine, old: _Side, new: _Side) -> Row:
    side, number = (old, line.old) if line.new is None else (new, line.new)
    place = (number or 0) - 1
    text = side.lines[place]
    found = suspicions_in_line(text, place + 1)
    html = mark_up(side.pieces[place], marks=line.marks, suspicions=found)
    return Row(line.change, line.old, line.new, html, end_note(text), tuple(found))


def plain_rows(path: str, text: str) -> Sequence[Row]:
    """A file that is only shown: each line as a row that did not change."""
    side = _side(path, text)
    lines = [DiffLine("equal", number, number) for number in range(1, len(side.lines) + 1)]
    return [_row(line, side, side) for line in lines]
