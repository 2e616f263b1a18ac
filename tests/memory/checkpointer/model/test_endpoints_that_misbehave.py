"""Garbage, floods, trickles and silences: each ends in time, as an error that says what it was."""

from __future__ import annotations

import gzip
import json
import socket
import time
from dataclasses import replace

import pytest

from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import (
    AnswerRefused,
    Cancelled,
    CutShort,
    Declined,
    Garbled,
    ModelError,
    OutOfTime,
    ServerFailed,
    TimedOut,
    TooLarge,
    Unreachable,
)
from memory.checkpointer.model.manner import Manner
from memory.checkpointer.model.question import Question
from memory.models import CallOutcome, ModelCall
from tests.memory.checkpointer.model.conftest import GOOD, Drug, Hours, configured, impatient
from tests.model_server import (
    Act,
    Script,
    answers,
    body,
    chunk,
    completion,
    events,
    hangs_up,
    huge,
    one_line,
    silence,
    status,
    trickles,
    truncated,
)

HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: "
JSON, STREAM = HEAD + b"application/json\r\n\r\n", HEAD + b"text/event-stream\r\n\r\n"
DEEP = "[" * 100_000
BOMB = gzip.compress(b" " * 50_000_000)

GARBAGE = {
    "not JSON": body(b"<html>502 Bad Gateway</html>"),
    "nothing": body(b""),
    "not UTF-8": body(b'\xff\xfe{"choices": "\x80"}'),
    "a number": body(b"5"),
    "a list": body(b"[]"),
    "null": body(b"null"),
    "no choices": body(b"{}"),
    "empty choices": body(b'{"choices": []}'),
    "choices of a wrong type": body(b'{"choices": {"message": 1}}'),
    "a message of a wrong type": body(b'{"choices": [{"message": "hello"}]}'),
    "deeply nested": body(DEEP.encode()),
    "a number with 10,000 digits": body(b'{"choices": ' + b"9" * 10_000 + b"}"),
    "another page": body(b"welcome", kind="text/plain"),
    "a stream of nothing": events(),
    "a stream that only ends": events("[DONE]"),
    "a stream of garbage": events("{", "[DONE]"),
    "a stream of numbers": events(5, "[DONE]"),
    "a stream of texts": events('"hello"', "[DONE]"),
    "a deep stream": events(DEEP, "[DONE]"),
    "pieces of wrong types": events(chunk({"a": 1}, "stop"), "[DONE]"),
    "choices that are numbers": events({"choices": [1, 2]}, "[DONE]"),
    "choices that are a number": events({"choices": 7}, "[DONE]"),
    "a delta of null": events({"choices": [{"delta": None}]}, "[DONE]"),
    "an end of a wrong type": events(chunk("{}", finish=[1]), "[DONE]"),  # type: ignore[arg-type]
    "a stream without an end": events(chunk('{"name": "a", "milligrams": 1}')),
    "packed": lambda to, _: to.whole(200, BOMB, Content_Encoding="gzip"),
}


@pytest.mark.parametrize("name", GARBAGE)
@pytest.mark.parametrize("manner", [Manner(), Manner(without=frozenset({"stream"}))])
def test_garbage_is_called_so_and_asked_again(
    server: Script, client: ModelClient, question: Question[Drug], name: str, manner: Manner
) -> None:
    client.manners.learn(server.url, "small", manner)
    server.plays(GARBAGE[name])
    with pytest.raises(Garbled):
        client.ask(question)
    assert len(server.requests) == 3
    server.plays(GARBAGE[name], answers(GOOD))
    assert client.ask(question).value.milligrams == 500
    outcomes = [call.outcome for call in ModelCall.objects.order_by("pk")]
    assert outcomes == ["garbled"] * 4 + ["done"]


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (truncated(GOOD), Unreachable),
        (hangs_up, Unreachable),
        (lambda to, _: to.wfile.write(b"SSH-2.0-OpenSSH\r\n"), Unreachable),
        (events({"error": {"message": "overloaded"}}), ServerFailed),
        (body(b'{"error": {"message": "overloaded"}}'), ServerFailed),
    ],
)
def test_a_connection_that_breaks_is_tried_again(
    server: Script, client: ModelClient, question: Question[Drug], act: Act, error: type[ModelError]
) -> None:
    server.plays(act)
    with pytest.raises(error):
        client.ask(question)
    server.plays(act, answers(GOOD))
    assert client.ask(question).value.milligrams == 500


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (answers('{"name": "amo', finish="length"), CutShort),
        (answers("", finish="content_filter"), Declined),
        (body(json.dumps(completion(None, refusal="no")).encode()), Declined),
        (answers("I would rather talk."), AnswerRefused),
        (answers(""), AnswerRefused),
        (answers('{"name": "a", "milligrams": 1'), AnswerRefused),
    ],
)
def test_what_the_model_itself_did_is_not_asked_again(
    server: Script, client: ModelClient, question: Question[Drug], act: Act, error: type[ModelError]
) -> None:
    server.plays(act)
    with pytest.raises(error):
        client.ask(question)
    assert len(server.requests) == 1


@pytest.mark.parametrize("act", [huge(), one_line()])
@pytest.mark.parametrize("unknown", [(), ("stream",)])
def test_ten_megabytes_are_cut(
    server: Script,
    client: ModelClient,
    question: Question[Drug],
    act: Act,
    unknown: tuple[str, ...],
) -> None:
    server.plays(act, unknown=unknown)
    with pytest.raises(TooLarge):
        client.ask(question)
    call = ModelCall.objects.get()
    assert call.outcome == CallOutcome.TOO_LARGE
    assert call.estimated


@pytest.mark.parametrize(
    "act",
    [
        trickles(JSON + b" " * 1_000),
        trickles(b" " * 1_000, after=JSON),
        trickles(b"data: " + b"x" * 1_000, after=STREAM),
        trickles(b" " * 1_000, every=0.02, after=JSON),
        silence,
    ],
)
def test_one_byte_a_second_ends_with_the_time_of_the_call(
    server: Script, client: ModelClient, question: Question[Drug], act: Act
) -> None:
    server.plays(act)
    started = time.monotonic()
    with pytest.raises(OutOfTime):
        impatient(client).ask(question)
    assert time.monotonic() - started < 2
    assert [call.outcome for call in ModelCall.objects.all()] == [CallOutcome.TIMED_OUT]


def test_a_silence_ends_before_the_call_and_is_tried_again(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    server.plays(silence, answers(GOOD))
    quick = impatient(client, seconds=20, silence_seconds=0.2)
    assert quick.ask(question).value.milligrams == 500
    outcomes = [call.outcome for call in ModelCall.objects.order_by("pk")]
    assert outcomes == [CallOutcome.TIMED_OUT, CallOutcome.DONE]


def test_nobody_at_home(client: ModelClient, question: Question[Drug]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and never listening
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(Unreachable):
            configured(client, base_url=url).ask(question)
    with pytest.raises(Unreachable):
        configured(client, base_url="http://nowhere.invalid/v1").ask(question)


def test_a_listener_that_takes_no_connection(client: ModelClient, question: Question[Drug]) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        others = [socket.socket() for _ in range(4)]
        for one in others:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        with pytest.raises(TimedOut):
            impatient(client, base_url=url, connect_seconds=0.1).ask(question)
        for one in others:
            one.close()


def test_an_endpoint_that_never_shakes_hands(
    server: Script, client: ModelClient, question: Question[Drug]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"https://127.0.0.1:{mute.getsockname()[1]}/v1"
        with pytest.raises(TimedOut):
            impatient(client, base_url=url).ask(question)


@pytest.mark.parametrize("act", [silence, trickles(b" " * 1_000, every=0.02, after=JSON)])
def test_a_call_is_cancelled_while_nothing_comes_and_between_pieces(
    server: Script, client: ModelClient, question: Question[Drug], act: Act
) -> None:
    server.plays(act)
    started = time.monotonic()
    with pytest.raises(Cancelled):
        impatient(client, seconds=20).ask(
            replace(question, cancelled=lambda: bool(server.requests))
        )
    assert time.monotonic() - started < 5
    assert ModelCall.objects.get().outcome == CallOutcome.CANCELLED


def test_a_wait_is_cancelled_too_and_before_it_begins_nothing_is_asked(
    server: Script, client: ModelClient, question: Question[Drug], hours: Hours
) -> None:
    server.plays(status(503, Retry_After="10"))
    with pytest.raises(Cancelled):
        client.ask(replace(question, cancelled=lambda: hours.seconds >= 2))
    assert len(server.requests) == 1
    with pytest.raises(Cancelled):
        client.ask(replace(question, cancelled=lambda: True))
    assert len(server.requests) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, ConnectionError])
@pytest.mark.parametrize("act", [silence, trickles(b" " * 1_000, every=0.02, after=STREAM)])
def test_what_breaks_off_here_is_recorded_and_not_blamed_on_the_endpoint(
    server: Script,
    client: ModelClient,
    question: Question[Drug],
    act: Act,
    error: type[BaseException],
) -> None:
    server.plays(act)

    def stopped() -> bool:
        if server.requests:
            raise error
        return False

    with pytest.raises(error):
        client.ask(replace(question, cancelled=stopped))
    assert ModelCall.objects.get().outcome == CallOutcome.BROKEN_OFF
