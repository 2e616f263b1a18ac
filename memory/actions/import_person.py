"""Bring a person in from their bundle, entry by entry as they were hashed, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction

from memory import audit
from memory.actions.baseline import SETTLED, settle
from memory.actions.index_words import enqueue_index
from memory.actions.jobs import enqueue
from memory.actions.rebuild_state import rebuild_state
from memory.code import project_of
from memory.models import App, CarePlacement, MemoryUser, ReadingBody, Record
from memory.project.chain import parse_moment
from memory.project.person_bundle import STREAMS, Checked, check, files_in
from memory.verification import CHAINS, breaks_of

PERSON = "person.json"
AT_ONCE = 1_000
Row = Mapping[str, Any]


class NotImportable(ValueError):
    """A bundle that is not brought in; the message says why."""


@dataclass(frozen=True)
class Imported:
    """Who came, how many entries, and the kinds of theirs that nobody has approved here.

    `own_code` says whether the bundle has code of the person's own, which is not brought in.
    """

    user: MemoryUser
    entries: int
    records: int
    unknown_kinds: tuple[str, ...]
    own_code: bool


@transaction.atomic
def import_person(*, raw: bytes, app: App, now: datetime) -> Imported:
    """Store the log of a bundle for a person who is not here, and make their state from it.

    Digests and chains are computed again before, and what was stored is verified after. The person
    keeps their id, which the chains cover; an app of this site introduces them. Raises NotABundle
    and NotImportable.
    """
    checked = check(raw)
    if checked.faults:
        raise NotImportable(f"the bundle does not hold: {checked.faults[0]}")
    files = files_in(raw)
    try:
        return _import(checked, files, app, now)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, NotImportable):
            raise
        raise NotImportable(f"it lacks what a person needs: {error}") from error
    except (DataError, IntegrityError) as error:
        raise NotImportable("a value in it is longer than it may be, or there twice") from error


def _import(checked: Checked, files: Mapping[str, bytes], app: App, now: datetime) -> Imported:
    told = json.loads(files[PERSON])
    user = _person(told, checked.manifest, app)
    for chain in CHAINS:
        rows = list(_rows(files[STREAMS[str(chain.stream)]]))
        _apps(rows, now)
        _store(chain.entries, rows, user)
        _store(chain.bodies, rows, user)
    settle(user, now)
    user.save(update_fields=SETTLED)
    if broken := breaks_of(user):
        one = broken[0]
        raise NotImportable(f"{one.stream} {one.seq} does not hold: {one.reason}")
    rebuild_state(user_id=user.pk, check_only=False)
    audit.record(
        "person.import",
        actor=audit.CONSOLE,
        now=now,
        person=user.pk,
        of="bundle",
        object_id=checked.digest,
    )
    enqueue(name="evaluate", user=user, now=now)
    enqueue_index(user=user, now=now)
    own = bool(told["tree"]) and told["tree"] != told["baseline"]
    return _told(user, checked.entries, own)


def _person(told: Row, manifest: Row, app: App) -> MemoryUser:
    """The person's row with the heads of their chains. Raises NotImportable."""
    user_id = UUID(manifest["user_id"])
    if told["id"] != str(user_id) or told["erased_at"] is not None:
        raise NotImportable("its person is another than its log's")
    if MemoryUser.everybody.filter(pk=user_id).exists():
        raise NotImportable(f"{user_id} is here already, or has been erased")
    heads = {
        f"{stream}_{part}": manifest["heads"][stream][part if part == "seq" else "hash"]
        for stream in STREAMS
        for part in ("seq", "head")
    }
    user = MemoryUser(
        id=user_id,
        external_id=told["external_id"],
        display_name=told["display_name"],
        timezone=told["timezone"],
        created_at=parse_moment(told["created_at"]),
        created_by=app,
        **heads,
    )
    try:
        user.clean_fields(exclude=["created_by"])
    except ValidationError as error:
        raise NotImportable(" ".join(error.messages)) from error
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError as error:
        detail = f"the app {app.name!r} calls somebody else {user.external_id!r}"
        raise NotImportable(detail) from error
    if app.team_id is not None:
        CarePlacement.objects.create(user=user, team_id=app.team_id, starts_at=user.created_at)
    return user


def _rows(raw: bytes) -> Iterator[Row]:
    for line in raw.decode().split("\n"):
        if line:
            yield json.loads(line)


def _apps(rows: list[Row], now: datetime) -> None:
    """The apps that posted facts elsewhere, known by their ids; they have no keys here."""
    ids = {UUID(row["app_id"]) for row in rows if "app_id" in row}
    known = set(App.objects.filter(pk__in=ids).values_list("pk", flat=True))
    for app_id in sorted(ids - known):
        App.objects.create(id=app_id, name=f"elsewhere {app_id}", created_at=now)


def _store(model: type[Any], rows: list[Row], user: MemoryUser) -> None:
    fields = [field for field in model._meta.concrete_fields if field.name not in ("pk", "user")]
    model._default_manager.bulk_create(
        [
            model(user=user, **{one.attname: _value(one, row[one.attname]) for one in fields})
            for row in rows
        ],
        batch_size=AT_ONCE,
    )


def _value(field: models.Field[Any, Any], value: Any) -> Any:
    return parse_moment(value) if isinstance(field, models.DateTimeField) else value


def _told(user: MemoryUser, entries: int, own_code: bool) -> Imported:
    user.refresh_from_db()
    kinds = set(
        ReadingBody.objects.filter(user=user).exclude(record_id="").values_list("kind", flat=True)
    )
    records = Record.objects.filter(user=user)
    known = set(project_of(user).kinds)
    return Imported(user, entries, records.count(), tuple(sorted(kinds - known)), own_code)
