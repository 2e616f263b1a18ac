"""A good answer arrives, however the endpoint sends it and whatever it knows of options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import AnswerRefused, NotConfigured, Refused
from memory.checkpointer.model.question import Question
from memory.models import ModelCall, Stage
from tests.memory.checkpointer.model.conftest import GOOD, KEY, Drug, configured
from tests.model_server import Script, answers, status, whole


def test_a_streamed_answer_is_checked_and_counted(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(answers(GOOD))
    answer = client.ask(question)
    assert answer.value == Drug(**GOOD)
    assert (answer.tokens_in, answer.tokens_out) == (120, 30)
    (request,) = server.requests
    assert request["model"] == "small"
    assert request["stream"] is True
    wanted = request["response_format"]["json_schema"]
    assert (wanted["name"], wanted["strict"]) == ("drug", True)
    assert wanted["schema"]["required"] == ["name", "milligrams"]
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_an_answer_in_one_piece_is_taken_as_well(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(whole(GOOD))
    assert client.ask(question).value.milligrams == 500


def test_a_stage_may_have_a_model_of_its_own(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(answers(GOOD))
    client.ask(replace(question, stage=Stage.STRUCTURE))
    assert server.requests[0]["model"] == "large"


@pytest.mark.parametrize(
    ("unknown", "asked"),
    [
        (("json_schema",), 2),
        (("json_schema", "json_object"), 3),
        (("response_format",), 3),
        (("stream",), 2),
        (("stream_options",), 2),
        (("temperature",), 2),
        (("max_completion_tokens",), 2),
        (("json_schema", "stream", "temperature", "max_completion_tokens"), 5),
    ],
)
def test_what_the_endpoint_does_not_know_is_left_out_and_stays_out(
    server: Script,
    client: ModelClient,
    question: Question[Drug],
    unknown: tuple[str, ...],
    asked: int,
) -> None:
    server.plays(answers(GOOD), unknown=unknown)
    assert client.ask(question).value.name == "amoxicillin"
    assert len(server.requests) == asked
    client.ask(question)
    assert len(server.requests) == asked + 1
    assert not set(unknown) & server.requests[-1].keys()
    assert ModelCall.objects.filter(outcome="done").count() == 2
    assert client.manners.of(server.url, "large").format == "json_schema"


def test_without_the_servers_schema_the_prompt_has_it(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(answers("Here it is:\n```json\n" + str(GOOD).replace("'", '"') + "\n```"))
    server.unknown = ("response_format",)
    assert client.ask(question).value.name == "amoxicillin"
    assert "milligrams" in server.requests[-1]["messages"][0]["content"]
    assert ModelCall.objects.get().format == "text"


def test_a_refusal_for_another_reason_is_not_mistaken(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    error = {"message": "too long", "code": "context_length_exceeded"}
    server.plays(status(400, {"error": error}))
    with pytest.raises(Refused):
        client.ask(question)
    assert len(server.requests) == 1
    server.plays(status(400, {"error": {"message": "no"}}), answers(GOOD))
    client.ask(question)
    assert client.manners.of(server.url, "small").format == "json_object"


@pytest.mark.parametrize("code", [301, 401, 403, 404])
def test_a_wrong_key_or_address_is_not_asked_again(
    server: Script, client: ModelClient, question: Question[Drug], code: int
) -> None:
    said: dict[str, Any] = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    server.plays(status(code, said, Location=f"{server.url}/elsewhere"))
    with pytest.raises(Refused) as caught:
        client.ask(question)
    assert len(server.requests) == 1
    assert caught.value.status == code
    assert KEY not in f"{caught.value!s}{caught.value!r}{client!r}"
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)


def test_an_answer_that_does_not_fit_says_what_to_mend(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    wrong = {"name": 5, "milligrams": "many", "more": 1}
    server.plays(answers(wrong), answers(GOOD))
    with pytest.raises(AnswerRefused) as caught:
        client.ask(question)
    for place in ("name: ", "milligrams: ", "more: "):
        assert place in caught.value.problem
    assert "many" not in caught.value.problem
    assert client.ask(question.again(caught.value)).value.milligrams == 500
    system, told, mend = server.requests[-1]["messages"]
    assert (system["role"], told["role"], mend["role"]) == ("system", "assistant", "user")
    assert caught.value.problem in mend["content"]
    assert [call.outcome for call in ModelCall.objects.order_by("pk")] == ["invalid", "done"]


def test_nothing_is_asked_where_nothing_is_configured(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    for other in (configured(client, base_url=""), configured(client, models={})):
        with pytest.raises(NotConfigured):
            other.ask(question)
    assert not ModelCall.objects.exists()
