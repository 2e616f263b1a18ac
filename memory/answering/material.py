"""What a prompt that asks a question may draw from. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from memory.answering.excerpts import Excerpt
from memory.checkpointer.reading.item import Shown
from memory.project.tree import Project


@dataclass(frozen=True)
class Material:
    """A question and what there is; the likeliest records and excerpts come first."""

    question: str
    person: str
    today: date
    zone: str
    project: Project
    counts: Mapping[str, int]
    records: tuple[Shown, ...]
    excerpts: tuple[Excerpt, ...]
