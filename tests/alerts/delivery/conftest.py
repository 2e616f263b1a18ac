"""What the tests of telling others share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from alerts.delivery.send import send_due
from alerts.delivery.tasks import tell
from alerts.models import Delivery
from tests.api_client import Api
from tests.webhook_server import Receiver, receiver

PATIENCE = 60.0


@pytest.fixture
def here(settings: Settings) -> None:
    """Webhooks may lead to this machine."""
    settings.WEBHOOK_PRIVATE_TARGETS = True


@pytest.fixture
def hook(here: None) -> Iterator[Receiver]:
    """A receiver that takes everything unless told."""
    with receiver() as found:
        yield found


@pytest.fixture
def subscribe(api: Api, hook: Receiver) -> Callable[..., dict[str, Any]]:
    """Subscribe as the chat app does; the answer."""

    def ask(**wishes: Any) -> dict[str, Any]:
        answer = api.post("webhooks", {"url": hook.url, **wishes})
        assert answer.status_code == 201, answer.content
        made: dict[str, Any] = answer.json()
        return made

    return ask


@pytest.fixture
def work() -> Callable[..., None]:
    """What the worker does: see what is to be told, and send it, `later` than now if told."""

    def run(later: timedelta = timedelta()) -> None:
        def clock() -> datetime:
            return timezone.now() + later

        tell(now=clock())
        send_due(clock=clock, ends=time.monotonic() + PATIENCE)

    return run


@pytest.fixture
def only() -> Callable[[], Delivery]:
    """The one delivery there is."""
    return Delivery.objects.get
