"""The code that ships with the app: the baseline project and the `uac` library."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

from memory.project.tree import Project, read_project

LIBRARY = Path(__file__).resolve().parent.parent / "library"


@cache
def baseline() -> Project:
    """The project that everyone shares, as reviewed with the app's own code."""
    return read_project(LIBRARY / "baseline")


@cache
def library() -> tuple[str, ...]:
    """The sources of `uac`, in the order in which its `__init__` imports them.

    Files whose name starts with an underscore are for plain CPython only: the sandbox gets what
    they hold as input.
    """
    package = LIBRARY / "uac"
    names: list[str] = []
    for node in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            name = node.module.removeprefix("uac.")
            if not name.startswith("_") and name not in names:
                names.append(name)
    return tuple((package / f"{name}.py").read_text(encoding="utf-8") for name in names)


@cache
def version() -> str:
    """Digest of all code that runs for alerts: the baseline and the library under it."""
    total = hashlib.sha256(baseline().digest.encode())
    for source in library():
        total.update(hashlib.sha256(source.encode()).digest())
    return total.hexdigest()
