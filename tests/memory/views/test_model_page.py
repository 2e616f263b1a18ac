"""Admins see whether the model answers, what it costs and what failed; never a key or a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone
from pydantic import SecretStr
from pytest_django import Settings
from pytest_django.fixtures import DjangoAssertNumQueries

from memory.actions.model_calls import retry_endpoint
from memory.checkpointer.model.answers import Shape
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.config import model_config
from memory.checkpointer.model.errors import BudgetSpent, CircuitOpen, ModelError
from memory.checkpointer.model.manner import Manners
from memory.checkpointer.model.prices import Price
from memory.checkpointer.model.question import Question
from memory.checkpointer.model.status import model_status
from memory.checkpointer.prompts import prompt
from memory.models import AuditEvent, CircuitStatus, ModelCall, ModelEndpoint, Stage
from memory.rights import Role
from tests.api_client import HOST
from tests.model_server import Script, answers, model_server, status
from tests.people import new_person
from tests.staff import new_staff

KEY = "sk-Wombat-1234567890"
WORD = "quixotamol"
ADDRESS = "/office/model"


@pytest.fixture
def admin(transactional_db: None) -> Staff:
    """Who operates the site."""
    return new_staff("admin", Role.ADMIN)


@pytest.fixture
def office(admin: Staff) -> Client:
    """The admin's browser."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(admin)
    return client


@pytest.fixture
def server(settings: Settings) -> Iterator[Script]:
    """An endpoint that the site is configured for."""
    with model_server() as script:
        settings.MODEL = {
            **settings.MODEL,
            "base_url": script.url,
            "api_key": SecretStr(KEY),
            "models": {"": "small", "structure": "large"},
            "prices": {"small": Price(Decimal(1), Decimal(4))},
            "attempts": 1,
            "breaker_failures": 2,
        }
        yield script


def ask(**more: Any) -> int:
    """Ask with the site's own configuration, about a drug."""
    question = Question(
        stage=Stage.READ, instructions=prompt("repair").fill(problem=WORD), shape=Shape(int)
    )
    client = ModelClient(manners=Manners(), sleep=lambda _: None)
    return client.ask(replace(question, **more)).value


def shown(office: Client) -> str:
    answer = office.get(ADDRESS)
    assert answer.status_code == 200
    text: str = answer.content.decode()
    assert KEY not in text
    assert WORD not in text
    return text


def test_without_a_model_it_says_so(office: Client, settings: Settings) -> None:
    settings.MODEL = {**settings.MODEL, "base_url": "", "models": {}}
    text = shown(office)
    assert "No model is configured" in text
    assert "OPENAI_BASE_URL" in text


def test_calls_tokens_people_and_cost_of_the_day(office: Client, server: Script) -> None:
    assert "not asked yet" in shown(office)
    one, other = new_person(name="Ada"), new_person(name="Grace")
    server.plays(answers(5))
    for person in (one, one, other):
        ask(person=person.pk)
    ask(stage=Stage.STRUCTURE)
    found = model_status(model_config(), timezone.now())
    read = next(row for row in found.stages if row.stage == Stage.READ)
    assert (read.calls, read.attempts, read.people, read.failed) == (3, 3, 2, 0)
    assert (read.tokens_in, read.cost) == (360, 3 * Decimal("0.00024"))
    assert (found.people, found.costliest) == (2, 2 * Decimal("0.00024"))
    text = shown(office)
    assert ">answers<" in text
    assert "0.0007" in text
    assert "no price" in text  # of the model that structures
    assert "Ada" not in text
    assert str(one.pk) not in text


def test_yesterday_does_not_count(server: Script, transactional_db: None) -> None:
    server.plays(answers(5))
    ask()
    found = model_status(model_config(), timezone.now() + timedelta(days=1))
    assert (found.calls, found.cost) == (0, Decimal(0))


def test_an_endpoint_that_fails_is_shown_and_may_be_tried_at_once(
    office: Client, admin: Staff, server: Script
) -> None:
    server.plays(status(503, {"error": {"message": f"{KEY} {WORD}"}}))
    for _ in range(2):
        with pytest.raises(ModelError):
            ask()
    with pytest.raises(CircuitOpen):
        ask()
    text = shown(office)
    assert ">fails<" in text
    assert "2 attempts in a row failed" in text
    assert "stopped: endpoint fails" in text
    assert "503" in text
    answer = office.post(f"{ADDRESS}/retry", follow=True)
    assert "The next call tries the endpoint" in answer.content.decode()
    event = AuditEvent.objects.get(action="model.retry")
    assert event.actor_id == str(admin.pk)
    server.plays(answers(5))
    assert ask() == 5
    assert ModelEndpoint.objects.get().status == CircuitStatus.CLOSED
    assert not retry_endpoint(url=server.url, actor=admin, now=timezone.now())
    assert "Calls pass" in office.post(f"{ADDRESS}/retry", follow=True).content.decode()


def test_a_budget_that_stops_calls_is_shown(
    office: Client, server: Script, settings: Settings
) -> None:
    server.plays(answers(5))
    settings.MODEL = {**settings.MODEL, "daily_budget": Decimal("0.001")}
    with pytest.raises(BudgetSpent):
        ask()
    text = shown(office)
    assert "of 0.001" in text
    assert "1 call had no room in a budget today" in text
    assert "stopped by the budget" in text
    assert server.requests == []


def test_a_call_whose_process_was_killed_is_shown_as_lost(office: Client, server: Script) -> None:
    ModelCall.objects.create(
        attempt=1,
        stage=Stage.READ,
        endpoint=server.url,
        model="small",
        prompt="repair",
        prompt_digest="0" * 64,
        started_at=timezone.now() - timedelta(hours=1),
    )
    assert "1 never ended" in shown(office)


def test_the_page_asks_as_often_however_much_there_is(
    server: Script, transactional_db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    server.plays(answers(5), answers("no"))
    for _ in range(6):
        try:
            ask()
        except ModelError:
            continue
    with django_assert_num_queries(7):
        model_status(model_config(), timezone.now())
