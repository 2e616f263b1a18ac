"""An endpoint that fails is left alone for a while, by every process, and then tried by one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.actions.model_calls import begin_call
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import Cancelled, CircuitOpen, Refused, ServerFailed
from memory.checkpointer.model.question import Question
from memory.models import CircuitStatus, ModelCall, ModelEndpoint, Stage
from tests.memory.checkpointer.model.conftest import BEGIN, GOOD, Drug, Hours, configured
from tests.model_server import Script, answers, silence, status


@pytest.fixture
def broken(server: Script, client: ModelClient, question: Question[Drug]) -> ModelClient:
    """A client of an endpoint that has failed five times."""
    client = configured(client, attempts=5)
    server.plays(status(500))
    with pytest.raises(ServerFailed):
        client.ask(question)
    return client


def test_it_opens_after_failures_in_a_row_and_asks_no_more(
    server: Script, broken: ModelClient, question: Question[Drug]
) -> None:
    row = ModelEndpoint.objects.get()
    assert (row.url, row.status, row.failures) == (server.url, CircuitStatus.OPEN, 5)
    asked = len(server.requests)
    other = ModelClient(config=broken.config, clock=broken.clock, now=broken.now)
    with pytest.raises(CircuitOpen) as caught:
        other.ask(question)
    assert caught.value.retry_at == row.retry_at
    assert len(server.requests) == asked
    assert ModelCall.objects.latest("pk").outcome == "circuit_open"


def test_after_a_while_one_may_try_and_closes_it(
    server: Script, broken: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    hours.seconds += 61
    server.plays(answers(GOOD))
    assert broken.ask(question).value.milligrams == 500
    row = ModelEndpoint.objects.get()
    assert (row.status, row.failures, row.retry_at) == (CircuitStatus.CLOSED, 0, None)


def test_a_failed_trial_opens_it_again(
    server: Script, broken: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    hours.seconds += 61
    asked = len(server.requests)
    with pytest.raises(CircuitOpen):  # the second attempt; the first one was the trial
        broken.ask(question)
    assert len(server.requests) == asked + 1
    row = ModelEndpoint.objects.get()
    assert row.status == CircuitStatus.OPEN
    assert row.retry_at is not None
    assert row.retry_at > hours.now() + timedelta(seconds=50)


def test_while_one_tries_nobody_else_does(
    broken: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    hours.seconds += 61
    begin_call(call=_call(broken), config=broken.config, now=hours.now())
    assert ModelEndpoint.objects.get().status == CircuitStatus.HALF_OPEN
    with pytest.raises(CircuitOpen):
        broken.ask(question)


def test_a_trial_that_was_killed_does_not_close_the_door_for_ever(
    server: Script, broken: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    hours.seconds += 61
    begin_call(call=_call(broken), config=broken.config, now=hours.now())
    hours.seconds += 100
    server.plays(answers(GOOD))
    assert broken.ask(question).value.milligrams == 500


def test_a_trial_that_was_cancelled_leaves_it_to_the_next(
    server: Script, broken: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    hours.seconds += 61
    asked = len(server.requests)
    server.plays(silence, answers(GOOD))
    stopping = replace(question, cancelled=lambda: len(server.requests) > asked)
    with pytest.raises(Cancelled):
        broken.ask(stopping)
    assert ModelEndpoint.objects.get().status == CircuitStatus.OPEN
    assert broken.ask(question).value.milligrams == 500


def test_success_in_between_and_refusals_do_not_count(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    client = configured(client, attempts=1)
    failing, four = status(500), 4
    server.plays(*[failing] * four, answers(GOOD), *[failing] * four, status(401), failing)
    for _ in range(four):
        with pytest.raises(ServerFailed):
            client.ask(question)
    client.ask(question)
    for _ in range(four):
        with pytest.raises(ServerFailed):
            client.ask(question)
    with pytest.raises(Refused):
        client.ask(question)
    with pytest.raises(ServerFailed):
        client.ask(question)
    row = ModelEndpoint.objects.get()
    assert (row.status, row.failures) == (CircuitStatus.CLOSED, 1)


def _call(client: ModelClient) -> ModelCall:
    return ModelCall(
        attempt=1,
        stage=Stage.READ,
        endpoint=client.config.base_url,
        model="small",
        prompt="repair",
        prompt_digest="0" * 64,
        started_at=BEGIN,
    )
