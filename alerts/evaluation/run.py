"""Evaluate a person: a compare-and-set from one watermark to the next.

What changed is derived from the log between the watermark and a snapshot, never from the request
at hand. Rules run outside any transaction; their findings are compared with the alerts that stand
and stored only if the watermark is still where the snapshot found it, else all is thrown away and
done again. A crash at any point leaves the watermark behind, and the sweep finishes the work.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, transaction

from alerts.early.concerns import notice
from alerts.early.preview import would_find
from alerts.early.provisional import show_provisional
from alerts.evaluation.advance import advance_unaffected, may_be_affected
from alerts.evaluation.diff import WatermarkMoved, store
from alerts.evaluation.engine import Findings, OutOfTime
from alerts.evaluation.growing import Placed
from alerts.evaluation.queries import Mark, move_watermark
from alerts.evaluation.scene import findings_in
from alerts.evaluation.snapshot import Snapshot, take
from alerts.models import Alert, AlertEvent, EventKind, Watermark
from alerts.rerun.replay import replay
from memory.actions.jobs import enqueue
from memory.evaluator import Concern, Span, Would
from memory.models import MemoryUser, Proposal
from memory.project.tree import Project
from memory.sandbox import Limits

logger = logging.getLogger(__name__)

TOLD_AS: dict[str, str] = {
    EventKind.OPENED: "opened",
    EventKind.RECURRED: "opened",
    EventKind.CHANGED: "changed",
    EventKind.REOPENED: "changed",
    EventKind.CLEARED: "cleared",
    EventKind.SUPERSEDED: "cleared",
}
"""As what the answer to a post tells of an event."""


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
    findings = findings_in(seen, today=seen.user.local_date(now), limits=left)
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


def _store(seen: Snapshot, findings: Findings, now: datetime) -> list[AlertEvent]:
    """Move the watermark and change the alerts, or raise WatermarkMoved and change nothing."""
    if seen.rules or seen.first or seen.before.version != seen.after.version:
        return store(seen, findings, now)
    if not move_watermark(seen.user.pk, seen.before, seen.after, now):
        raise WatermarkMoved(seen.user.pk)
    return []


class AlertsEvaluator:
    """What the memory asks of the alerts (`memory.evaluator.Evaluator`)."""

    def notice(self, *, user: MemoryUser, concerns: Sequence[Concern], now: datetime) -> None:
        """Show what the model noticed (`alerts.early.concerns`)."""
        notice(user=user, concerns=concerns, now=now)

    def show_provisional(
        self, *, user: MemoryUser, proposal: Proposal | None, found: Would | None, now: datetime
    ) -> None:
        """Show what a proposal's rules would say (`alerts.early.provisional`)."""
        show_provisional(user=user, proposal=proposal, found=found, now=now)

    def would_find(
        self,
        *,
        user: MemoryUser,
        project: Project,
        rules: Collection[str],
        placed: Placed,
        now: datetime,
    ) -> Would:
        """What rules of a project would say now (`alerts.early.preview`)."""
        limits = queue_limits()
        return would_find(
            user=user, project=project, rules=rules, placed=placed, now=now, limits=limits
        )

    def replay(
        self,
        *,
        user: MemoryUser,
        before: Project,
        after: Project,
        placed: Placed,
        now: datetime,
    ) -> list[dict[str, Any]]:
        """What another project would have said, and when (`alerts.rerun.replay`)."""
        limits = queue_limits()
        return replay(user=user, before=before, after=after, placed=placed, now=now, limits=limits)

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
        if event.kind in TOLD_AS:
            changes[TOLD_AS[event.kind]].append(alert_brief(event.alert))
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
