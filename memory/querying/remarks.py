"""What is said of a query: why it was refused or failed, and what its author should know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LONGEST_LINE = 400
MOST_REMARKS = 20  # nobody mends more at a time


@dataclass(frozen=True, order=True)
class Remark:
    """A sentence that says what to do, with its place; line 0 is the query as a whole.

    Lines and columns count from 1. `caret` underlines the place in `source_line`.
    """

    line: int
    column: int
    detail: str
    source_line: str = ""
    caret: str = ""


def remark_at(code: str, line: int | None, column: int, detail: str, width: int = 1) -> Remark:
    """A remark with the line of code it is about, and a caret below `width` characters of it."""
    lines = code.split("\n")
    if not line or line > len(lines):
        return Remark(0, 0, detail)
    source = lines[line - 1]
    column = min(max(column, 1), len(source) + 1)
    if len(source) > LONGEST_LINE:
        return Remark(line, column, detail)
    width = max(1, min(width, len(source) - column + 1))
    # A tab stays a tab, so that the caret stands where the reader sees the place.
    before = "".join("\t" if letter == "\t" else " " for letter in source[: column - 1])
    return Remark(line, column, detail, source, before + "^" * width)


class QueryFailed(Exception):
    """A query that gives no answer: `title` says which kind of failure, `remarks` what to do."""

    def __init__(self, title: str, remarks: Iterable[Remark]) -> None:
        self.title = title
        self.remarks = tuple(sorted(set(remarks)))
        super().__init__("; ".join(remark.detail for remark in self.remarks))


class NotNow(Exception):
    """The query could not be run, for no fault of its own; the same may succeed in a moment."""
