"""What a person's alerts would be from an empty alert table; nothing is stored.

It is compared with the alerts that stand; and every alert that was ever cleared is compared with
what the rules find in the state as it was then, folded anew from the log.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from alerts.evaluation.diff import SHOWN, contents_of
from alerts.evaluation.engine import failure_of
from alerts.evaluation.queries import Mark
from alerts.evaluation.run import queue_limits
from alerts.evaluation.scene import findings_in
from alerts.evaluation.snapshot import Snapshot, take
from alerts.models import Alert, AlertEvent, EventKind
from memory.actions.project_state import Key, record_of, statement_of
from memory.code import code_of
from memory.models import MemoryUser, ReadingBody
from memory.project.bundle import StateSlice
from memory.project.fold import Statement, fold

Alerts = dict[str, dict[str, Any]]  # what each alert shows, by its dedupe key


def differences(wanted: Mapping[str, Any], standing: Mapping[str, Any]) -> list[str]:
    """How the alerts that stand differ from those that should: a line for each."""
    lines = []
    for key in sorted(wanted.keys() | standing.keys()):
        if key not in standing:
            lines.append(f"missing: {wanted[key]}")
        elif key not in wanted:
            lines.append(f"superfluous: {standing[key]}")
        elif wanted[key] != standing[key]:
            lines.append(f"different: {standing[key]}, should be {wanted[key]}")
    return lines


def standing_alerts(user_id: UUID) -> Alerts:
    """The active alerts as stored."""
    return {
        alert.dedupe_key: {name: getattr(alert, name) for name in ("rule", "fingerprint", *SHOWN)}
        for alert in Alert.objects.active().filter(user_id=user_id)
    }


def alerts_afresh(user_id: UUID, now: datetime) -> Alerts:
    """The alerts that all rules find in the records as stored, from an empty alert table."""
    return _alerts(take(user_id, now=now, afresh=True), now)


def _alerts(seen: Snapshot, now: datetime) -> Alerts:
    today = seen.user.local_date(now)
    found = findings_in(seen, today=today, limits=queue_limits())
    findings, contents = contents_of(seen, found)
    failures = [failure_of(rule, reason) for rule, reason in findings.failed.items()]
    return {
        finding.dedupe_key: {"rule": finding.rule, **contents[finding.dedupe_key]}
        for finding in (*findings.found, *failures)
    }


class Past:
    """A person's log, from which the state after any fact can be folded again."""

    def __init__(self, user: MemoryUser) -> None:
        self.user = user
        self.said: dict[Key, list[Statement]] = defaultdict(list)
        bodies = ReadingBody.objects.filter(user=user).order_by("seq")
        for canonical in bodies.values_list("canonical", flat=True):
            key, statement = statement_of(canonical)
            self.said[key].append(statement)
        self._found: dict[int, Alerts] = {}

    def alerts_after(self, fact_seq: int, now: datetime) -> Alerts:
        """The alerts that all rules find in the state after a fact."""
        if fact_seq not in self._found:
            self._found[fact_seq] = _alerts(self._state_after(fact_seq), now)
        return self._found[fact_seq]

    def _state_after(self, fact_seq: int) -> Snapshot:
        code = code_of(self.user)
        project = code.project
        records = {}
        sources: dict[str, list[str]] = {name: [] for name in project.collections}
        for (kind_name, record_id), said in sorted(self.said.items()):
            until = [statement for statement in said if statement.fact_seq <= fact_seq]
            folded = fold(until)
            if folded is None:
                continue
            kind = project.kinds[kind_name]
            row = record_of(self.user, kind, record_id, folded, until)
            sources[kind.collection].append(row.source)
            records[kind_name, record_id] = (
                kind_name,
                record_id,
                row.source,
                json.dumps(row.data),
                json.dumps(row.facts),
            )
        return Snapshot(
            user=self.user,
            before=Mark(),
            after=Mark(fact_seq=fact_seq),
            rules=tuple(project.rules.values()),
            records=records,
            state=StateSlice(sources),
            first=True,
            code=code,
            active=(),
        )


def wrongly_cleared(past: Past, events: Iterable[AlertEvent]) -> list[str]:
    """The alerts that were cleared although their cause held in the state they were cleared for."""
    return [
        f"{event.alert.summary}: cleared after fact {event.fact_seq}"
        for event in events
        if event.kind == EventKind.CLEARED
        and event.alert.dedupe_key in past.alerts_after(event.fact_seq, event.at)
    ]


def wrong_moments(past: Past, events: Iterable[AlertEvent]) -> list[str]:
    """The facts after which, by the events, other alerts stood than the rules find there."""
    by_fact: dict[int, list[AlertEvent]] = defaultdict(list)
    for event in events:
        by_fact[event.fact_seq].append(event)
    stood: set[str] = set()
    wrong = []
    for fact_seq, some in sorted(by_fact.items()):
        for event in some:
            if event.kind == EventKind.CLEARED:
                stood.discard(event.alert.dedupe_key)
            else:
                stood.add(event.alert.dedupe_key)
        if stood != set(past.alerts_after(fact_seq, some[0].at)):
            wrong.append(f"after fact {fact_seq}")
    return wrong
