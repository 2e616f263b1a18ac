"""A scripted model, over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.conf import settings as site
from pydantic import SecretStr
from pytest_django import Settings

from memory.checkpointer.model.prices import Price
from tests.model_server import Script, model_server


@pytest.fixture
def server(settings: Settings) -> Iterator[Script]:
    """The model, configured for the site."""
    with model_server() as script:
        settings.MODEL = {
            **site.MODEL,
            "base_url": script.url,
            "api_key": SecretStr("sk-test"),
            "models": {"": "small"},
            "prices": {"small": Price(Decimal(1), Decimal(4))},
            "attempts": 1,
        }
        yield script
