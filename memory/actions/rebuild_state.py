"""Rebuild a person's records from the log, or compare them with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from memory.actions.project_state import Key, record_of, statement_of
from memory.models import MemoryUser, ReadingBody, Record
from memory.project.fold import Statement, fold
from memory.project.schema import Kind

COMPARED = ("data", "facts", "reading_seq", "source")


@dataclass(frozen=True)
class Difference:
    """A record that is not what the log amounts to: missing, superfluous or different."""

    kind: str
    record_id: str
    what: str


@transaction.atomic
def rebuild_state(
    *, user_id: UUID, kinds: Mapping[str, Kind], check_only: bool
) -> list[Difference]:
    """How the records differ from what the log amounts to; unless `check_only`, mend them."""
    user = MemoryUser.objects.select_for_update().get(pk=user_id)
    wanted = _from_log(user, kinds)
    stored = {(row.kind, row.record_id): row for row in Record.objects.filter(user=user)}
    differences = _differences(wanted, stored)
    if differences and not check_only:
        Record.objects.filter(user=user).delete()
        Record.objects.bulk_create(wanted.values())
    return differences


def _from_log(user: MemoryUser, kinds: Mapping[str, Kind]) -> dict[Key, Record]:
    statements: dict[Key, list[Statement]] = defaultdict(list)
    bodies = ReadingBody.objects.filter(user=user).order_by("seq")
    for canonical in bodies.values_list("canonical", flat=True).iterator():
        key, statement = statement_of(canonical)
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
