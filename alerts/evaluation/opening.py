"""Open alerts: their rows and their events, in as few round trips as the engine allows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import DateTimeField

from alerts.evaluation.queries import Mark, as_stored, moving, places
from alerts.models import EVENT_LOCK, PAST, Alert, EventKind, Status
from memory.library.reference import load
from memory.rows import insert_rows

OpenedRow = tuple[int, int, str]
"""The event's id, the alert's id and its dedupe key."""


@dataclass(frozen=True)
class Opening:
    """Alerts to open for a person: what the evaluation saw, and each alert's columns by name."""

    user_id: UUID
    before: Mark
    after: Mark
    now: datetime
    rows: Sequence[Mapping[str, Any]]

    @property
    def shared(self) -> dict[str, Any]:
        """The columns that are the same in every alert."""
        return {
            "user_id": self.user_id,
            "status": Status.OPEN,
            "version": self.after.version,
            "tables": load().digest,
            "fact_seq": self.after.fact_seq,
            "reading_seq": self.after.reading_seq,
            "found_on": self.after.local_date,
            "opened_at": self.now,
            "changed_at": self.now,
            "status_at": self.now,
        }


_COLUMNS = {
    "rule": "text",
    "origin": "text",
    "dedupe_key": "text",
    "severity": "text",
    "summary": "text",
    "detail": "text",
    "grade": "text",
    "action": "text",
    "due": "date",
    "basis": "jsonb",
    "unknown": "jsonb",
    "evidence": "jsonb",
    "fingerprint": "text",
}
_EVENT = """
INSERT INTO alerts_alertevent
       (alert_id, user_id, kind, at, reason, comment, severity, after_seq, fact_seq)
SELECT new.id, %s, %s, %s, '', '', new.severity, %s, %s
"""
_PAST = "(" + ", ".join(f"'{status}'" for status in PAST) + ")"  # so that their index serves
# An alert that is over stays over: the next of its kind goes on counting.
# The lock lets the ids of events commit in order; it is taken before an id is.
_OPEN = f"""
opened AS (
  INSERT INTO alerts_alert (user_id, status, version, tables, fact_seq, reading_seq, found_on,
                            opened_at, changed_at, status_at, recurrences, first_opened_at,
                            {", ".join(_COLUMNS)})
  SELECT %s, %s, %s, %s, %s, %s, %s::date, %s, %s, %s,
         COALESCE(last.recurrences + 1, 0), COALESCE(last.first_opened_at, %s),
         {", ".join(f"one.{name}" for name in _COLUMNS)}
  FROM {{source}}
       jsonb_to_recordset(%s::jsonb)
       AS one({", ".join(f"{name} {what}" for name, what in _COLUMNS.items())})
       LEFT JOIN LATERAL (
         SELECT past.recurrences, past.first_opened_at FROM alerts_alert AS past
         WHERE past.user_id = %s AND past.dedupe_key = one.dedupe_key AND past.status IN {_PAST}
         ORDER BY past.id DESC LIMIT 1
       ) AS last ON true
  RETURNING id, dedupe_key, severity
), told AS (
  {_EVENT} FROM opened AS new CROSS JOIN (SELECT pg_advisory_xact_lock(%s)) AS held
  ORDER BY new.id RETURNING id, alert_id
)
"""  # noqa: S608  (our names)
_TOLD = """
SELECT told.id, opened.id, opened.dedupe_key
FROM {source} told JOIN opened ON opened.id = told.alert_id ORDER BY told.id
"""


def open_and_move(opening: Opening) -> list[OpenedRow] | None:
    """Set the watermark, if it is still where it was, and open alerts: one statement.

    None, and nothing done, if it was not. On PostgreSQL only.
    """
    move, parameters = moving(opening.user_id, opening.before, opening.after, opening.now)
    if not opening.rows:
        moved = _rows(f"{move} RETURNING 1", parameters)
        return [] if moved else None
    opened = _OPEN.format(source="moved CROSS JOIN")
    rows = _rows(
        f"WITH moved AS ({move} RETURNING 1), {opened} {_TOLD.format(source='')}",
        [*parameters, *_parameters(opening)],
    )
    return rows or None


def open_alerts(opening: Opening) -> list[OpenedRow]:
    """Open alerts, inside a transaction that has moved the watermark."""
    if connection.vendor == "postgresql":
        statement = f"WITH {_OPEN.format(source='')} {_TOLD.format(source='')}"
        return _rows(statement, _parameters(opening))
    keys = [row["dedupe_key"] for row in opening.rows]
    counted = _counted(opening, keys)
    insert_rows(
        Alert,
        shared=opening.shared,
        columns=(*_COLUMNS, "recurrences", "first_opened_at"),
        rows=[
            [*(row[name] for name in _COLUMNS), *counted.get(row["dedupe_key"], (0, opening.now))]
            for row in opening.rows
        ],
    )
    return _rows(
        f"{_EVENT} FROM alerts_alert AS new WHERE new.user_id = %s AND new.status = %s "  # noqa: S608
        f"AND new.dedupe_key IN ({places(keys)}) ORDER BY new.id RETURNING id, alert_id, "
        "(SELECT dedupe_key FROM alerts_alert AS its WHERE its.id = alert_id)",
        [*_of_event(opening), as_stored(opening.user_id), str(Status.OPEN), *keys],
    )


def _counted(opening: Opening, keys: Sequence[str]) -> dict[str, tuple[int, datetime]]:
    """How often each cause will have come back, and when it first came, of those known before."""
    past = Alert.every.filter(user=opening.user_id, dedupe_key__in=keys, status__in=PAST)
    rows = past.order_by("pk").values_list("dedupe_key", "recurrences", "first_opened_at")
    return {key: (count + 1, first) for key, count, first in rows}


def _parameters(opening: Opening) -> list[Any]:
    shared = [str(one) if isinstance(one, Status) else one for one in opening.shared.values()]
    rows = json.dumps([dict(row) for row in opening.rows], ensure_ascii=False)
    own = [*shared, opening.now, rows, opening.user_id]
    return [*own, *_of_event(opening), EVENT_LOCK]


def _of_event(opening: Opening) -> list[Any]:
    moment = DateTimeField().get_db_prep_value(opening.now, connection)
    user = as_stored(opening.user_id)
    seqs = [opening.before.fact_seq, opening.after.fact_seq]
    return [user, str(EventKind.OPENED), moment, *seqs]


def _rows(statement: str, parameters: Sequence[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())
