"""Provisional alerts: what the rules of a proposal would say now, while it waits for a decision."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from alerts.early.shared import event_of, locked, record
from alerts.evaluation.compare import fingerprint
from alerts.evaluation.diff import SHOWN
from alerts.evaluation.engine import EvidenceRef, dedupe_key
from alerts.models import Alert, EventKind, Origin, Status
from memory.evaluator import Would
from memory.library.reference import load
from memory.models import MemoryUser, Proposal

CHANGING = (*SHOWN, "fingerprint", "version", "tables", "fact_seq", "proposal", "changed_at")


def show_provisional(
    *, user: MemoryUser, proposal: Proposal | None, found: Would | None, now: datetime
) -> None:
    """Let exactly this stand as provisional: what is new opens, what is gone is cleared.

    What an alert in force shows already, word for word, is not shown a second time. Inside the
    caller's transaction, as the last thing it does (`early.record`).
    """
    user = locked(user)
    standing = {
        one.dedupe_key: one
        for one in Alert.every.provisional().active().filter(user=user).order_by("pk")
    }
    wanted = _wanted(user, proposal, found, now)
    opened = [row for key, row in wanted.items() if key not in standing]
    changed = [
        _changed(old, wanted[key])
        for key, old in standing.items()
        if key in wanted and _differs(old, wanted[key])
    ]
    gone = [one for key, one in standing.items() if key not in wanted]
    for one in gone:
        one.status, one.status_at, one.changed_at = Status.RESOLVED, now, now
        one.fact_seq = user.fact_seq
    Alert.every.bulk_update([*changed, *gone], ["status", "status_at", *CHANGING])
    opened = Alert.every.bulk_create(opened)
    happened = ((EventKind.OPENED, opened), (EventKind.CHANGED, changed), (EventKind.CLEARED, gone))
    record([event_of(one, kind, now) for kind, rows in happened for one in rows])


def _wanted(
    user: MemoryUser, proposal: Proposal | None, found: Would | None, now: datetime
) -> dict[str, Alert]:
    if proposal is None or found is None:
        return {}
    in_force = set(
        Alert.objects.active().filter(user=user).values_list("dedupe_key", "fingerprint")
    )
    rows: dict[str, Alert] = {}
    for finding in found.found:
        if (finding["key"], _fingerprint(finding)) not in in_force:
            row = _row(user, proposal, finding, now)
            rows.setdefault(row.dedupe_key, row)
    return rows


def _row(user: MemoryUser, proposal: Proposal, finding: Mapping[str, Any], now: datetime) -> Alert:
    return Alert(
        **{name: finding[name] for name in SHOWN},
        user=user,
        rule=finding["rule"],
        origin=Origin.PROVISIONAL,
        dedupe_key=_key(finding),
        fingerprint=_fingerprint(finding),
        version=proposal.digest,
        tables=load().digest,
        fact_seq=user.fact_seq,
        proposal=proposal,
        opened_at=now,
        changed_at=now,
        status_at=now,
        first_opened_at=now,
    )


def _key(finding: Mapping[str, Any]) -> str:
    """Another than the finding's own, under which an alert in force would stand."""
    refs = [EvidenceRef(one["kind"], one["id"]) for one in finding["evidence"]]
    return dedupe_key(Origin.PROVISIONAL, finding["rule"], finding["key"], refs)


def _fingerprint(finding: Mapping[str, Any]) -> str:
    return fingerprint({name: finding[name] for name in SHOWN})


def _differs(old: Alert, new: Alert) -> bool:
    return (old.fingerprint, old.proposal_id) != (new.fingerprint, new.proposal_id)


def _changed(old: Alert, new: Alert) -> Alert:
    for name in CHANGING:
        setattr(old, name, getattr(new, name))
    return old
