"""Which endpoint and model answer, and within which bounds: `settings.MODEL`, typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from pydantic import SecretStr

from memory.checkpointer.model.prices import FREE, Price


@dataclass(frozen=True)
class ModelConfig:
    """The settings of docs/operations.md; `models` holds one for a stage of its own, or for ""."""

    base_url: str
    api_key: SecretStr
    models: Mapping[str, str]
    prices: Mapping[str, Price]
    seconds: float
    connect_seconds: float
    silence_seconds: float
    answer_bytes: int
    answer_tokens: int
    attempts: int
    retry_after_seconds: float
    breaker_failures: int
    breaker_seconds: float
    daily_budget: Decimal | None
    daily_budget_per_person: Decimal | None

    def model_for(self, stage: str) -> str:
        """The model of a stage; empty where none is configured."""
        return (self.models.get(stage) or self.models.get("", "")) if self.base_url else ""

    def price_of(self, model: str) -> Price:
        """What a model costs; nothing where the settings name no price."""
        return self.prices.get(model, FREE)


def model_config() -> ModelConfig:
    """The configuration in force."""
    return ModelConfig(**settings.MODEL)
