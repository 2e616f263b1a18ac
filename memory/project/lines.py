"""The lines of a text, as Python reads them."""

from __future__ import annotations

import re

LINE_END = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines as Python reads them, each with its end.

    Not `str.splitlines`: to Python a form feed or U+2028 ends no line, but a lone carriage return
    does, and what follows one in a comment is code.
    """
    lines = []
    start = 0
    for end in LINE_END.finditer(text):
        lines.append(text[start : end.end()])
        start = end.end()
    return [*lines, text[start:]] if start < len(text) else lines
