"""A file as it stands, its lines ready to print: the diff from nothing, without its signs.

What was rendered is kept by path and digest, as a diff is.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from memory.project.review.cache import ByteCache
from memory.project.review.highlight import Html
from memory.project.review.render import ROW_BYTES, line_html
from memory.project.review.rows import diff_file
from memory.project.review.tree import FileChange

KEPT_BYTES = 8 * 2**20


@dataclass(frozen=True)
class ShownSource:
    """A file's lines as markup, in order; `odd` of their characters hide or deceive."""

    lines: tuple[Html, ...]
    odd: int


def show_source(path: str, text: str) -> ShownSource:
    """A file's lines, ready to print; made once for its path and digest."""
    key = path, hashlib.sha256(text.encode()).digest()
    return SOURCES.get(key, lambda: _shown(path, text))


def _bytes_of(source: ShownSource) -> int:
    return ROW_BYTES + sum(ROW_BYTES + len(line.encode()) for line in source.lines)


SOURCES: ByteCache[ShownSource] = ByteCache(KEPT_BYTES, _bytes_of)


def _shown(path: str, text: str) -> ShownSource:
    file = diff_file(FileChange(path, "added", "", text))
    rows = [row for chunk in file.chunks for row in chunk.rows]
    return ShownSource(
        lines=tuple(Html(line_html(row)) for row in rows),
        odd=sum(len(row.suspicions) for row in rows),
    )
