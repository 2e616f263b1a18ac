"""Evaluate a person: a compare-and-set from one watermark to the next.

What changed is derived from the log between the watermark and a snapshot, never from the request
at hand. Rules run outside any transaction; their findings are compared with the alerts that stand
and stored only if the watermark is still where the snapshot found it, else all is thrown away and
done again. A crash at any point leaves the watermark behind, and the sweep finishes the work.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, transaction

from alerts.advance import advance_unaffected, may_be_affected
from alerts.diff import WatermarkMoved, store
from alerts.engine import Findings, OutOfTime, RunSetting, run_rules
from alerts.looked_up import table_rows
from alerts.models import Alert, AlertEvent, Watermark
from alerts.queries import Mark, move_watermark
from alerts.snapshot import Snapshot, take
from memory.actions.jobs import enqueue
from memory.evaluator import Span
from memory.models import MemoryUser
from memory.project.bundle import Situation
from memory.project.shipped import library
from memory.sandbox import Limits

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Cost:
    """Where an evaluation's time went, in seconds, and how much it looked at."""

    load: float = 0.0
    sandbox: float = 0.0
    diff: float = 0.0
    rules: int = 0
    records: int = 0


@dataclass(frozen=True)
class Evaluated:
    """How far a person is evaluated now, and the events of this evaluation."""

    before: Mark
    after: Mark
    events: tuple[AlertEvent, ...]
    cost: Cost


def queue_limits() -> Limits:
    """What rules may take when they run from the queue."""
    return Limits(total_seconds=30.0, feed_seconds=2.0)


def inline_limits(seconds: float) -> Limits:
    """What rules may take inside a request that has this long left."""
    return Limits(total_seconds=seconds, feed_seconds=seconds)


def within(limits: Limits, seconds: float) -> Limits:
    """The limits with no more than this time in all."""
    feed = seconds if limits.feed_seconds >= limits.total_seconds else limits.feed_seconds
    return replace(limits, total_seconds=seconds, feed_seconds=feed)


def evaluate(*, user_id: UUID, now: datetime, limits: Limits) -> Evaluated:
    """Bring a person's alerts up to date with the log, the code, the tables and the date.

    Raises OutOfTime where the limits' total time is spent before it succeeds.
    """
    end = time.monotonic() + limits.total_seconds
    while (left := end - time.monotonic()) > 0:
        try:
            return _attempt(user_id, now, within(limits, left))
        except WatermarkMoved:
            continue
    raise OutOfTime


def _attempt(user_id: UUID, now: datetime, limits: Limits) -> Evaluated:
    started = time.perf_counter()
    seen = take(user_id, now=now)
    if seen.before == seen.after and not seen.first:
        return Evaluated(seen.before, seen.after, (), Cost())
    loaded = time.perf_counter()
    left = within(limits, limits.total_seconds - (loaded - started))
    findings = findings_for(seen, now=now, limits=left)
    ran = time.perf_counter()
    events = _store(seen, findings, now)
    cost = Cost(
        load=loaded - started,
        sandbox=ran - loaded,
        diff=time.perf_counter() - ran,
        rules=len(seen.rules),
        records=seen.state.size,
    )
    return Evaluated(seen.before, seen.after, tuple(events), cost)


def findings_for(seen: Snapshot, *, now: datetime, limits: Limits) -> Findings:
    """What the snapshot's rules find in its records; nothing is stored. Raises OutOfTime."""
    if not seen.rules:
        return Findings((), {}, 0.0)
    rows, code = table_rows(seen, library()), seen.code
    setting = RunSetting(code.project, library(), limits, alone=code.alone)
    today = seen.user.local_date(now)
    return run_rules(setting, Situation(seen.state, today, {"drug_rows": rows}), seen.rules)


def _store(seen: Snapshot, findings: Findings, now: datetime) -> list[AlertEvent]:
    """Move the watermark and change the alerts, or raise WatermarkMoved and change nothing."""
    if seen.rules or seen.first or seen.before.version != seen.after.version:
        return store(seen, findings, now)
    if not move_watermark(seen.user.pk, seen.before, seen.after, now):
        raise WatermarkMoved(seen.user.pk)
    return []


class AlertsEvaluator:
    """What the memory asks of the alerts (`memory.evaluator.Evaluator`)."""

    def advance(
        self, *, user: MemoryUser, first: int, kinds: frozenset[str], now: datetime
    ) -> int | None:
        """Move the watermark along with an append that no rule reads.

        A failure of ours must not keep the facts out: the evaluation after the commit meets it.
        """
        try:
            if may_be_affected(user, kinds):
                return None
            return advance_unaffected(user=user, before=first, now=now)
        except DatabaseError:
            raise  # the transaction is lost with it
        except Exception:
            logger.exception("the watermark of %s was not moved with its facts", user.pk)
            return None

    def evaluate(
        self, *, user: MemoryUser, span: Span, queued: bool, now: datetime
    ) -> dict[str, Any]:
        """The evaluation as part of a post's answer; the facts are committed whatever happens."""
        if span.through is not None:
            return _answer("done", span.through, ())
        try:
            if not queued:
                limits = inline_limits(settings.EVALUATION_INLINE_SECONDS)
                evaluated = evaluate(user_id=user.pk, now=now, limits=limits)
                return _answer("done", evaluated.after.fact_seq, _events_for(user, span, evaluated))
        except MemoryUser.DoesNotExist:  # erased meanwhile
            return _answer("done", 0, ())
        except OutOfTime:
            logger.info("evaluation of %s goes to the queue: out of time", user.pk)
        except Exception:
            logger.exception("evaluation of %s goes to the queue: it failed", user.pk)
        if not queued:
            with transaction.atomic():
                enqueue(name="evaluate", user=user, now=now)
        mark = Watermark.objects.filter(user=user).first()
        return _answer("queued", mark.fact_seq if mark else 0, _events_of(user, span))


def _events_for(user: MemoryUser, span: Span, evaluated: Evaluated) -> Iterable[AlertEvent]:
    """The events these facts caused, whichever evaluation covered them."""
    if evaluated.before.fact_seq < span.first <= span.last <= evaluated.after.fact_seq:
        return evaluated.events
    return _events_of(user, span)


def _events_of(user: MemoryUser, span: Span) -> Iterable[AlertEvent]:
    return AlertEvent.objects.caused_by(user.pk, span.first, span.last).select_related("alert")


def _answer(status: str, through: int, events: Iterable[AlertEvent]) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {"opened": [], "changed": [], "cleared": []}
    for event in events:
        if event.kind in changes:
            changes[event.kind].append(alert_brief(event.alert))
    return {"evaluation": {"status": status, "through_seq": through}, "alerts": changes}


def alert_brief(alert: Alert) -> dict[str, Any]:
    """An alert in a line."""
    return {
        "id": alert.pk,
        "severity": str(alert.severity),
        "status": str(alert.status),
        "summary": alert.summary,
        "rule": alert.rule,
    }
