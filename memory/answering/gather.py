"""Gather what a question may be answered from: kinds, sample records, excerpts."""

from __future__ import annotations

from datetime import datetime

from memory.answering.find import Channels, excerpts_about
from memory.answering.material import Material
from memory.checkpointer.reading.batch import records_about
from memory.code import project_of
from memory.models import MemoryUser, Record


def material_for(user: MemoryUser, question: str, *, channels: Channels, now: datetime) -> Material:
    """What there is to answer a question from; the number of queries has a bound."""
    project = project_of(user)
    return Material(
        question=question,
        person=str(user)[:100],
        today=user.local_date(now),
        zone=user.timezone,
        project=project,
        counts=Record.objects.filter(user=user).count_by_kind(),
        records=tuple(records_about(user, project, [question])),
        excerpts=tuple(excerpts_about(user, question, channels=channels)),
    )
