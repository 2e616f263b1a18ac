"""Let an attempt to ask the model begin, or stop it, and record how it ended.

Beginning and end are short transactions of their own, never part of one that waits for the model:
that would hold the person's row, and on SQLite every writer. The endpoint's row is locked while an
attempt is let in, so that all processes together keep the budget and send one attempt to an
endpoint that has failed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from memory import access, audit
from memory.access import NotFound, Somebody
from memory.checkpointer.model.config import ModelConfig
from memory.checkpointer.model.errors import BudgetSpent, CircuitOpen, ModelError
from memory.models import CallOutcome, CircuitStatus, MemoryUser, ModelCall, ModelEndpoint
from memory.rights import Right

PROBE_GRACE = timedelta(seconds=15)
"""How long after its own end an attempt that probes an endpoint is waited for."""


@dataclass(frozen=True)
class Ending:
    """How an attempt ended; `alive` as in `ModelError`."""

    outcome: str
    alive: bool | None
    seconds: float
    format: str = ""
    status: int | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    cost: Decimal = Decimal(0)


def begin_call(*, call: ModelCall, config: ModelConfig, now: datetime) -> ModelCall:
    """Store an attempt that begins; its `cost` is the most that it may cost.

    Raises CircuitOpen and BudgetSpent, which are recorded too, and access.NotFound where the person
    was erased.
    """
    call.started_at = now
    with transaction.atomic(durable=True):
        if call.user_id is not None and not _present(call.user_id):
            raise NotFound(call.user_id)
        stopped = _over_budget(call, config, now) or _open_circuit(call, config, now)
        if stopped is not None:
            call.outcome, call.cost = CallOutcome(stopped.outcome), Decimal(0)
        call.save(force_insert=True)
    if stopped is not None:
        raise stopped
    return call


def _present(user_id: UUID) -> bool:
    """Whether the person is there; they are not erased while this transaction runs."""
    found = MemoryUser.objects.select_for_update(no_key=True).filter(pk=user_id)
    return found.values_list("pk", flat=True).first() is not None


def _over_budget(call: ModelCall, config: ModelConfig, now: datetime) -> ModelError | None:
    _locked(call.endpoint)
    today = ModelCall.objects.on_day_of(now)
    sums = [("all", config.daily_budget, today)]
    if call.user_id is not None:
        own = today.filter(user=call.user_id)
        sums.append(("person", config.daily_budget_per_person, own))
    for scope, budget, calls in sums:
        if budget is not None and (spent := calls.cost()) + call.cost > budget:
            return BudgetSpent(scope, spent, budget)
    return None


def _open_circuit(call: ModelCall, config: ModelConfig, now: datetime) -> ModelError | None:
    """None where the attempt may pass: as the probe, where the circuit was open long enough."""
    row = _locked(call.endpoint)
    if row.status == CircuitStatus.CLOSED:
        return None
    assert row.retry_at is not None
    if row.retry_at > now:
        return CircuitOpen(row.retry_at)
    row.retry_at = now + timedelta(seconds=config.seconds) + PROBE_GRACE
    _turn(row, CircuitStatus.HALF_OPEN, now)
    return None


def end_call(*, call: ModelCall, ending: Ending, config: ModelConfig, now: datetime) -> None:
    """Record how an attempt ended, once; of somebody erased meanwhile nothing is left to record."""
    with transaction.atomic(durable=True):
        ModelCall.objects.filter(pk=call.pk, outcome=CallOutcome.RUNNING).update(
            outcome=CallOutcome(ending.outcome),
            seconds=round(ending.seconds, 3),
            format=ending.format,
            status=ending.status,
            tokens_in=ending.tokens_in,
            tokens_out=ending.tokens_out,
            estimated=ending.estimated,
            cost=ending.cost,
        )
        _note_health(_locked(call.endpoint), ending.alive, config, now)


def _note_health(
    row: ModelEndpoint, alive: bool | None, config: ModelConfig, now: datetime
) -> None:
    if alive:
        if row.failures or row.status != CircuitStatus.CLOSED:
            row.failures, row.retry_at = 0, None
            _turn(row, CircuitStatus.CLOSED, now)
    elif alive is None:
        if row.status == CircuitStatus.HALF_OPEN:  # the probe found nothing out: another may
            row.retry_at = now
            _turn(row, CircuitStatus.OPEN, now)
    else:
        row.failures += 1
        if row.status == CircuitStatus.OPEN or row.failures < _most(row, config):
            row.save(update_fields=["failures"])
            return
        row.retry_at = now + timedelta(seconds=config.breaker_seconds)
        _turn(row, CircuitStatus.OPEN, now)


def _most(row: ModelEndpoint, config: ModelConfig) -> int:
    """The number of failures that opens the circuit; after a probe, one."""
    return 1 if row.status == CircuitStatus.HALF_OPEN else config.breaker_failures


def _turn(row: ModelEndpoint, status: CircuitStatus, now: datetime) -> None:
    if row.status != status:
        row.status, row.changed_at = status, now
    row.save(update_fields=["status", "failures", "retry_at", "changed_at"])


def _locked(url: str) -> ModelEndpoint:
    ModelEndpoint.objects.get_or_create(pk=url)
    return ModelEndpoint.objects.select_for_update().get(pk=url)


@transaction.atomic
def retry_endpoint(*, url: str, actor: Somebody, now: datetime) -> bool:
    """Let the next call try an endpoint that is left alone; whether it was left alone.

    Raises PermissionDenied.
    """
    staff = access.staff(actor, Right.ADMINISTER)
    waiting = ModelEndpoint.objects.filter(pk=url, status=CircuitStatus.OPEN)
    if not waiting.update(retry_at=now):
        return False
    audit.record("model.retry", actor=staff, now=now, of="model endpoint")
    return True
