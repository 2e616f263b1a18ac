"""Record who did what: one row a write, in its transaction, and one a request that read.

`AuditMiddleware` opens a request's note with `noted`; the actions call `record`, and the door to
people (`memory.access`) says with `saw` whose data a request reached. What was read and not written
is recorded once, when the answer is ready. Events are not chained when they are written, which
would make every writer wait for every other one: `memory.sealing` chains them in batches.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import connection
from django.db.models import DateTimeField, UUIDField

from memory import correlation
from memory.models import ActorKind, App, AppKey, Outcome
from memory.project.chain import moment
from memory.project.seals import event_digest

COLUMNS = (
    "at",
    "actor_kind",
    "actor_id",
    "credential",
    "action",
    "object_kind",
    "object_id",
    "person_id",
    "request_id",
    "address",
    "outcome",
)
# Written out: a post of a fact has this statement too, and building it would take longer
INSERT = (
    f"INSERT INTO memory_auditevent ({', '.join(COLUMNS)}, digest) "  # noqa: S608  (our names)
    f"VALUES ({', '.join(['%s'] * (len(COLUMNS) + 1))})"
)
AT, PERSON = DateTimeField(), UUIDField()
PERSON_PLACE = COLUMNS.index("person_id")


@dataclass(frozen=True)
class Actor:
    """Who acts: the id of a member of staff or of an app, and of the app's key."""

    kind: ActorKind
    id: str = ""
    credential: str = ""


SYSTEM = Actor(ActorKind.SYSTEM)
CONSOLE = Actor(ActorKind.CONSOLE)
"""Whoever may run `manage.py`."""
NOBODY = Actor(ActorKind.NOBODY)
"""Somebody who is not logged in."""


@dataclass
class Note:
    """A request under way: where it came from, and whose data it reached."""

    address: str
    seen: set[UUID] = field(default_factory=set)
    written: set[UUID | None] = field(default_factory=set)


_note: ContextVar[Note | None] = ContextVar("audit_note", default=None)


@contextmanager
def noted(note: Note) -> Iterator[Note]:
    """What is recorded inside belongs to this request."""
    token = _note.set(note)
    try:
        yield note
    finally:
        _note.reset(token)


def saw(person_id: UUID) -> None:
    """Note that the request under way reached a person's data; no query."""
    if note := _note.get():
        note.seen.add(person_id)


def actor_of(somebody: Any) -> Actor:
    """Who a member of staff, an app or its key is to the audit; None is the system itself."""
    match somebody:
        case Actor():
            return somebody
        case Staff():
            return Actor(ActorKind.STAFF, str(somebody.pk))
        case AppKey():
            return Actor(ActorKind.APP, str(somebody.app_id), str(somebody.pk))
        case App():
            return Actor(ActorKind.APP, str(somebody.pk))
        case None:
            return SYSTEM
    return NOBODY


def record(
    action: str,
    *,
    actor: Any,
    now: datetime,
    person: UUID | None = None,
    of: str = "",
    object_id: object = "",
    outcome: str = Outcome.DONE,
) -> None:
    """Record what somebody did, in the transaction at hand: one statement.

    `actor` is a member of staff, an app, an `Actor`, or None for the system. `of` and `object_id`
    name the object by its kind and id, never by a word of its content.
    """
    note = _note.get()
    who = actor_of(actor)
    if note is not None:
        note.written.add(person)
    row = (
        now,
        str(who.kind),
        who.id,
        who.credential,
        action,
        of,
        str(object_id),
        person,
        correlation.current(),
        note.address if note else "",
        str(outcome),
    )
    digest = digest_of(dict(zip(COLUMNS, row, strict=True)))
    stored = [AT.get_db_prep_value(now, connection), *row[1:], digest]
    if person is not None:
        stored[PERSON_PLACE] = PERSON.get_db_prep_value(person, connection)
    connection.cursor().execute(INSERT, stored)


def digest_of(columns: dict[str, Any]) -> str:
    """The digest of an event with these columns."""
    person = columns["person_id"]
    return event_digest(
        {
            **columns,
            "at": moment(columns["at"]),
            "person_id": None if person is None else str(person),
        }
    )
