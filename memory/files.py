"""A person's project as files: what was approved, and what is rendered from their records."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from uuid import UUID

from memory.code import baseline_of, project_of
from memory.models import MemoryUser, Record
from memory.project.export import export_files
from memory.project.tree import Project
from memory.snapshot import snapshot

MANIFEST = "manifest.py"
Layer = Literal["baseline", "overlay", "generated"]


@dataclass(frozen=True)
class File:
    """A file of a person's project; `generated` ones are rendered from records at every look."""

    path: str
    text: str
    layer: Layer

    @property
    def digest(self) -> str:
        """SHA-256 of the UTF-8, in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def size(self) -> int:
        """Bytes in UTF-8."""
        return len(self.text.encode())


@dataclass(frozen=True)
class PersonFiles:
    """Everything of a person's project at one moment of their log.

    `exported` is the folder as it is downloaded: with the library and the runner beside it.
    """

    user: MemoryUser
    project: Project
    baseline: Project
    exported: Mapping[str, str]

    @property
    def files(self) -> list[File]:
        """The project's own files in order of their paths."""
        return [
            File(path, text, layer)
            for path, text in self.exported.items()
            if (layer := self._layer(path)) is not None
        ]

    def _layer(self, path: str) -> Layer | None:
        if path in self.project.files:
            same = self.baseline.files.get(path) == self.project.files[path]
            return "baseline" if same else "overlay"
        rendered = path.startswith("domains/") and path.endswith("/state.py")
        return "generated" if rendered or path == MANIFEST else None


def files_of(user_id: UUID, *, now: datetime, today: date | None = None) -> PersonFiles:
    """A person's files as they are now; `today` is their local date unless told.

    Log, code and records are read at one moment. Raises CodeTampered.
    """
    with snapshot():
        user = MemoryUser.objects.get(pk=user_id)
        project, baseline = project_of(user), baseline_of(user)
        rows = Record.objects.filter(user_id=user_id).order_by()
        records: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for kind, record_id, source in rows.values_list("kind", "record_id", "source").iterator():
            records[kind].append((record_id, source))
    exported = export_files(project, records, today=today or user.local_date(now))
    return PersonFiles(user, project, baseline, exported)
