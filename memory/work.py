"""What a model is doing for a person right now, as an open page shows it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from memory.models import Job, JobStatus, MemoryUser

NAMES = {"read": "Reading", "structure": "Structuring"}
"""Jobs that a person's page shows, in words."""


@dataclass(frozen=True)
class Work:
    """The jobs that wait or run for a person, one of each name, the one that runs if there is one.

    `mark` is another one whenever anything of them is, and empty where there are none.
    """

    jobs: tuple[Job, ...]
    mark: str


def work_of(person: MemoryUser) -> Work:
    """What is under way for a person; one query."""
    rows = _under_way([person.pk])
    by_name: dict[str, Job] = {}
    for job in rows:
        by_name.setdefault(job.name, job)
    return Work(tuple(by_name.values()), _mark(rows))


def marks_of(people: Collection[UUID]) -> dict[UUID, str]:
    """The mark of what is under way for each of these people; one query."""
    found: dict[UUID, list[Job]] = defaultdict(list)
    for job in _under_way(people):
        if job.user_id is not None:
            found[job.user_id].append(job)
    return {person: _mark(found[person]) for person in people}


def words_of(job: Job) -> str:
    """What a job is at, in a few words."""
    if job.cancel_at is not None:
        return "is being cancelled"
    if job.status == JobStatus.QUEUED:
        return "waits for its turn"
    return job.stage or "begins"


def _under_way(people: Collection[UUID]) -> list[Job]:
    jobs = Job.objects.under_way().filter(user__in=people, name__in=NAMES)
    return list(jobs.order_by("-status", "queued_at"))  # running before queued


def _mark(jobs: Iterable[Job]) -> str:
    rows = [(one.pk.hex, words_of(one), one.done, one.total) for one in jobs]
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16] if rows else ""
