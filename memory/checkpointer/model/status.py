"""How the model is doing, for the page of whoever operates it: no person, no text, no key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Max, Q, Sum

from memory.checkpointer.model.config import ModelConfig
from memory.models import CallOutcome, ModelCall, ModelEndpoint, Stage

LATEST = 20
LOOKED_BACK = timedelta(days=7)
FINE = (CallOutcome.DONE, CallOutcome.RUNNING, CallOutcome.CANCELLED)
STOPPED = (CallOutcome.OVER_BUDGET, CallOutcome.CIRCUIT_OPEN)


@dataclass(frozen=True)
class StageToday:
    """The calls of one stage since midnight UTC."""

    stage: Stage
    model: str
    priced: bool
    calls: int = 0
    attempts: int = 0
    failed: int = 0
    stopped: int = 0
    people: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)


@dataclass(frozen=True)
class ModelStatus:
    """Everything that the page shows; `costliest` is what the costliest person has cost today."""

    configured: bool
    endpoint: ModelEndpoint | None
    stages: Sequence[StageToday]
    running: int
    lost: int
    people: int
    cost: Decimal
    costliest: Decimal
    over_budget: int
    errors: Sequence[ModelCall]

    @property
    def calls(self) -> int:
        """Calls today, whatever their attempts."""
        return sum(one.calls for one in self.stages)


def model_status(config: ModelConfig, now: datetime) -> ModelStatus:
    """The state of the configured endpoint, and the day so far; seven queries."""
    today = ModelCall.objects.on_day_of(now)
    configured = any(config.model_for(stage) for stage in Stage)
    endpoint = ModelEndpoint.objects.filter(pk=config.base_url).first() if configured else None
    overdue = now - timedelta(seconds=config.seconds)
    lately = ModelCall.objects.filter(started_at__gte=now - LOOKED_BACK)
    running = lately.filter(outcome=CallOutcome.RUNNING)
    each = today.exclude(user=None).values("user").annotate(cost=Sum("cost"))
    whole = today.aggregate(cost=Sum("cost"), people=Count("user", distinct=True))
    begun = running.aggregate(
        now=Count("pk", filter=Q(started_at__gte=overdue)),
        lost=Count("pk", filter=Q(started_at__lt=overdue)),
    )
    return ModelStatus(
        configured=configured,
        endpoint=endpoint,
        stages=_stages(config, now),
        running=begun["now"],
        lost=begun["lost"],
        people=whole["people"],
        cost=whole["cost"] or Decimal(0),
        costliest=each.aggregate(most=Max("cost"))["most"] or Decimal(0),
        over_budget=today.filter(outcome=CallOutcome.OVER_BUDGET).count(),
        errors=list(lately.exclude(outcome__in=FINE).order_by("-started_at")[:LATEST]),
    )


def _stages(config: ModelConfig, now: datetime) -> list[StageToday]:
    rows = ModelCall.objects.on_day_of(now).values("stage")
    counted = rows.annotate(
        calls=Count("call", distinct=True),
        attempts=Count("pk", filter=~Q(outcome__in=STOPPED)),
        failed=Count("pk", filter=~Q(outcome__in=(*FINE, *STOPPED))),
        stopped=Count("pk", filter=Q(outcome__in=STOPPED)),
        people=Count("user", distinct=True),
        tokens_in=Sum("tokens_in"),
        tokens_out=Sum("tokens_out"),
        cost=Sum("cost"),
    )
    found: dict[str, dict[str, Any]] = {row["stage"]: {**row} for row in counted}
    stages = []
    for stage in Stage:
        model = config.model_for(stage)
        row = {"model": model, "priced": model in config.prices, **found.get(stage, {})}
        stages.append(StageToday(**{**row, "stage": stage}))
    return stages
