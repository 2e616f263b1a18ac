"""Work out a proposal for one person from what waits; nothing is written here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.actions.project_state import statement_of
from memory.checkpointer.checks import Check, Setting, run_checks, tables_for
from memory.checkpointer.offline import structure
from memory.checkpointer.refold import StoredRecord
from memory.checkpointer.structured import Placed, Structured
from memory.checkpointer.words import reason_of, summary_of
from memory.code import Code, code_of
from memory.models import MemoryUser, ReadingBody, Record
from memory.project.shipped import library
from memory.snapshot import snapshot
from memory.waiting import WaitingReading, waiting_readings


@dataclass(frozen=True)
class Given:
    """What a person's proposal is made from, as it was at one moment."""

    user: MemoryUser
    code: Code
    waiting: tuple[WaitingReading, ...]
    known: Mapping[str, list[dict[str, Any]]]
    records: tuple[StoredRecord, ...]

    def of(self, kinds: Collection[str]) -> Given:
        """The same with only those waiting readings that are of these kinds."""
        return replace(self, waiting=tuple(one for one in self.waiting if one.kind in kinds))


@dataclass(frozen=True)
class Plan:
    """A project for a person with its checks; `parent` is the project that it changes."""

    given: Given
    structured: Structured
    checks: tuple[Check, ...]
    summary: str
    reason: str

    @property
    def failed(self) -> str:
        """The name of the check that failed, the first of them; empty where all passed."""
        return next((check.name for check in self.checks if not check.ok), "")


def given_for(user_id: UUID) -> Given:
    """Read what waits for a person, and all that a proposal has to keep."""
    with snapshot():
        user = MemoryUser.objects.get(pk=user_id)
        code = code_of(user)
        waiting = tuple(waiting_readings(user))
        outgrown = {one.kind for one in waiting} & code.own
        rows = Record.objects.filter(user=user).order_by("kind", "record_id") if waiting else ()
        return Given(
            user=user,
            code=code,
            waiting=waiting,
            known=_known(user, outgrown),
            records=tuple(StoredRecord(row.kind, row.record_id, row.data) for row in rows),
        )


def _known(user: MemoryUser, kinds: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """What has been said of the records of some kinds; a withdrawal may bring any of it back."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in kinds}
    bodies = ReadingBody.objects.filter(user=user, kind__in=found).exclude(record_id="")
    for canonical in bodies.order_by("seq").values_list("canonical", flat=True):
        (kind, _), said = statement_of(canonical)
        if said.op in ("assert", "update"):
            found[kind].append(said.data)
    return found


def structure_given(given: Given) -> Structured:
    """The person's project with a place for what waits, as far as there can be one."""
    fixed = given.code.project.kinds.keys() - given.code.own
    return structure(given.code.project, given.waiting, fixed=fixed, known=given.known)


def plan_for(given: Given, structured: Structured, *, now: datetime) -> Plan:
    """The project with its checks and the words for it. Raises NoWorker."""
    before = given.code.project
    tables = tables_for(structured.project)
    setting = Setting(library(), tables, given.user.local_date(now))
    records = [*given.records, *map(_record, structured.placed)]
    return Plan(
        given=given,
        structured=structured,
        checks=run_checks(structured.project, setting, records),
        summary=summary_of(before, structured),
        reason=reason_of(structured),
    )


def _record(placed: Placed) -> StoredRecord:
    return StoredRecord(placed.kind, placed.record_id, placed.data)
