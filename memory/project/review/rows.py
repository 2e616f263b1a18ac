"""The rows of a diff: numbers, kind, markup, and what is suspicious in them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from memory.project.characters import Suspicion, suspicions_in_line
from memory.project.lines import split_lines
from memory.project.review.chunks import Change, Chunk, DiffLine, chunks
from memory.project.review.highlight import Html, Piece, end_note, lex, mark_up
from memory.project.review.opcodes import opcodes
from memory.project.review.tree import FileChange, Status

SHOWN = 2_000  # characters of a line; what is beyond is counted


@dataclass(frozen=True)
class Row:
    """A line of a diff. `note` says what the text does not show: its rest, an unusual end."""

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
    """One file's diff."""

    path: str
    status: Status
    chunks: tuple[RowChunk, ...]


@dataclass(frozen=True)
class _Side:
    lines: Sequence[str]
    pieces: Sequence[Sequence[Piece]]


def diff_file(change: FileChange) -> FileDiff:
    """One file's diff, highlighted: each side as a whole, then cut into lines."""
    old, new = split_lines(change.old), split_lines(change.new)
    cut = chunks(opcodes(old, new), old, new)
    gone = {line.old - 1 for chunk in cut for line in chunk.lines if line.old and not line.new}
    before, after = _side(change.path, old, only=gone), _side(change.path, new)
    rows = tuple(_chunk(chunk, before, after) for chunk in cut)
    return FileDiff(change.path, change.status, rows)


def _side(path: str, lines: Sequence[str], *, only: Container[int] | None = None) -> _Side:
    return _Side(lines, lex(path, lines, only=only))


def _chunk(chunk: Chunk, old: _Side, new: _Side) -> RowChunk:
    return RowChunk(tuple(_row(line, old, new) for line in chunk.lines), chunk.folded)


def _row(line: DiffLine, old: _Side, new: _Side) -> Row:
    side, number = (old, line.old) if line.new is None else (new, line.new)
    place = (number or 0) - 1
    text, pieces, note = side.lines[place], side.pieces[place], end_note(side.lines[place])
    if len(text) > SHOWN:
        note = f"… {len(text):,} characters, of which the first {SHOWN:,} are shown"
        text, pieces = text[:SHOWN], _start(pieces)
    found = suspicions_in_line(text, place + 1)
    html = mark_up(pieces, marks=line.marks, suspicions=found)
    return Row(line.change, line.old, line.new, html, note, tuple(found))


def _start(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces of a long line's beginning."""
    kept: list[Piece] = []
    room = SHOWN
    for css, text in pieces:
        if room <= 0:
            break
        kept.append((css, text[:room]))
        room -= len(text)
    return kept
