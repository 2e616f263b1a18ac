"""Processes that ask at the same moment keep the budget together, and one of them tries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

from django.db import connection
from django.utils import timezone

from memory.actions.model_calls import begin_call
from memory.checkpointer.model.config import ModelConfig
from memory.checkpointer.model.errors import ModelError
from memory.models import CallOutcome, CircuitStatus, ModelCall, ModelEndpoint, Stage
from tests.memory.checkpointer.model.conftest import config_for

URL = "https://models.example.org/v1"
MANY = 8


def _begin(config: ModelConfig) -> str:
    call = ModelCall(
        attempt=1,
        stage=Stage.READ,
        endpoint=URL,
        model="small",
        prompt="read",
        prompt_digest="0" * 64,
        cost=Decimal(1),
    )
    try:
        begin_call(call=call, config=config, now=timezone.now())
    except ModelError as error:
        return error.outcome
    finally:
        connection.close()
    return CallOutcome.RUNNING


def _all_at_once(config: ModelConfig) -> list[str]:
    with ThreadPoolExecutor(MANY) as pool:
        return sorted(pool.map(_begin, [config] * MANY))


def test_no_more_begin_than_the_budget_holds(transactional_db: None) -> None:
    found = _all_at_once(config_for(URL, daily_budget=Decimal(3)))
    assert found == ["over_budget"] * (MANY - 3) + ["running"] * 3
    assert ModelCall.objects.cost() == 3


def test_one_tries_an_endpoint_that_failed(transactional_db: None) -> None:
    ago = timezone.now() - timedelta(minutes=5)
    ModelEndpoint.objects.create(url=URL, status=CircuitStatus.OPEN, retry_at=ago, failures=9)
    found = _all_at_once(config_for(URL))
    assert found == ["circuit_open"] * (MANY - 1) + ["running"]
