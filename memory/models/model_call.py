"""Every attempt to ask a language model, and how its endpoint is doing. No text of a prompt."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.db import models
from django.db.models import F, Q, Sum

from memory.models.memory_user import MemoryUser


class Stage(models.TextChoices):
    """What the model is asked for."""

    READ = "read"
    STRUCTURE = "structure"
    ASK = "ask"
    EMBED = "embed"


class CallOutcome(models.TextChoices):
    """How an attempt ended; a worker that was killed leaves one that runs for ever."""

    RUNNING = "running"
    DONE = "done"
    INVALID = "invalid", "answer did not fit"
    CUT_SHORT = "cut_short", "out of tokens"
    DECLINED = "declined"
    TOO_LARGE = "too_large", "answer too large"
    GARBLED = "garbled", "no chat completion"
    TIMED_OUT = "timed_out", "timed out"
    UNREACHABLE = "unreachable"
    FAILED = "failed", "endpoint failed"
    RATE_LIMITED = "rate_limited", "too many requests"
    REFUSED = "refused", "request refused"
    CANCELLED = "cancelled"
    BROKEN_OFF = "broken_off", "broken off here"
    OVER_BUDGET = "over_budget", "stopped by the budget"
    CIRCUIT_OPEN = "circuit_open", "stopped: endpoint fails"


class ModelCallQuerySet(models.QuerySet["ModelCall"]):
    def on_day_of(self, now: datetime) -> ModelCallQuerySet:
        """Attempts of the UTC day of a moment."""
        begins = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return self.filter(started_at__gte=begins, started_at__lt=begins + timedelta(days=1))

    def cost(self) -> Decimal:
        """What they cost together, those that still run with what is held for them."""
        return self.aggregate(sum=Sum("cost"))["sum"] or Decimal(0)

    def tokens(self) -> int:
        """Tokens read and written together; those of calls that still run are not known yet."""
        return self.aggregate(sum=Sum(F("tokens_in") + F("tokens_out")))["sum"] or 0


class ModelCall(models.Model):
    """One attempt. It ends once and is never changed again; it goes with the person it was for.

    While it runs, `cost` is the most that it may cost, so that all who ask at once keep the budget.
    """

    id = models.BigAutoField(primary_key=True)
    call = models.UUIDField(default=uuid.uuid4, help_text="The same for each attempt of a call.")
    attempt = models.PositiveSmallIntegerField()
    user = models.ForeignKey(MemoryUser, null=True, on_delete=models.PROTECT, related_name="+")
    stage = models.CharField(max_length=10, choices=Stage.choices)
    endpoint = models.CharField(max_length=200)
    model = models.CharField(max_length=100)
    prompt = models.CharField(max_length=60, help_text="The name of the prompt's file.")
    prompt_digest = models.CharField(max_length=64, help_text="Of the template, not of the text.")
    started_at = models.DateTimeField()
    outcome = models.CharField(
        max_length=12, choices=CallOutcome.choices, default=CallOutcome.RUNNING
    )
    format = models.CharField(max_length=12, blank=True, help_text="How the answer was asked for.")
    status = models.PositiveSmallIntegerField(null=True, help_text="The HTTP status of a failure.")
    seconds = models.FloatField(null=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    estimated = models.BooleanField(default=False, help_text="The tokens are not the endpoint's.")
    cost = models.DecimalField(max_digits=14, decimal_places=6, default=Decimal(0))

    objects = ModelCallQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=CallOutcome.values), name="model_call_outcome_known"
            ),
        ]
        indexes = [
            models.Index(fields=["started_at"], name="model_call_day"),
            models.Index(fields=["user", "started_at"], name="model_call_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} by {self.model}: {self.outcome}"


class CircuitStatus(models.TextChoices):
    """Closed: calls pass. Open: none does. Half open: one is on its way to see."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class ModelEndpoint(models.Model):
    """The circuit breaker of an endpoint, the same for every process."""

    url = models.CharField(primary_key=True, max_length=200)
    status = models.CharField(
        max_length=10, choices=CircuitStatus.choices, default=CircuitStatus.CLOSED
    )
    failures = models.PositiveIntegerField(default=0, help_text="Failed attempts in a row.")
    retry_at = models.DateTimeField(null=True, help_text="When the next attempt may be made.")
    changed_at = models.DateTimeField(null=True, help_text="When the status last changed.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status=CircuitStatus.CLOSED) | Q(retry_at__isnull=False),
                name="model_endpoint_retried",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.url} ({self.status})"
