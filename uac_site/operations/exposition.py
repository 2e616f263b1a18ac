"""The figures in Prometheus's words. Labels are kinds, routes and shipped rules, never a person."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TypeVar

from django.db import DatabaseError
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from memory.models import CircuitStatus
from uac_site.operations.figures.all import Figures, figures
from uac_site.operations.instruments import registry

logger = logging.getLogger(__name__)

Samples = Iterable[tuple[tuple[str, ...], float]]
Family = TypeVar("Family", GaugeMetricFamily, CounterMetricFamily)


def exposed() -> CollectorRegistry:
    """What the processes count, and what the database tells, to be written down together."""
    together = CollectorRegistry()
    together.register(_Counts())
    together.register(_Stored())
    return together


class _Counts(Collector):
    """The web processes' own counts."""

    def collect(self) -> Iterable[Metric]:
        return registry().collect()


class _Stored(Collector):
    """What the database tells; where it does not answer, one figure says that."""

    def collect(self) -> Iterator[Metric]:
        try:
            found = figures()
        except DatabaseError:
            logger.warning("the database does not answer; its figures are left out")
            yield _gauge("uac_database_up", "Whether the database answers.", 0)
            return
        yield _gauge("uac_database_up", "Whether the database answers.", 1)
        yield from _queue(found)
        yield from _waiting(found)
        yield from _model(found)
        yield from _alerts(found)
        yield from _deliveries(found)


def _queue(found: Figures) -> Iterator[Metric]:
    jobs = found.queue.jobs
    depth = [((one.name, "queued"), one.queued) for one in jobs]
    depth += [((one.name, "running"), one.running) for one in jobs]
    yield _gauges("uac_jobs", "Jobs under way.", ("kind", "status"), depth)
    yield _gauges(
        "uac_job_oldest_queued_seconds",
        "How long the job of a kind waits that has waited longest.",
        ("kind",),
        [((one.name,), one.oldest_seconds) for one in jobs],
    )
    yield _gauges(
        "uac_jobs_retried",
        "Jobs under way that failed before, or whose worker was lost.",
        ("kind",),
        [((one.name,), one.retried) for one in jobs],
    )
    ended = [((one.name, "done"), one.done) for one in jobs]
    ended += [((one.name, "failed"), one.failed) for one in jobs]
    yield _gauges("uac_jobs_ended_24h", "Jobs that ended in 24 hours.", ("kind", "status"), ended)
    if found.queue.worker_seconds is not None:
        help = "Since a worker was last heard."
        yield _gauge("uac_worker_silent_seconds", help, found.queue.worker_seconds)


def _waiting(found: Figures) -> Iterator[Metric]:
    help = "Since the oldest fact or reading was recorded that the rules have not seen."
    yield _gauge("uac_evaluation_lag_seconds", help, found.lag.seconds)
    help = "People whom the rules have not seen as they are now."
    yield _gauge("uac_evaluation_behind_people", help, found.lag.people)
    counts = [((one.what,), one.count) for one in found.waiting]
    ages = [((one.what,), one.seconds) for one in found.waiting]
    yield _gauges("uac_waiting", "What waits for a model or a person.", ("what",), counts)
    yield _gauges("uac_waiting_oldest_seconds", "How long the oldest of it has.", ("what",), ages)


def _model(found: Figures) -> Iterator[Metric]:
    status = found.model
    state = status.endpoint.status if status.endpoint else CircuitStatus.CLOSED
    circuit = [((one.value,), float(one == state)) for one in CircuitStatus]
    yield _gauge("uac_model_configured", "Whether a model is.", float(status.configured))
    yield _gauges("uac_model_circuit", "Where the circuit breaker stands.", ("state",), circuit)
    failures = status.endpoint.failures if status.endpoint else 0
    yield _gauge("uac_model_failures_in_a_row", "Of the endpoint.", failures)
    stages = status.stages
    calls = [((one.stage.value,), one.calls) for one in stages]
    failed = [((one.stage.value,), one.failed) for one in stages]
    stopped = [((one.stage.value,), one.stopped) for one in stages]
    tokens = [((one.stage.value, "in"), one.tokens_in) for one in stages]
    tokens += [((one.stage.value, "out"), one.tokens_out) for one in stages]
    cost = [((one.stage.value,), float(one.cost)) for one in stages]
    day = "since midnight UTC"
    yield _gauges("uac_model_calls_today", f"Calls {day}.", ("stage",), calls)
    yield _gauges("uac_model_failed_today", f"Attempts that failed {day}.", ("stage",), failed)
    yield _gauges("uac_model_stopped_today", f"Attempts not made {day}.", ("stage",), stopped)
    yield _gauges("uac_model_tokens_today", f"Tokens {day}.", ("stage", "direction"), tokens)
    yield _gauges("uac_model_cost_today", f"What calls cost {day}.", ("stage",), cost)
    if found.budget_left is not None:
        yield _gauge("uac_model_budget_left_today", "Of all people.", float(found.budget_left))


def _alerts(found: Figures) -> Iterator[Metric]:
    standing = [((one.severity, one.status), one.count) for one in found.standing]
    names = ("severity", "status")
    yield _gauges("uac_alerts", "Alerts whose cause holds.", names, standing)
    rules = found.rules
    fired = [((one.name,), one.fired) for one in rules]
    overridden = [((one.name,), one.overridden) for one in rules]
    failing = [((one.name,), one.failing) for one in rules]
    yield _counters("uac_rule_fired", "Alerts that a rule has opened.", ("rule",), fired)
    yield _counters("uac_rule_overridden", "Overrides of its alerts.", ("rule",), overridden)
    yield _gauges("uac_rule_failing", "People for whom a rule fails now.", ("rule",), failing)


def _deliveries(found: Figures) -> Iterator[Metric]:
    outbox = found.deliveries
    yield _gauge("uac_deliveries_waiting", "What is to be told, or told again.", outbox.waiting)
    help = "How long the oldest of it has waited."
    yield _gauge("uac_deliveries_oldest_seconds", help, outbox.seconds)
    help = "Made in 24 hours, and tried often enough."
    yield _gauge("uac_deliveries_failed_24h", help, outbox.failed)
    help = "Alerts that nobody has acknowledged in the time their team was given."
    yield _gauge("uac_alerts_unanswered", help, outbox.unanswered)


def _gauge(name: str, help: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help, value=value)


def _gauges(name: str, help: str, labels: tuple[str, ...], samples: Samples) -> Metric:
    return _filled(GaugeMetricFamily(name, help, labels=labels), samples)


def _counters(name: str, help: str, labels: tuple[str, ...], samples: Samples) -> Metric:
    return _filled(CounterMetricFamily(name, help, labels=labels), samples)


def _filled(family: Family, samples: Samples) -> Family:
    for labels, value in samples:
        family.add_metric(labels, value)
    return family
