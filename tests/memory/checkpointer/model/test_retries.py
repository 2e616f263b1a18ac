"""What passes is tried again, in bounded number and time, and as late as the endpoint asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import Garbled, ModelError, RateLimited, ServerFailed
from memory.checkpointer.model.question import Question
from memory.checkpointer.model.retries import retry_after, wait_before_retry
from memory.models import ModelCall
from tests.memory.checkpointer.model.conftest import GOOD, Drug, Hours, configured
from tests.model_server import Script, answers, status

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("code", [500, 502, 503, 504, 529, 408, 409])
def test_failures_and_then_success(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours, code: int
) -> None:
    server.plays(status(code), status(code), answers(GOOD))
    assert client.ask(question).value.milligrams == 500
    assert hours.waits == pytest.approx([0.375, 0.5, 0.25])  # 0.375, then 0.75 in two steps
    calls = list(ModelCall.objects.order_by("pk"))
    assert [(one.attempt, one.outcome, one.status) for one in calls] == [
        (1, "failed", code),
        (2, "failed", code),
        (3, "done", None),
    ]
    assert len({one.call for one in calls}) == 1
    assert [one.tokens_in for one in calls] == [0, 0, 120]


def test_attempts_are_counted(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(status(500))
    with pytest.raises(ServerFailed):
        configured(client, attempts=2).ask(question)
    assert len(server.requests) == 2


def test_the_endpoint_says_when(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    server.plays(status(429, Retry_After="7"), answers(GOOD))
    client.ask(question)
    assert hours.seconds == pytest.approx(7.25)


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [("21", 60.0), ("86400", 60.0), ("15", 10.0)],
)
def test_a_wait_that_is_too_long_ends_the_call_at_once(
    server: Script,
    client: ModelClient,
    question: Question[Drug],
    hours: Hours,
    asked: str,
    seconds: float,
) -> None:
    server.plays(status(429, Retry_After=asked), answers(GOOD))
    with pytest.raises(RateLimited) as caught:
        configured(client, seconds=seconds).ask(question)
    assert caught.value.retry_after == float(asked)
    assert (len(server.requests), hours.waits) == (1, [])


def test_an_account_without_credit_is_not_asked_again(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(status(429, {"error": {"code": "insufficient_quota", "message": "no"}}))
    with pytest.raises(RateLimited):
        client.ask(question)
    assert len(server.requests) == 1


def test_waits_grow_to_a_bound_and_differ_by_chance() -> None:
    error = Garbled("x")
    for random in (lambda: 0.0, lambda: 0.999):
        waits = [
            wait_before_retry(error, attempt, longest_asked=20, random=random)
            for attempt in range(1, 40)
        ]
        known = [one for one in waits if one is not None]
        assert len(known) == len(waits)
        assert known == sorted(known)
        assert 0.25 <= known[0] <= known[-1] <= 8.0
    assert wait_before_retry(ModelError(), 1, longest_asked=20, random=lambda: 0.5) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:09 GMT"}, 9.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_number_or_date(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, NOW) == seconds


def test_a_client_without_a_person_asks_for_nobody(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(answers(GOOD))
    client.ask(replace(question, person=None))
    assert ModelCall.objects.get().user_id is None
