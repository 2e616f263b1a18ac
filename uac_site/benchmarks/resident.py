"""How much memory a process and its children hold, as Linux tells it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
MEGABYTE = 1_000_000


def resident(pid: int) -> float:
    """The resident memory of a process and of all below it, in megabytes."""
    pages = 0
    for one in (pid, *_below(pid)):
        with suppress(FileNotFoundError):  # it has ended meanwhile
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
    return pages * PAGE / MEGABYTE


def _below(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(FileNotFoundError):
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, children.read_text().split())
    return [*found, *(one for child in found for one in _below(child))]
