"""The figures that matter first, each judged: fine, to be looked at, or bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from memory.models import CircuitStatus
from uac_site.operations.figures.all import Figures
from uac_site.operations.spans import span_words
from uac_site.operations.traffic import Traffic

GOOD, WARNING, CRITICAL, PLAIN = "good", "warning", "critical", "plain"
LAG_SECONDS = (30.0, 300.0)
QUEUE_SECONDS = (60.0, 600.0)
PUSH_SECONDS = (1.0, 5.0)
LITTLE_BUDGET = 10  # a tenth


@dataclass(frozen=True)
class Tile:
    """A figure with its name, what else to know of it, and how it is judged."""

    name: str
    value: str
    note: str = ""
    state: str = PLAIN
    link: str = ""


def tiles_of(found: Figures, counted: Traffic, *, admin: bool) -> list[Tile]:
    """The tiles of the page; links lead where the reader may go."""
    return [
        _worker(found),
        _queue(found),
        _failing_jobs(found),
        _lag(found),
        _waiting(found),
        _failing_rules(found),
        _unanswered(found),
        _deliveries(found, link=reverse("deliveries") if admin else ""),
        *_model(found, link=reverse("model") if admin else ""),
        Tile("Sockets open", f"{counted.sockets:,}", "pages that follow alerts"),
        _push(counted),
        _requests(counted),
    ]


def judged(value: float, bounds: tuple[float, float]) -> str:
    """Fine below the first bound, bad from the second on."""
    low, high = bounds
    return GOOD if value < low else WARNING if value < high else CRITICAL


def _worker(found: Figures) -> Tile:
    seconds = found.queue.worker_seconds
    if seconds is None:
        return Tile("Worker", "never heard", "start manage.py qcluster", CRITICAL)
    silent = settings.WORKER_SILENT_SECONDS
    note = "since one was heard"
    return Tile("Worker", span_words(seconds), note, judged(seconds, (silent / 2, silent)))


def _queue(found: Figures) -> Tile:
    queue = found.queue
    note = f"oldest waits {span_words(queue.oldest_seconds)}" if queue.depth else "nothing waits"
    return Tile(
        "Jobs under way", f"{queue.depth:,}", note, judged(queue.oldest_seconds, QUEUE_SECONDS)
    )


def _failing_jobs(found: Figures) -> Tile:
    queue = found.queue
    note = f"{queue.retried:,} being tried again"
    state = CRITICAL if queue.failed else WARNING if queue.retried else GOOD
    return Tile("Jobs failed in 24 h", f"{queue.failed:,}", note, state)


def _lag(found: Figures) -> Tile:
    lag = found.lag
    note = f"{lag.people:,} people behind" if lag.people else "the rules have seen everything"
    return Tile("Evaluator’s lag", span_words(lag.seconds), note, judged(lag.seconds, LAG_SECONDS))


def _waiting(found: Figures) -> Tile:
    oldest = found.oldest_waiting
    count = sum(one.count for one in found.waiting)
    note = f"{count:,} wait; the oldest is a {oldest.what}" if count else "nothing waits"
    return Tile("Oldest waiting", span_words(oldest.seconds), note)


def _failing_rules(found: Figures) -> Tile:
    failing = found.failing
    note = ", ".join(one.name for one in failing[:3]) + (" …" if len(failing) > 3 else "")
    state = CRITICAL if failing else GOOD
    return Tile("Rules failing", f"{len(failing):,}", note or "each gives its answers", state)


def _unanswered(found: Figures) -> Tile:
    count = found.deliveries.unanswered
    note = "alerts past the time their team was given" if count else "no alert past its time"
    return Tile("Nobody acknowledged", f"{count:,}", note, CRITICAL if count else GOOD)


def _deliveries(found: Figures, link: str) -> Tile:
    outbox = found.deliveries
    oldest = f", the oldest for {span_words(outbox.seconds)}" if outbox.waiting else ""
    note = f"{outbox.waiting:,} wait{oldest}"
    state = WARNING if outbox.failed else GOOD
    return Tile("Deliveries failed in 24 h", f"{outbox.failed:,}", note, state, link)


def _model(found: Figures, link: str) -> Sequence[Tile]:
    status = found.model
    if not status.configured:
        return [Tile("Model", "none", "typed facts only", PLAIN, link)]
    return [_circuit(found, link), _spent(found, link)]


def _circuit(found: Figures, link: str) -> Tile:
    endpoint = found.model.endpoint
    if endpoint is None:
        return Tile("Model", "not asked yet", "", PLAIN, link)
    if endpoint.status != CircuitStatus.CLOSED:
        note = f"{endpoint.failures:,} failures in a row"
        return Tile("Model", "fails", note, CRITICAL, link)
    state = WARNING if endpoint.failures else GOOD
    note = f"the last {endpoint.failures:,} failed" if endpoint.failures else "calls pass"
    return Tile("Model", "answers", note, state, link)


def _spent(found: Figures, link: str) -> Tile:
    status = found.model
    tokens = sum(one.tokens_in + one.tokens_out for one in status.stages)
    note = f"{status.calls:,} calls, {tokens:,} tokens"
    left, budget = found.budget_left, found.budget
    if left is None or budget is None:
        return Tile("Model’s cost today", f"{status.cost:,.4f}", note, PLAIN, link)
    state = CRITICAL if not left else WARNING if left * LITTLE_BUDGET < budget else GOOD
    return Tile(
        "Model’s cost today", f"{status.cost:,.4f}", f"{note}; {left:,.4f} left", state, link
    )


def _push(counted: Traffic) -> Tile:
    p95 = counted.push.p95
    if p95 is None:
        return Tile("From event to page", "—", "no event met an open page yet")
    return Tile(
        "From event to page", span_words(p95), "95 of 100, or quicker", judged(p95, PUSH_SECONDS)
    )


def _requests(counted: Traffic) -> Tile:
    note = (
        f"95 of 100 within {span_words(counted.whole.p95 or 0.0)}; {counted.broken:,} failed here"
    )
    state = WARNING if counted.broken else GOOD
    return Tile("Requests", f"{counted.whole.count:,}", note, state)
