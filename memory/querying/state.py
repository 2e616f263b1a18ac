"""The state that a query runs over: a person's records, and the moment of the log they are of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from memory.code import project_of
from memory.models import MemoryUser, Record
from memory.project.bundle import StateSlice
from memory.project.tree import Project
from memory.snapshot import snapshot
from memory.then import Then


class Head(NamedTuple):
    """A person's log and code at one moment: what an answer holds for."""

    fact_seq: int
    reading_seq: int
    tree: str

    def same_state(self, other: Head) -> bool:
        """Whether the records are the same at both moments; facts without readings change none."""
        return self[1:] == other[1:]


@dataclass(frozen=True)
class Seen:
    """A person as found at one moment."""

    user_id: UUID
    project: Project
    head: Head
    today: date
    past: bool = False
    """Whether it is an earlier moment, whose last fact counts besides the last reading."""


class CodeMoved(Exception):
    """The person's code is another than the query was checked against."""


def look(user_id: UUID, now: datetime) -> Seen:
    """A person without their records; one statement. Raises MemoryUser.DoesNotExist."""
    user = MemoryUser.objects.get(pk=user_id)
    return Seen(user_id, project_of(user), _head_of(user), user.local_date(now))


def read(seen: Seen, names: Iterable[str]) -> tuple[Head, StateSlice]:
    """The records of some collections, in order of their ids, and the moment they are from.

    Raises CodeMoved.
    """
    kinds = {seen.project.collections[name].full_name: name for name in names}
    with snapshot():
        head = _head_of(MemoryUser.objects.get(pk=seen.user_id))
        if head.tree != seen.head.tree:
            raise CodeMoved
        found = Record.objects.filter(user_id=seen.user_id, kind__in=kinds).order_by()
        rows = list(found.values_list("kind", "record_id", "source"))
    rows.sort()
    sources: dict[str, list[str]] = defaultdict(list)
    for kind, _, source in rows:
        sources[kinds[kind]].append(source)
    return head, StateSlice({name: sources[name] for name in sorted(kinds.values())})


def look_back(known: Then) -> Seen:
    """A person as of an earlier moment, without their records."""
    project = known.code.project
    head = Head(known.fact_seq, known.reading_seq, project.digest)
    return Seen(known.user.pk, project, head, known.today, past=True)


def read_back(known: Then, names: Iterable[str]) -> StateSlice:
    """The records of some collections that there were then, in order of their ids."""
    kinds = {known.code.project.collections[name].full_name: name for name in names}
    sources: dict[str, list[str]] = defaultdict(list)
    for (kind, _), row in known.records(kinds).items():
        sources[kinds[kind]].append(row.source)
    return StateSlice({name: sources[name] for name in sorted(kinds.values())})


def _head_of(user: MemoryUser) -> Head:
    return Head(user.fact_seq, user.reading_seq, user.tree)
