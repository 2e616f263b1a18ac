"""The first stage of a diff: which files differ between two trees."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

DATA = frozenset({"manifest.py", "state.py"})  # rendered from records, read by no reviewer

Status = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class FileChange:
    """A file that differs between two trees; the text it lacks on one side is empty."""

    path: str
    status: Status
    old: str
    new: str


def changed_files(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[FileChange, ...]:
    """The files added, removed and changed, in order of their paths: code first, then data."""
    changes = []
    for path in sorted({*old, *new}, key=lambda path: (is_data(path), path)):
        before, after = old.get(path), new.get(path)
        if before != after:
            status: Status = (
                "added" if before is None else "removed" if after is None else "changed"
            )
            changes.append(FileChange(path, status, before or "", after or ""))
    return tuple(changes)


def is_data(path: str) -> bool:
    """Whether a file is rendered from records rather than written."""
    return PurePosixPath(path).name in DATA


def key_of(path: str) -> str:
    """A file's name in addresses and ids, whatever its path holds: 12 hexadecimal digits."""
    return hashlib.sha256(path.encode()).hexdigest()[:12]
