"""A copy of the code that ships with the app, for tests that change its rules."""

from __future__ import annotations

import shutil
from pathlib import Path

from memory.project import shipped


class ShippedCopy:
    """The baseline and the library in a folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "library"
        ignored = shutil.ignore_patterns("__pycache__", "tests")
        shutil.copytree(shipped.SHIPPED, self.folder, ignore=ignored)

    def rule(self, name: str, source: str) -> None:
        """Put a rule in place, as the next release of the app would."""
        (self.folder / "baseline" / "rules" / f"{name}.py").write_text(source, encoding="utf-8")
        forget()

    def without(self, name: str) -> None:
        """Take a rule away."""
        (self.folder / "baseline" / "rules" / f"{name}.py").unlink()
        forget()

    def source(self, name: str) -> str:
        """A rule's text."""
        return (self.folder / "baseline" / "rules" / f"{name}.py").read_text(encoding="utf-8")


def forget() -> None:
    """Have the code read again, as by a process that starts."""
    shipped.baseline.cache_clear()
    shipped.library.cache_clear()
    shipped.version.cache_clear()
