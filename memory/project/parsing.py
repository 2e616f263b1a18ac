"""Python source to its syntax tree, safely among threads. Pure."""

from __future__ import annotations

import ast
import threading

_one_at_a_time = threading.Lock()


def parse_python(source: str) -> ast.Module:
    """The tree of Python 3.11 source.

    One thread at a time: `ast.parse` of Python 3.11 keeps the depth of its trees where all threads
    share it, and raises SystemError where the collector lets another thread in (CPython issue
    106905). Raises SyntaxError, ValueError, RecursionError and MemoryError, as `ast.parse` does.
    """
    with _one_at_a_time:
        return ast.parse(source, feature_version=(3, 11))  # noqa: TID251
