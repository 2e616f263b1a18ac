"""What the model noticed, as items of the review queue (`AlertsConfig.ready` registers it)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, QuerySet, TextField, Value, When
from django.db.models.functions import Cast

from alerts import access
from alerts.models import Alert, AlertEvent, EventKind, Status
from alerts.views.forms import DismissForm
from memory.access import Somebody
from memory.code import projects_of
from memory.models import MemoryUser, ProposalOrigin
from memory.project.danger import DANGERS
from memory.project.tree import Project
from memory.queue.asked import Asked
from memory.queue.sources import entries
from memory.rights import Right
from memory.views.values import cut, describe

SHOWN_RECORDS = 4
LONGEST_QUOTE = 400
GRAVE = Case(
    *(When(severity=name, then=Value(rank)) for rank, name in enumerate(DANGERS[:-1])),
    default=Value(len(DANGERS) - 1),
)


@dataclass(frozen=True)
class ConcernRow:
    """A concern as a line of the queue; `records` are those it names, in words."""

    alert: Alert
    records: tuple[str, ...]
    more_records: int
    decided: AlertEvent | None
    form: DismissForm
    template: str = "alerts/queue_concern.html"

    @property
    def person(self) -> MemoryUser:
        """Whom it is about."""
        return self.alert.user

    @property
    def quote(self) -> str:
        """The words that it rests on."""
        return cut(self.alert.quote, LONGEST_QUOTE)

    @property
    def domains(self) -> list[str]:
        """The domains of the records it names."""
        return sorted({one["kind"].partition(".")[0] for one in self.alert.evidence})


class Concerns:
    """Concerns about the people for whom somebody may dismiss them or ask for a rule."""

    name = "concern"
    right = Right.CONCERNS_DECIDE

    def waiting(self) -> QuerySet[Any]:
        """Those that are open; of one sent on nothing is to be decided until a rule is proposed."""
        return self._entries(Alert.every.concerns().filter(status=Status.OPEN), "opened_at")

    def asked(self, somebody: Somebody, asked: Asked) -> QuerySet[Any] | None:
        """Those that somebody may decide and asks for; the model noticed them all."""
        if asked.status not in ("open", "decided") or asked.by not in ("", ProposalOrigin.MODEL):
            return None
        found = access.concerns(somebody)
        if asked.is_open:
            found = found.filter(status=Status.OPEN)
        else:
            found = found.filter(status__in=(Status.ACKNOWLEDGED, Status.OVERRIDDEN))
        if asked.domain:
            # A text cannot pass for a kind: its quotes are escaped
            named = f'"kind": "{asked.domain}.'
            found = found.alias(named=Cast("evidence", TextField())).filter(named__contains=named)
        return self._entries(found, "opened_at" if asked.is_open else "changed_at")

    def rows(self, keys: Sequence[str], now: datetime) -> Mapping[str, ConcernRow]:
        """Three queries, and those for code that is not at hand yet."""
        found = list(Alert.every.concerns().filter(pk__in=keys).select_related("user"))
        projects = projects_of(one.user for one in found)
        decided = _decided(found)
        return {str(one.pk): _row(one, projects[one.user_id], decided.get(one.pk)) for one in found}

    def _entries(self, found: QuerySet[Any], since: str) -> QuerySet[Any]:
        return entries(found, self.name, grave=GRAVE, since=since)


def _row(alert: Alert, project: Project, decided: AlertEvent | None) -> ConcernRow:
    shown = alert.evidence[:SHOWN_RECORDS]
    return ConcernRow(
        alert=alert,
        records=tuple(_words(one, project) for one in shown),
        more_records=len(alert.evidence) - len(shown),
        decided=decided,
        form=DismissForm(auto_id=f"concern-{alert.pk}-%s"),
    )


def _words(record: Mapping[str, Any], project: Project) -> str:
    kind = project.kinds.get(record["kind"])
    if kind is None or not record["data"]:
        return f"{record['kind']}: {record['id']}"
    return describe(kind, record["data"])


def _decided(found: Sequence[Alert]) -> dict[int, AlertEvent]:
    """The last decision on each of these, with who made it."""
    past = [one.pk for one in found if one.status != Status.OPEN]
    if not past:
        return {}
    events = AlertEvent.objects.filter(
        alert__in=past, kind__in=(EventKind.DISMISSED, EventKind.SENT)
    )
    return {one.alert_id: one for one in events.select_related("actor").order_by("pk")}
