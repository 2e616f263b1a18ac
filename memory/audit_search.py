"""Find events of the audit, and name who acted in words an auditor knows."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db.models import QuerySet

from memory.models import ActorKind, App, AuditEvent, AuditSeal

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
LATE = timedelta(hours=1)
COLUMNS = (
    *("id", "at", "actor_kind", "actor_id", "actor", "credential", "action", "object_kind"),
    *("object_id", "person_id", "request_id", "address", "outcome", "digest"),
)


@dataclass(frozen=True)
class Search:
    """What an auditor looks for; an empty field looks for anything. Days are of UTC."""

    actor_kind: str = ""
    actor: str = ""
    action: str = ""
    person: UUID | None = None
    request_id: str = ""
    address: str = ""
    outcome: str = ""
    since: date | None = None
    until: date | None = None

    def events(self) -> QuerySet[AuditEvent]:
        """The events found, the newest first."""
        found = AuditEvent.objects.order_by("-pk")
        for name, value in (
            ("actor_kind", self.actor_kind),
            ("person_id", self.person),
            ("request_id", self.request_id),
            ("address", self.address),
            ("outcome", self.outcome),
        ):
            if value:
                found = found.filter(**{name: value})
        if self.actor:
            found = found.filter(actor_id__in=_ids_of(self.actor))
        if self.action:
            found = found.filter(action__startswith=self.action)
        if self.since:
            found = found.filter(at__gte=_midnight(self.since), pk__gt=_sealed_by(self.since))
        if self.until:
            after = self.until + timedelta(days=1)
            found = found.filter(at__lt=_midnight(after), **_at_most(after))
        return found


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.utc)  # noqa: UP017


def _sealed_by(day: date) -> int:
    """An id that no event of the day or later is at or below: time is told by the seals.

    An hour is allowed for what was committed late.
    """
    before = AuditSeal.objects.filter(sealed_at__lt=_midnight(day) - LATE)
    return before.order_by("-number").values_list("last_event", flat=True).first() or 0


def _at_most(day: date) -> dict[str, int]:
    """A bound on the ids of all events before a day, where a seal tells one."""
    later = AuditSeal.objects.filter(sealed_at__gt=_midnight(day) + LATE)
    last = later.order_by("number").values_list("last_event", flat=True).first()
    return {} if last is None else {"pk__lte": last}


def _ids_of(actor: str) -> list[str]:
    """The ids of staff and apps with this name, and the text itself, which may be an id."""
    staff = Staff.objects.filter(username=actor).values_list("pk", flat=True)
    apps = App.objects.filter(name=actor).values_list("pk", flat=True)
    return [actor, *(str(pk) for pk in (*staff, *apps))]


def names_of(events: Iterable[AuditEvent]) -> Mapping[tuple[str, str], str]:
    """The names of the staff and apps that acted, by kind and id; two queries."""
    ids: dict[str, set[str]] = {ActorKind.STAFF: set(), ActorKind.APP: set()}
    for event in events:
        if event.actor_kind in ids:
            ids[event.actor_kind].add(event.actor_id)
    staff = Staff.objects.filter(pk__in=ids[ActorKind.STAFF]).values_list("pk", "username")
    apps = App.objects.filter(pk__in=ids[ActorKind.APP]).values_list("pk", "name")
    return {
        **{(str(ActorKind.STAFF), str(pk)): name for pk, name in staff},
        **{(str(ActorKind.APP), str(pk)): name for pk, name in apps},
    }


class _Line:
    """A file that hands back each line written to it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(events: Iterable[AuditEvent]) -> Iterator[str]:
    """The events as CSV, a line each after the header, no cell of which is a formula."""
    writer = csv.writer(_Line())
    names: dict[tuple[str, str], str] = {}
    yield writer.writerow(COLUMNS)
    for event in events:
        key = (event.actor_kind, event.actor_id)
        if key not in names:
            names[key] = names_of([event]).get(key, "")
        row = {name: getattr(event, name, "") for name in COLUMNS}
        row |= {"actor": names[key], "at": event.at.isoformat()}
        yield writer.writerow([cell(row[name]) for name in COLUMNS])


def cell(value: object) -> str:
    """A value that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
