"""Instruments around the evaluator: what it cost, how to leave it out, and a point to die at.

A post with the header `X-Benchmark-Evaluate: no` is appended and not evaluated. Where rules were
looked for, the answer tells in `X-Benchmark-Cost` where the evaluation's time went. While the file
that `UAC_BENCHMARK_FAULT` names exists, the process kills itself between the two commits of a
post: the facts are stored, the rules have not run.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse

from alerts.evaluation import run as evaluation
from memory import evaluator
from memory.evaluator import Span
from memory.models import MemoryUser

EVALUATE_HEADER = "X-Benchmark-Evaluate"
COST_HEADER = "X-Benchmark-Cost"
FAULT_VARIABLE = "UAC_BENCHMARK_FAULT"
NOTHING = {
    "evaluation": {"status": "queued", "through_seq": 0},
    "alerts": {"opened": [], "changed": [], "cleared": []},
}


@dataclass
class Seen:
    """What is asked of a request's evaluation, and what it cost."""

    evaluate: bool
    cost: evaluation.Cost | None = None


_seen: ContextVar[Seen | None] = ContextVar("seen", default=None)


class InstrumentsMiddleware:
    """Reads and writes the benchmarks' headers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        seen = Seen(evaluate=request.headers.get(EVALUATE_HEADER) != "no")
        token = _seen.set(seen)
        try:
            response = self.get_response(request)
        finally:
            _seen.reset(token)
        if seen.cost is not None:
            response[COST_HEADER] = json.dumps(asdict(seen.cost))
        return response


def install() -> None:
    """Put the instruments in place of the evaluator and of the evaluation it calls."""
    fault = Path(os.environ[FAULT_VARIABLE]) if FAULT_VARIABLE in os.environ else None
    evaluate = evaluation.evaluate

    def noted(**arguments: Any) -> evaluation.Evaluated:
        evaluated = evaluate(**arguments)
        seen = _seen.get()
        if seen is not None:
            seen.cost = evaluated.cost
        return evaluated

    setattr(evaluation, "evaluate", noted)  # noqa: B010  (an attribute mypy knows as final)
    evaluator.register(Measured(fault))


class Measured(evaluation.AlertsEvaluator):
    """The evaluator with its fault point, and left out where the request says so."""

    def __init__(self, fault: Path | None) -> None:
        self.fault = fault

    def evaluate(
        self, *, user: MemoryUser, span: Span, queued: bool, now: datetime
    ) -> dict[str, Any]:
        """As the alerts' own, unless the process is to die here or nothing is to run."""
        if self.fault is not None and self.fault.exists():
            os.kill(os.getpid(), signal.SIGKILL)
        seen = _seen.get()
        if seen is not None and not seen.evaluate:
            return dict(NOTHING)
        return super().evaluate(user=user, span=span, queued=queued, now=now)
