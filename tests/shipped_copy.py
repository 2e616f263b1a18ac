"""A copy of the code that ships with the app, for tests that change its rules."""

from __future__ import annotations

import shutil
from pathlib import Path

from django.contrib.auth.models import User as Staff
from django.utils import timezone

from alerts.evaluation.ground import ground
from memory.actions.adopt_baseline import adopt_baseline
from memory.actions.baseline import baseline_in_force
from memory.actions.staff import grant_role
from memory.audit import CONSOLE
from memory.models import MemoryUser
from memory.project import shipped
from memory.rights import Role


class ShippedCopy:
    """The baseline and the library in a folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "library"
        ignored = shutil.ignore_patterns("__pycache__", "tests")
        shutil.copytree(shipped.SHIPPED, self.folder, ignore=ignored)

    def rule(self, name: str, source: str) -> None:
        """Put a rule in place, as the next release of the app would."""
        (self.folder / "baseline" / "rules" / f"{name}.py").write_text(source, encoding="utf-8")
        _release()

    def without(self, name: str) -> None:
        """Take a rule away."""
        (self.folder / "baseline" / "rules" / f"{name}.py").unlink()
        _release()

    def source(self, name: str) -> str:
        """A rule's text."""
        return (self.folder / "baseline" / "rules" / f"{name}.py").read_text(encoding="utf-8")


def forget() -> None:
    """Have the code read again, as by a process that starts."""
    shipped.baseline.cache_clear()
    shipped.library.cache_clear()
    ground.cache_clear()


def _release() -> None:
    """Ship the code, adopt it, and have everybody brought over but not yet evaluated."""
    forget()
    staff, _ = Staff.objects.get_or_create(username="releases", is_staff=True)
    project, now = shipped.baseline(), timezone.now()
    grant_role(staff=staff, role=Role.REVIEWER, actor=CONSOLE, now=now)
    if baseline_in_force(now=now).tree_id != project.digest:
        adopt_baseline(project=project, actor=staff, now=now)
    MemoryUser.objects.exclude(tree="").update(tree=project.digest, baseline=project.digest)
