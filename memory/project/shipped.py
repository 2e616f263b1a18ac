"""The code that ships with the app: the baseline project and the `uac` library."""

from __future__ import annotations

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
