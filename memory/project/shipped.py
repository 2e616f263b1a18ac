"""The code that ships with the app: the baseline project and the `uac` library."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from memory.project.library import Library, read_library
from memory.project.tree import Project, read_project

SHIPPED = Path(__file__).resolve().parent.parent / "library"


@cache
def baseline() -> Project:
    """The project that everyone shares, as reviewed with the app's own code."""
    return read_project(SHIPPED / "baseline")


@cache
def library() -> Library:
    """The package that generated code may import."""
    return read_library(SHIPPED / "uac")


@cache
def version() -> str:
    """Digest of all code that runs for alerts: the baseline and the library under it."""
    total = hashlib.sha256(baseline().digest.encode())
    for module in library().modules:
        total.update(hashlib.sha256(module.source.encode()).digest())
    return total.hexdigest()
