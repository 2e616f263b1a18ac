"""No model, no budget, no time, no room: a problem says so, and nothing is made up."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.conf import settings as site
from pytest_django import Settings

from memory.answering import turns
from memory.answering.ask import NO_TIME
from memory.models import MemoryUser, ModelCall
from tests.api_client import PROBLEM, Api
from tests.memory.answering.conftest import UNKNOWN
from tests.model_server import Script, answers, silence, status


def refusal(api: Api, person: MemoryUser, code: int = 503) -> tuple[str, str]:
    found = api.post(f"users/{person.pk}/ask", {"question": "How many trips?"})
    assert (found.status_code, found["Content-Type"]) == (code, PROBLEM)
    body = found.json()
    return body["title"], body["detail"]


def test_without_a_model_it_says_what_to_do(api: Api, person: MemoryUser) -> None:
    title, detail = refusal(api, person)
    assert title == "No model"
    assert "send Python to `query`" in detail


def test_a_spent_budget_ends_it(
    api: Api, person: MemoryUser, server: Script, settings: Settings
) -> None:
    settings.MODEL = {**settings.MODEL, "daily_budget_per_person": Decimal("0.000001")}
    assert "budget for this person" in refusal(api, person)[1]
    assert server.requests == []


def test_an_endpoint_that_fails_is_left_alone(
    api: Api, person: MemoryUser, server: Script, settings: Settings
) -> None:
    settings.MODEL = {**settings.MODEL, "breaker_failures": 1}
    server.plays(status(500))
    assert "HTTP 500" in refusal(api, person)[1]
    assert "it is asked again at" in refusal(api, person)[1]
    assert len(server.requests) == 1
    assert ModelCall.objects.count() == 2


def test_a_question_has_a_time_of_its_own(
    api: Api, person: MemoryUser, server: Script, settings: Settings
) -> None:
    settings.ASK_SECONDS = 2.2
    settings.MODEL = {**site.MODEL, "seconds": 45}
    server.plays(silence)
    assert "time of the call is over" in refusal(api, person)[1]


def test_without_time_for_an_attempt_nothing_is_known_and_nothing_was_refused(
    api: Api, person: MemoryUser, server: Script, settings: Settings
) -> None:
    settings.ASK_SECONDS = 1.0
    found = api.post(f"users/{person.pk}/ask", {"question": "Who?"}).json()
    assert (found["known"], found["refused"], found["why"]) == (False, 0, NO_TIME)
    assert server.requests == []


def test_others_wait_their_turn(
    api: Api, person: MemoryUser, server: Script, settings: Settings
) -> None:
    server.plays(answers(UNKNOWN))
    settings.ASKED_AT_ONCE = 1
    with turns.a_turn():
        assert refusal(api, person)[0] == "Not now"
    assert server.requests == []
    assert api.post(f"users/{person.pk}/ask", {"question": "Who?"}).status_code == 200


@pytest.mark.parametrize("question", ["", "   ", "a\0b", "x" * 2_001, 7, None])
def test_what_is_no_question_is_refused(api: Api, person: MemoryUser, question: object) -> None:
    assert api.post(f"users/{person.pk}/ask", {"question": question}).status_code in (400, 422)
