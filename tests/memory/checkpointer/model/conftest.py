"""A scripted endpoint, a client whose time stands still between waits, and a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from memory.checkpointer.model.answers import Shape
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.config import ModelConfig
from memory.checkpointer.model.manner import Manners
from memory.checkpointer.model.prices import Price
from memory.checkpointer.model.question import Question
from memory.checkpointer.prompts import prompt
from memory.models import Stage
from tests.model_server import Script, model_server

KEY = "sk-Wombat-1234567890"
BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Drug(BaseModel, extra="forbid"):
    """What the model is asked for."""

    name: str
    milligrams: int


GOOD = {"name": "amoxicillin", "milligrams": 500}


@pytest.fixture
def server() -> Iterator[Script]:
    """The endpoint."""
    with model_server() as script:
        yield script


@dataclass
class Hours:
    """Time that passes where somebody waits, and nowhere else."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds

    def now(self) -> datetime:
        return BEGIN + timedelta(seconds=self.seconds)


@pytest.fixture
def hours() -> Hours:
    """The time of the test."""
    return Hours()


def config_for(url: str, **more: Any) -> ModelConfig:
    """A configuration with bounds that hold and that no good answer meets."""
    config = ModelConfig(
        base_url=url,
        api_key=SecretStr(KEY),
        models={"": "small", "structure": "large"},
        prices={"small": Price(Decimal(1), Decimal(4)), "large": Price(Decimal(10), Decimal(40))},
        seconds=60,
        connect_seconds=5,
        silence_seconds=20,
        answer_bytes=2_000_000,
        answer_tokens=1_000,
        attempts=3,
        retry_after_seconds=20,
        breaker_failures=5,
        breaker_seconds=60,
        daily_budget=None,
        daily_budget_per_person=None,
    )
    return replace(config, **more)


@pytest.fixture
def client(server: Script, hours: Hours, transactional_db: None) -> ModelClient:
    """A client of the endpoint."""
    return ModelClient(
        config=config_for(server.url),
        manners=Manners(),
        clock=hours.clock,
        sleep=hours.sleep,
        random=lambda: 0.5,
        now=hours.now,
    )


def configured(client: ModelClient, **more: Any) -> ModelClient:
    """The same client with other bounds."""
    return replace(client, config=replace(client.config, **more))


def impatient(client: ModelClient, **more: Any) -> ModelClient:
    """The same client in real time, with bounds of less than a second."""
    import time

    return replace(configured(client, **{"seconds": 0.4, **more}), clock=time.monotonic)


@pytest.fixture
def question() -> Question[Drug]:
    """Which drug?"""
    return Question(
        stage=Stage.READ,
        instructions=prompt("repair").fill(problem="I take amoxicillin, 500 mg."),
        shape=Shape(Drug, name="drug"),
    )
