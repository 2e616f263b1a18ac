"""Every attempt leaves a row with its cost and without a word; the day's budget stops calls."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import Error, connection, transaction

from memory.access import NotFound
from memory.actions.model_calls import Ending, begin_call, end_call
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import BudgetSpent, ModelError
from memory.checkpointer.model.question import Question
from memory.checkpointer.prompts import prompt
from memory.models import CallOutcome, ModelCall, Stage
from tests.memory.checkpointer.model.conftest import GOOD, KEY, Drug, Hours, configured
from tests.model_server import Script, answers
from tests.people import new_person

COST = Decimal("0.000240")  # 120 tokens at 1 and 30 at 4, a million of each


def test_a_row_says_what_was_asked_by_whom_and_what_it_cost(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    person = new_person()
    server.plays(answers(GOOD))
    answer = client.ask(replace(question, person=person.pk))
    call = ModelCall.objects.get()
    assert (call.user, call.stage, call.model) == (person, Stage.READ, "small")
    assert (call.prompt, call.prompt_digest) == ("repair", prompt("repair").digest)
    assert (call.outcome, call.attempt, call.format) == (CallOutcome.DONE, 1, "json_schema")
    assert (call.tokens_in, call.tokens_out, call.estimated) == (120, 30, False)
    assert call.cost == answer.cost == COST
    assert call.started_at == hours.now()


def test_no_word_of_a_prompt_or_an_answer_and_no_key_is_stored(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(answers(GOOD))
    client.ask(question)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = str(cursor.fetchall())
            assert "amoxicillin" not in rows
            assert KEY not in rows


def test_tokens_are_estimated_where_the_endpoint_says_nothing(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(answers(GOOD, usage=False))
    client.ask(question)
    call = ModelCall.objects.get()
    assert call.estimated
    assert call.tokens_in > 100
    assert 10 < call.tokens_out < 30
    assert call.cost > 0


def test_a_call_that_has_ended_is_never_changed_or_deleted(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    server.plays(answers(GOOD))
    client.ask(question)
    call = ModelCall.objects.get()
    end_call(
        call=call,
        ending=Ending(CallOutcome.FAILED, None, 1.0),
        config=client.config,
        now=hours.now(),
    )
    assert ModelCall.objects.get().outcome == CallOutcome.DONE
    for statement in ("UPDATE memory_modelcall SET cost = 0", "DELETE FROM memory_modelcall"):
        with pytest.raises(Error, match="append-only"), transaction.atomic():
            connection.cursor().execute(statement)


def test_one_that_runs_can_only_end(client: ModelClient, hours: Hours) -> None:
    begin_call(call=_call(client), config=client.config, now=hours.now())
    for change in ("model = 'x'", "user_id = NULL, attempt = 7", "started_at = '2020-01-01'"):
        with pytest.raises(Error, match="append-only"), transaction.atomic():
            connection.cursor().execute(f"UPDATE memory_modelcall SET {change}")


@pytest.mark.parametrize("whose", ["daily_budget", "daily_budget_per_person"])
def test_a_spent_budget_stops_calls_until_tomorrow(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours, whose: str
) -> None:
    person, other = new_person(), new_person()
    question = replace(question, person=person.pk)
    server.plays(answers(GOOD))
    client.ask(question)  # holds some 0.0043 while it runs, costs 0.00024 in the end
    client.ask(question)
    client = configured(client, **{whose: Decimal("0.0046")})
    with pytest.raises(BudgetSpent) as caught:
        client.ask(question)
    assert caught.value.scope == ("all" if whose == "daily_budget" else "person")
    assert (caught.value.spent, len(server.requests)) == (2 * COST, 2)
    stopped = ModelCall.objects.latest("pk")
    assert (stopped.outcome, stopped.cost) == (CallOutcome.OVER_BUDGET, Decimal(0))
    elsewhere = replace(question, person=other.pk)
    if whose == "daily_budget":
        with pytest.raises(BudgetSpent):
            client.ask(elsewhere)
    else:
        client.ask(elsewhere)
    hours.seconds += timedelta(hours=12).total_seconds()
    assert client.ask(question).value.milligrams == 500


def test_what_runs_holds_its_most_so_that_many_at_once_keep_the_budget(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    client = configured(client, daily_budget=Decimal("0.008"))
    running = _call(client, cost=Decimal("0.005"))
    begin_call(call=running, config=client.config, now=hours.now())
    server.plays(answers(GOOD))
    with pytest.raises(BudgetSpent):
        client.ask(question)
    ending = Ending(CallOutcome.DONE, True, 1.0, cost=COST)
    end_call(call=running, ending=ending, config=client.config, now=hours.now())
    assert client.ask(question).value.milligrams == 500


def test_nothing_waits_for_a_model_inside_a_transaction(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(answers(GOOD))
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        client.ask(question)
    assert server.requests == []


def test_nobody_is_asked_about_who_was_erased(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    person = new_person()
    type(person).objects.filter(pk=person.pk).update(erased_at=hours.now())
    with pytest.raises(NotFound):
        client.ask(replace(question, person=person.pk))
    assert (server.requests, ModelCall.objects.count()) == ([], 0)


def test_every_error_ends_in_an_outcome_that_the_table_knows() -> None:
    found = {ModelError}
    while more := {one for known in found for one in known.__subclasses__()} - found:
        found |= more
    assert {one.outcome for one in found} <= {*CallOutcome.values}


def _call(client: ModelClient, **more: Decimal) -> ModelCall:
    return ModelCall(
        attempt=1,
        stage=Stage.READ,
        endpoint=client.config.base_url,
        model="small",
        prompt="repair",
        prompt_digest="0" * 64,
        **more,
    )
