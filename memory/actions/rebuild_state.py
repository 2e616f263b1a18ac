"""Rebuild a person's records from the log, or compare them with it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory import audit
from memory.actions.project_state import Key, record_of, statement_in, waits
from memory.actions.wait import list_waiting
from memory.code import project_of
from memory.models import MemoryUser, ReadingBody, Record, Waiting
from memory.project.fold import Statement, fold
from memory.project.schema import Kind
from memory.waiting import waiting_among

COMPARED = ("data", "facts", "reading_seq", "source")


@dataclass(frozen=True)
class Difference:
    """What is not as the log has it: missing, superfluous or different.

    A record, or the place of a waiting reading (`reading 7`) on the list of those.
    """

    kind: str
    record_id: str
    what: str


@transaction.atomic
def rebuild_state(*, user_id: UUID, check_only: bool) -> list[Difference]:
    """How the state differs from what the log amounts to; unless `check_only`, mend it.

    The state is the records, as the person's own project has their kinds, and the list of readings
    that wait.
    """
    user = MemoryUser.objects.select_for_update().get(pk=user_id)
    bodies = list(_bodies(user))
    wanted = records_from(user, bodies, project_of(user).kinds)
    stored = {(row.kind, row.record_id): row for row in Record.objects.filter(user=user)}
    differences = _differences(wanted, stored)
    if differences and not check_only:
        Record.objects.filter(user=user).delete()
        Record.objects.bulk_create(wanted.values())
    waiting = waiting_among(bodies)
    unlisted = _waiting_differences(user, waiting)
    if unlisted and not check_only:
        list_waiting(user=user, kinds=waiting)
    if (differences or unlisted) and not check_only:
        audit.record("state.rebuild", actor=audit.CONSOLE, now=timezone.now(), person=user.pk)
    return [*differences, *unlisted]


def render_again(*, user: MemoryUser, kinds: Mapping[str, Kind], changed: Collection[str]) -> None:
    """Fold the records of these kinds anew; a kind that is gone leaves none."""
    if not changed:
        return
    Record.objects.filter(user=user, kind__in=changed).delete()
    records = records_from(user, _bodies(user, changed), kinds)
    Record.objects.bulk_create(records.values())


def _bodies(user: MemoryUser, kinds: Collection[str] | None = None) -> Iterator[dict[str, Any]]:
    rows = ReadingBody.objects.filter(user=user).order_by("seq")
    if kinds is not None:
        rows = rows.filter(kind__in=kinds)
    for canonical in rows.values_list("canonical", flat=True).iterator():
        yield json.loads(canonical)


def records_from(
    user: MemoryUser, bodies: Iterable[Mapping[str, Any]], kinds: Mapping[str, Kind]
) -> dict[Key, Record]:
    """The records that these readings (their canonical values) amount to, unsaved.

    There are none of a kind that is not there.
    """
    statements: dict[Key, list[Statement]] = defaultdict(list)
    for body in bodies:
        key, statement = statement_in(body)
        if not waits(key) and key[0] in kinds:
            statements[key].append(statement)
    records = {}
    for (kind, record_id), said in statements.items():
        folded = fold(said)
        if folded is not None:
            records[kind, record_id] = record_of(user, kinds[kind], record_id, folded, said)
    return records


def _differences(wanted: Mapping[Key, Record], stored: Mapping[Key, Record]) -> list[Difference]:
    found = []
    for key in sorted(wanted.keys() | stored.keys()):
        want, have = wanted.get(key), stored.get(key)
        if have is None:
            found.append(Difference(*key, "missing"))
        elif want is None:
            found.append(Difference(*key, "superfluous"))
        elif any(getattr(want, name) != getattr(have, name) for name in COMPARED):
            found.append(Difference(*key, "different"))
    return found


def _waiting_differences(user: MemoryUser, wanted: Mapping[int, str]) -> list[Difference]:
    stored = dict(Waiting.objects.filter(user=user).values_list("reading_seq", "kind"))
    found = []
    for seq in sorted(wanted.keys() | stored.keys()):
        want, have = wanted.get(seq), stored.get(seq)
        if have != want:
            what = "missing" if have is None else "superfluous" if want is None else "different"
            found.append(Difference(want or have or "", f"reading {seq}", what))
    return found
