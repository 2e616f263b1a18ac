"""The statements of every evaluation, written out.

Building them through the ORM takes longer than running them, and an evaluation inside a request is
mostly that. `Snapshot` and `apply_changes` say what they mean.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import DateField, DateTimeField, UUIDField

from alerts.evaluation.compare import Standing
from alerts.models import CURRENT, RULED, Origin, Status
from memory.models import MemoryUser


@dataclass(frozen=True)
class Mark:
    """How far a person has been (or is about to be) evaluated; the fields of `Watermark`."""

    fact_seq: int = 0
    reading_seq: int = 0
    version: str = ""
    ground: str = ""
    local_date: date | None = None


@dataclass(frozen=True)
class Head:
    """A person's heads, zone and code, their watermark if any, the kinds read after it, and all
    their current alerts (no early words) in order of their ids; and whether concerns stand."""

    user: MemoryUser
    mark: Mark | None
    new_kinds: frozenset[str]
    standing: tuple[Standing, ...]
    noticed: bool


_HEAD = """
SELECT person.external_id, person.timezone, person.fact_seq, person.reading_seq,
       person.tree, person.baseline,
       mark.fact_seq, mark.reading_seq, mark.version, mark.ground, mark.local_date,
       (SELECT {kinds} FROM memory_readingbody AS said
        WHERE said.user_id = person.id AND said.seq > COALESCE(mark.reading_seq, 0)),
       (SELECT {alerts} FROM alerts_alert AS one
        WHERE one.user_id = person.id AND one.status IN {current} AND one.origin IN {ruled}),
       EXISTS (SELECT 1 FROM alerts_alert AS one
               WHERE one.user_id = person.id AND one.status IN {current}
                 AND one.status <> '{overridden}' AND one.origin = '{concern}')
FROM memory_memoryuser AS person LEFT JOIN alerts_watermark AS mark ON mark.user_id = person.id
WHERE person.id = %s AND person.erased_at IS NULL
"""
_STANDING = ", ".join(f"one.{field.name}" for field in fields(Standing)).replace("alert_id", "id")
# Written out, so that the index of current alerts serves: resolved ones only ever grow in number
_WRITTEN = {
    "current": "(" + ", ".join(f"'{status}'" for status in CURRENT) + ")",
    "ruled": "(" + ", ".join(f"'{origin}'" for origin in RULED) + ")",
    "overridden": Status.OVERRIDDEN,
    "concern": Origin.CONCERN,
}
_GATHERED = {
    "postgresql": {
        "kinds": "string_agg(DISTINCT said.kind, ',')",
        "alerts": f"CAST(json_agg(json_build_array({_STANDING})) AS text)",
    },
    "sqlite": {
        "kinds": "group_concat(DISTINCT said.kind)",
        "alerts": f"json_group_array(json_array({_STANDING}))",
    },
}


def read_head(user_id: UUID) -> Head:
    """Where a person's log ends and where the rules got to. Raises MemoryUser.DoesNotExist."""
    statement = _HEAD.format(**_WRITTEN, **_GATHERED[connection.vendor])
    row = _one(statement, [as_stored(user_id)])
    if row is None:
        raise MemoryUser.DoesNotExist(user_id)
    user = MemoryUser(
        id=user_id,
        external_id=row[0],
        timezone=row[1],
        fact_seq=row[2],
        reading_seq=row[3],
        tree=row[4],
        baseline=row[5],
    )
    mark = None if row[6] is None else Mark(row[6], row[7], row[8], row[9], _date(row[10]))
    standing = sorted(json.loads(row[12] or "[]"))
    new_kinds = frozenset((row[11] or "").split(",")) - {""}
    return Head(
        user, mark, new_kinds, tuple(Standing(*one) for one in standing), noticed=bool(row[13])
    )


class HeadMoved(Exception):
    """Something was appended after the head had been read."""


RecordRow = tuple[str, str, str, str, str]


def read_records(user: MemoryUser, kinds: Sequence[str]) -> list[RecordRow]:
    """Kind, id, source, and data and facts as JSON text, of each record of these kinds.

    They are the records at the heads that `user` was read with: one statement sees heads and
    records at one moment. Raises HeadMoved where the log has grown since.
    """
    if not kinds:
        return []
    rows = _all(
        "SELECT person.fact_seq, person.reading_seq, one.kind, one.record_id, one.source, "  # noqa: S608
        "CAST(one.data AS text), CAST(one.facts AS text) "
        "FROM memory_memoryuser AS person LEFT JOIN memory_record AS one "
        f"ON one.user_id = person.id AND one.kind IN ({places(kinds)}) WHERE person.id = %s",
        [*kinds, as_stored(user.pk)],
    )
    if not rows or rows[0][:2] != (user.fact_seq, user.reading_seq):
        raise HeadMoved
    return [row[2:] for row in rows if row[2] is not None]


_MOVE = """
UPDATE alerts_watermark
SET fact_seq = %s, reading_seq = %s, version = %s, ground = %s, local_date = %s, evaluated_at = %s
WHERE user_id = %s AND fact_seq = %s AND reading_seq = %s AND version = %s AND ground = %s
  AND (local_date = %s OR (local_date IS NULL AND {nothing} IS NULL))
"""


def moving(user_id: UUID, before: Mark, after: Mark, now: datetime) -> tuple[str, list[Any]]:
    """The statement that sets the watermark if it is still where it was."""
    moment = DateTimeField().get_db_prep_value(now, connection)
    nothing = "%s::date" if connection.vendor == "postgresql" else "%s"
    was = _stored(before)
    parameters = [*_stored(after), moment, as_stored(user_id), *was, was[-1]]
    return _MOVE.format(nothing=nothing), parameters


def move_watermark(user_id: UUID, before: Mark, after: Mark, now: datetime) -> bool:
    """Set the watermark if it is still where it was; whether it was."""
    with connection.cursor() as cursor:
        cursor.execute(*moving(user_id, before, after, now))
        return bool(cursor.rowcount)


def _one(statement: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


def _all(statement: str, parameters: Sequence[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())


def places(values: Sequence[Any]) -> str:
    """A placeholder for each value."""
    return ", ".join(["%s"] * len(values))


def as_stored(value: UUID) -> Any:
    """An id as the engine at hand takes it."""
    return UUIDField().get_db_prep_value(value, connection)


def _stored(mark: Mark) -> list[Any]:
    *numbers, day = astuple(mark)
    return [*numbers, DateField().get_db_prep_value(day, connection)]


def _date(value: Any) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) else value
