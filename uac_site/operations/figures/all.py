"""Everything that the operations page, the administration's first page and Prometheus are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from memory.checkpointer.model.config import model_config
from memory.checkpointer.model.status import ModelStatus, model_status
from uac_site.operations.figures.deliveries import DeliveryFigures, delivery_figures
from uac_site.operations.figures.kept import Kept
from uac_site.operations.figures.lag import LagFigures, Waits, lag_figures, waiting_figures
from uac_site.operations.figures.queue import QueueFigures, queue_figures
from uac_site.operations.figures.rules import (
    RuleFigures,
    StandingAlerts,
    rule_figures,
    standing_figures,
)

QUICK_SECONDS, SLOW_SECONDS = 4.0, 60.0


@dataclass(frozen=True)
class Figures:
    """The state at a moment; what is counted over all events may be a minute older."""

    at: datetime
    queue: QueueFigures
    lag: LagFigures
    waiting: Sequence[Waits]
    model: ModelStatus
    budget: Decimal | None
    standing: Sequence[StandingAlerts]
    rules: Sequence[RuleFigures]
    deliveries: DeliveryFigures

    @property
    def budget_left(self) -> Decimal | None:
        """What today's calls may still cost together; None without a budget."""
        return None if self.budget is None else max(Decimal(0), self.budget - self.model.cost)

    @property
    def failing(self) -> Sequence[RuleFigures]:
        """Rules that fail for somebody now."""
        return [one for one in self.rules if one.failing]

    @property
    def oldest_waiting(self) -> Waits:
        """What waits for a model or a person, and has waited longest."""
        return max(self.waiting, key=lambda one: one.seconds)


def _gather() -> Figures:
    now, config = timezone.now(), model_config()
    return Figures(
        at=now,
        queue=queue_figures(now),
        lag=lag_figures(now),
        waiting=waiting_figures(now),
        model=model_status(config, now),
        budget=config.daily_budget,
        standing=standing_figures(),
        rules=RULES.get(),
        deliveries=delivery_figures(now),
    )


RULES = Kept(lambda: rule_figures(timezone.now()), SLOW_SECONDS)
FIGURES = Kept(_gather, QUICK_SECONDS)


def figures() -> Figures:
    """The figures, counted within the last few seconds."""
    return FIGURES.get()
