"""What the model noticed while it read, shown until a rule says it or a person decides."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from alerts.early.shared import as_they_stand, event_of, locked, record
from alerts.evaluation.compare import fingerprint
from alerts.evaluation.engine import EvidenceRef, dedupe_key
from alerts.models import Alert, AlertEvent, EventKind, Origin, Severity, Status
from memory.code import project_of
from memory.evaluator import Concern
from memory.library.reference import load
from memory.models import MemoryUser
from memory.views.values import cut

logger = logging.getLogger(__name__)

MOST_OPEN = 20
"""Concerns of one person that are open at a time; those sent on or dismissed are not counted."""
LONGEST_SUMMARY = 140
GAVE_WAY = f"Gave way to graver or newer ones: at most {MOST_OPEN} are kept open."

Said = tuple[int, Sequence[Mapping[str, Any]]]
"""The id of an alert that an evaluation opened or changed, and its evidence."""


def notice(*, user: MemoryUser, concerns: Sequence[Concern], now: datetime) -> None:
    """Open each concern that does not stand or was not dismissed already.

    Inside the caller's transaction, as the last thing it does (`early.record`). Of more than
    `MOST_OPEN` the oldest information gives way first, then the oldest warning, with an event.
    """
    if not concerns:
        return
    user = locked(user)
    named = {pair for concern in concerns for pair in concern.records}
    evidence = as_they_stand(user, named)
    shared = {"user": user, "version": project_of(user).digest, "tables": load().digest}
    rows = {one.dedupe_key: one for one in (_row(one, evidence, shared, now) for one in concerns)}
    known = Alert.every.active().filter(user=user, dedupe_key__in=rows)
    for key in known.values_list("dedupe_key", flat=True):
        del rows[key]
    opened = Alert.every.bulk_create(rows.values())
    events = [event_of(one, EventKind.OPENED, now) for one in opened]
    record([*events, *_give_way(user, now)])


def _row(
    concern: Concern,
    evidence: Mapping[tuple[str, str], Mapping[str, Any]],
    shared: Mapping[str, Any],
    now: datetime,
) -> Alert:
    refs = [EvidenceRef(*pair) for pair in dict.fromkeys(concern.records)]
    shown = {
        "severity": concern.severity,
        "summary": cut(concern.summary, LONGEST_SUMMARY),
        "detail": concern.detail,
        "evidence": [evidence[ref] for ref in refs],
        "quote": concern.quote,
    }
    return Alert(
        **shared,
        **shown,
        origin=Origin.CONCERN,
        dedupe_key=dedupe_key(Origin.CONCERN, "", concern.quote, refs),
        fingerprint=fingerprint(shown),
        message_seq=concern.message_seq,
        facts=sorted(concern.facts),
        fact_seq=shared["user"].fact_seq,
        opened_at=now,
        changed_at=now,
        status_at=now,
        first_opened_at=now,
    )


def _give_way(user: MemoryUser, now: datetime) -> list[AlertEvent]:
    """Clear the open concerns that are too many, the oldest information first."""
    standing = Alert.every.concerns().filter(user=user, status=Status.OPEN).select_for_update()
    ranked = sorted(standing, key=lambda one: (one.severity != Severity.INFO, one.pk))
    leaving = ranked[: max(len(ranked) - MOST_OPEN, 0)]
    if leaving:
        logger.warning("%s concerns about %s gave way to others", len(leaving), user.pk)
    _clear(leaving, now)
    return [event_of(one, EventKind.CLEARED, now, comment=GAVE_WAY) for one in leaving]


def standing_concerns(user_id: UUID) -> list[Alert]:
    """The concerns about a person that are open or sent on, held until the transaction ends."""
    return list(
        Alert.every.concerns().standing().filter(user=user_id).order_by("pk").select_for_update()
    )


def clear_said(
    concerns: Sequence[Alert], said: Sequence[Said], fact_seq: int, now: datetime
) -> None:
    """Clear the concerns that one of these alerts now says, each with an event that names it."""
    saying = {
        one.pk: alert_id for alert_id, rests_on in said for one in concerns if covers(rests_on, one)
    }
    cleared = [one for one in concerns if one.pk in saying]
    for one in cleared:
        one.fact_seq = fact_seq
    _clear(cleared, now)
    record([event_of(one, EventKind.CLEARED, now, said_by_id=saying[one.pk]) for one in cleared])


def covers(evidence: Sequence[Mapping[str, Any]], concern: Alert) -> bool:
    """Whether an alert with this evidence speaks of what a concern speaks of.

    It rests on one of the concern's records and on a fact that the concern's message was read as;
    or on all of its records, where these are several or it has no fact.
    """
    named = {(one["kind"], one["id"]) for one in concern.evidence}
    rests_on = {(one["kind"], one["id"]) for one in evidence}
    facts = {seq for one in evidence for seq in one["facts"]}
    if not facts.isdisjoint(concern.facts or ()) and not named.isdisjoint(rests_on):
        return True
    return named <= rests_on and (len(named) > 1 or not concern.facts)


def _clear(concerns: Sequence[Alert], now: datetime) -> None:
    for one in concerns:
        one.status, one.status_at, one.changed_at = Status.RESOLVED, now, now
    Alert.every.bulk_update(concerns, ["status", "status_at", "changed_at", "fact_seq"])
